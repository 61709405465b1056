//! Cookies, as far as a crawler needs them: sites that show pages only to those who bring back what they were given.
//!
//! A cookie goes back to the very host that set it and to no other, whatever its `Domain` says. So no list of public
//! suffixes is needed, and nothing follows the crawl from site to site. The clock is the caller's.

use cookie::Cookie;
use std::cmp::Reverse;
use std::collections::{HashMap, VecDeque};
use std::time::{SystemTime, UNIX_EPOCH};
use url::{Host, Url};

/// Of a whole `Set-Cookie`: what browsers keep at least (RFC 6265, section 6.1).
const MAX_LEN: usize = 4 << 10;
const MAX_PER_HOST: usize = 50;
const MAX_HOSTS: usize = 10_000;
/// Servers refuse requests with longer headers.
const MAX_HEADER_LEN: usize = 8 << 10;

/// The cookies of all hosts.
///
/// ```
/// # use {std::time::SystemTime, url::Url};
/// let (url, now) = (Url::parse("https://shop.example/a")?, SystemTime::now());
/// let mut jar = crawl::cookies::Jar::default();
/// jar.set(&url, "seen=yes; Path=/; HttpOnly", now);
/// assert_eq!(jar.header(&url, now).as_deref(), Some("seen=yes"));
/// # Ok::<(), url::ParseError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Jar {
    /// Each oldest first.
    hosts: HashMap<String, Vec<Kept>>,
    /// Hosts in the order of their first cookie.
    order: VecDeque<String>,
}

#[derive(Clone, Debug)]
struct Kept {
    name: String,
    value: String,
    path: String,
    is_secure: bool,
    /// In seconds of the epoch; none if it lasts as long as the crawl.
    expires: Option<i64>,
}

impl Jar {
    /// Keep what a server sets in one `Set-Cookie` of its answer for an address.
    pub fn set(&mut self, url: &Url, header: &str, now: SystemTime) {
        let now = seconds(now);
        let Some(host) = url.host_str() else { return };
        let Some(kept) = Kept::of(url, header, now) else { return };
        let cookies = match self.hosts.get_mut(host) {
            Some(cookies) => cookies,
            None => self.open(host),
        };
        cookies.retain(|cookie| cookie.is_alive(now));
        let twin = cookies.iter().position(|it| it.name == kept.name && it.path == kept.path);
        match twin {
            // It keeps its age (RFC 6265, section 5.3).
            Some(at) if kept.is_alive(now) => cookies[at] = kept,
            Some(at) => drop(cookies.remove(at)),
            None if kept.is_alive(now) => cookies.push(kept),
            None => {}
        }
        if cookies.len() > MAX_PER_HOST {
            cookies.remove(0);
        }
    }

    /// The `Cookie` to ask for an address with, if there is anything to say.
    pub fn header(&self, url: &Url, now: SystemTime) -> Option<String> {
        let now = seconds(now);
        let mut cookies: Vec<&Kept> = self.hosts.get(url.host_str()?)?.iter().collect();
        cookies.retain(|cookie| cookie.is_alive(now) && cookie.is_for(url));
        // The more specific ones first; sorting keeps those of equal length by age.
        cookies.sort_by_key(|cookie| Reverse(cookie.path.len()));
        let mut header = String::new();
        for cookie in cookies {
            if header.len() + cookie.name.len() + cookie.value.len() + 3 > MAX_HEADER_LEN {
                break;
            }
            if !header.is_empty() {
                header.push_str("; ");
            }
            header.push_str(&cookie.name);
            header.push('=');
            header.push_str(&cookie.value);
        }
        (!header.is_empty()).then_some(header)
    }

    fn open(&mut self, host: &str) -> &mut Vec<Kept> {
        if self.order.len() >= MAX_HOSTS
            && let Some(oldest) = self.order.pop_front()
        {
            self.hosts.remove(&oldest);
        }
        self.order.push_back(host.to_owned());
        self.hosts.entry(host.to_owned()).or_default()
    }
}

impl Kept {
    /// None if it is no cookie, or not one that this server may set.
    fn of(url: &Url, header: &str, now: i64) -> Option<Kept> {
        if header.len() > MAX_LEN {
            return None;
        }
        let cookie = Cookie::parse(header).ok()?;
        let is_printable = |text: &str| text.bytes().all(|byte| matches!(byte, b' '..=b'~'));
        let is_secure = cookie.secure() == Some(true);
        let is_accepted = is_printable(cookie.name())
            && is_printable(cookie.value())
            && cookie.domain().is_none_or(|domain| is_within(url, domain))
            && (!is_secure || url.scheme() == "https")
            && keeps_promise(&cookie, is_secure);
        let path = cookie.path().filter(|path| path.starts_with('/'));
        is_accepted.then(|| Kept {
            name: cookie.name().to_owned(),
            value: cookie.value().to_owned(),
            path: path.unwrap_or_else(|| folder(url.path())).to_owned(),
            is_secure,
            expires: expires(&cookie, now),
        })
    }

    fn is_alive(&self, now: i64) -> bool {
        self.expires.is_none_or(|expires| now < expires)
    }

    fn is_for(&self, url: &Url) -> bool {
        let rest = url.path().strip_prefix(&*self.path);
        let is_below = rest.is_some_and(|rest| {
            rest.is_empty() || rest.starts_with('/') || self.path.ends_with('/')
        });
        is_below && (!self.is_secure || url.scheme() == "https")
    }
}

fn seconds(time: SystemTime) -> i64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
}

fn expires(cookie: &Cookie, now: i64) -> Option<i64> {
    match cookie.max_age() {
        Some(age) => Some(now.saturating_add(age.whole_seconds())),
        None => cookie.expires_datetime().map(|time| time.unix_timestamp()),
    }
}

/// Whether a host may speak for a domain: its own or one above.
fn is_within(url: &Url, domain: &str) -> bool {
    let domain = domain.strip_prefix('.').unwrap_or(domain).to_ascii_lowercase();
    match url.host() {
        Some(Host::Domain(host)) => {
            host == domain || host.strip_suffix(&*domain).is_some_and(|rest| rest.ends_with('.'))
        }
        _ => url.host_str() == Some(&*domain),
    }
}

/// Names that start so promise what they are.
fn keeps_promise(cookie: &Cookie, is_secure: bool) -> bool {
    let starts_with = |prefix: &str| {
        let start = cookie.name().get(..prefix.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(prefix))
    };
    if starts_with("__Host-") {
        return is_secure && cookie.domain().is_none() && cookie.path() == Some("/");
    }
    is_secure || !starts_with("__Secure-")
}

/// The path of a cookie that names none: up to the last slash (RFC 6265, section 5.1.4).
fn folder(path: &str) -> &str {
    match path.rfind('/') {
        Some(0) | None => "/",
        Some(end) => &path[..end],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    /// A day of 2033.
    fn now() -> SystemTime {
        UNIX_EPOCH + Duration::from_secs(2_000_000_000)
    }

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    /// Each cookie set from an address, then what another address gets.
    #[track_caller]
    fn check(set: &[(&str, &str)], asked: &str, expected: &str) {
        let mut jar = Jar::default();
        for (from, header) in set {
            jar.set(&url(from), header, now());
        }
        let header = jar.header(&url(asked), now());
        assert_eq!(header.as_deref().unwrap_or_default(), expected, "{set:?}");
    }

    #[test]
    fn cookies_go_back_to_their_host() {
        let set =
            &[("http://a.example/", "x=1"), ("http://a.example/", " y = two words ; HttpOnly")];
        check(set, "http://a.example/", "x=1; y=two words");
        check(set, "https://a.example:8443/b?c", "x=1; y=two words");
        check(set, "http://b.a.example/", "");
        check(set, "http://example/", "");
        check(&[("http://127.0.0.1/", "x=1")], "http://127.0.0.1/", "x=1");
        check(&[("http://A.Example/", "x=1")], "http://a.example/", "x=1");
    }

    #[test]
    fn a_domain_gives_no_more_than_the_host() {
        for domain in ["a.example", ".a.example", "A.EXAMPLE", "sub.a.example", "example", ""] {
            let header = format!("x=1; Domain={domain}");
            let set = &[("http://sub.a.example/", &*header)];
            check(set, "http://sub.a.example/", "x=1");
            check(set, "http://a.example/", "");
        }
        for domain in ["b.example", "b.a.example", "ub.a.example", "x.sub.a.example", "e"] {
            let header = format!("x=1; Domain={domain}");
            check(&[("http://sub.a.example/", &header)], "http://sub.a.example/", "");
        }
        check(&[("http://127.0.0.1/", "x=1; Domain=0.0.1")], "http://127.0.0.1/", "");
    }

    #[test]
    fn paths_are_folders() {
        let from = "http://a.example/shop/cart/add";
        check(&[(from, "x=1")], "http://a.example/shop/cart", "x=1");
        check(&[(from, "x=1")], "http://a.example/shop/cart/", "x=1");
        check(&[(from, "x=1")], "http://a.example/shop/cartoon", "");
        check(&[(from, "x=1")], "http://a.example/shop", "");
        check(&[(from, "x=1; Path=/")], "http://a.example/", "x=1");
        check(&[(from, "x=1; Path=/b/")], "http://a.example/b/c", "x=1");
        check(&[(from, "x=1; Path=/b/")], "http://a.example/b", "");
        check(&[(from, "x=1; Path=nonsense")], "http://a.example/shop/cart", "x=1");
        let two = &[(from, "x=1; Path=/"), (from, "y=2; Path=/"), (from, "x=3; Path=/b")];
        check(two, "http://a.example/b/c", "x=3; x=1; y=2");
    }

    #[test]
    fn secure_ones_stay_secure() {
        let set = &[("https://a.example/", "x=1; Secure")];
        check(set, "https://a.example/", "x=1");
        check(set, "http://a.example/", "");
        check(&[("http://a.example/", "x=1; Secure")], "https://a.example/", "");
        check(&[("https://a.example/", "__Secure-x=1")], "https://a.example/", "");
        check(&[("https://a.example/", "__Host-x=1; Secure")], "https://a.example/", "");
        check(
            &[("https://a.example/", "__Host-x=1; Secure; Path=/")],
            "https://a.example/",
            "__Host-x=1",
        );
    }

    #[test]
    fn cookies_end() {
        let from = "http://a.example/";
        for dead in [
            "x=; Max-Age=0",
            "x=; Max-Age=-1",
            "x=; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
            "x=; Expires=Thu, 01-Jan-1970 00:00:00 GMT",
            "x=; Max-Age=0; Expires=Thu, 01 Jan 2099 00:00:00 GMT",
        ] {
            check(&[(from, dead)], from, "");
            check(&[(from, "x=1"), (from, "y=2"), (from, dead)], from, "y=2");
        }
        for alive in [
            "x=1; Max-Age=60",
            "x=1; Max-Age=99999999999999999999",
            "x=1; Max-Age=nonsense",
            "x=1; Expires=Thu, 01 Jan 2099 00:00:00 GMT",
            "x=1; Expires=nonsense",
            "x=1; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
        ] {
            check(&[(from, alive)], from, "x=1");
        }
        let mut jar = Jar::default();
        jar.set(&url(from), "x=1; Max-Age=60", now());
        assert!(jar.header(&url(from), now() + Duration::from_secs(59)).is_some());
        assert!(jar.header(&url(from), now() + Duration::from_secs(60)).is_none());
        assert!(jar.header(&url(from), UNIX_EPOCH - Duration::from_secs(9)).is_some());
    }

    #[test]
    fn nonsense_is_no_cookie() {
        let long = format!("x={}", "1".repeat(MAX_LEN));
        for header in ["", "x", "=1", ";", "x=a\r\nb", "x=\0", "x=\u{e4}", "\u{7f}=1", &*long] {
            check(&[("http://a.example/", header)], "http://a.example/", "");
        }
        check(&[("http://a.example/", "x=")], "http://a.example/", "x=");
        check(&[("data:text/html,x", "x=1")], "data:text/html,x", "");
    }

    #[test]
    fn the_newest_are_kept() {
        let mut jar = Jar::default();
        let at = url("http://a.example/");
        for n in 0..MAX_PER_HOST + 2 {
            jar.set(&at, &format!("c{n}={n}"), now());
        }
        let header = jar.header(&at, now()).unwrap();
        assert_eq!(header.split("; ").count(), MAX_PER_HOST);
        assert!(header.starts_with("c2=2; c3=3;"));
        for n in 0..MAX_HOSTS {
            jar.set(&url(&format!("http://h{n}.example/")), "x=1", now());
        }
        assert_eq!((jar.hosts.len(), jar.order.len()), (MAX_HOSTS, MAX_HOSTS));
        assert_eq!(jar.header(&at, now()), None);
    }

    #[test]
    fn a_header_has_an_end() {
        let mut jar = Jar::default();
        let at = url("http://a.example/");
        for n in 0..MAX_PER_HOST {
            jar.set(&at, &format!("c{n}={}", "x".repeat(4_000)), now());
        }
        let header = jar.header(&at, now()).unwrap();
        assert!(header.len() <= MAX_HEADER_LEN && header.starts_with("c0="));
    }
}
