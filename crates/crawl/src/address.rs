//! Addresses of pages: what is asked for, when two of them mean the same page, and what shape they have.
//!
//! In come addresses as pages link to them; out come addresses without what only tells the server who came from where.
//! Whether an address may or should be fetched is for others to say. All of it is linear in the address.

use url::Url;

/// Longer addresses are the work of traps. Sitemaps and browsers draw the line nearby (2,048 bytes).
pub const MAX_LEN: usize = 2_000;
/// What is longer than this is refused unread, however much of it could be dropped.
const MAX_RAW_LEN: usize = 16 * MAX_LEN;
/// More names than any form has.
const MAX_NAMES: usize = 64;

/// Parameters that only follow people around, in lower case.
const TRACKING: [&str; 53] = [
    "__hsfp",
    "__hssc",
    "__hstc",
    "__s",
    "_bta_c",
    "_bta_tid",
    "_ga",
    "_gl",
    "_hsenc",
    "_hsmi",
    "_ke",
    "_openstat",
    "dclid",
    "dm_i",
    "ef_id",
    "epik",
    "fb_action_ids",
    "fb_action_types",
    "fb_ref",
    "fb_source",
    "fbclid",
    "gbraid",
    "gclid",
    "gclsrc",
    "guccounter",
    "guce_referrer",
    "guce_referrer_sig",
    "hsctatracking",
    "igsh",
    "igshid",
    "li_fat_id",
    "mc_cid",
    "mc_eid",
    "mkt_tok",
    "ml_subscriber",
    "ml_subscriber_hash",
    "msclkid",
    "oly_anon_id",
    "oly_enc_id",
    "pk_campaign",
    "pk_kwd",
    "rb_clickid",
    "s_kwcid",
    "srsltid",
    "trk_contact",
    "trk_msg",
    "ttclid",
    "twclid",
    "vero_conv",
    "vero_id",
    "wbraid",
    "wickedid",
    "yclid",
];
const TRACKING_PREFIXES: [&str; 5] = ["utm_", "hsa_", "matomo_", "mtm_", "piwik_"];

/// Names that mean a session and nothing else.
const SESSION_PREFIXES: [&str; 3] = ["phpsessid", "jsessionid", "aspsessionid"];
/// Names that may also mean a section, a shop or a season: their values decide.
const SESSION_NAMES: [&str; 9] =
    ["cfid", "cftoken", "s_id", "sessid", "session", "session_id", "sessionid", "sid", "zenid"];
/// As short as ids of sessions get; the numbers of ColdFusion are shorter.
const MIN_ID_LEN: usize = 16;
const MIN_COLDFUSION_LEN: usize = 5;

/// The address to ask for: without fragment, user, tracking and session. None if it is no address of a page.
///
/// ```
/// # use url::Url;
/// let url = Url::parse("https://me@shop.example/a;jsessionid=1F?utm_source=mail&page=2#top")?;
/// assert_eq!(crawl::address::tidy(&url).unwrap().as_str(), "https://shop.example/a?page=2");
/// # Ok::<(), url::ParseError>(())
/// ```
pub fn tidy(url: &Url) -> Option<Url> {
    if url.as_str().len() > MAX_RAW_LEN {
        return None;
    }
    match url.scheme() {
        "http" | "https" => {}
        "file" => return Some(url.clone()),
        _ => return None,
    }
    let mut url = url.clone();
    url.set_fragment(None);
    // Both fail only for addresses without a host, and those of HTTP have one.
    url.set_username("").ok()?;
    url.set_password(None).ok()?;
    if let Some(path) = without_sessions(url.path()) {
        url.set_path(&path);
    }
    if let Some(query) = url.query() {
        let kept = without_noise(query);
        url.set_query(Some(&*kept).filter(|query| !query.is_empty()));
    }
    (url.as_str().len() <= MAX_LEN).then_some(url)
}

/// What makes two addresses the same page: neither scheme nor `www.` nor the way it is spelled.
///
/// ```
/// # use url::Url;
/// let url = Url::parse("https://www.Shop.example:443/%7ejo/?q=a%20b")?;
/// assert_eq!(crawl::address::key(&url), "shop.example/~jo?q=a+b");
/// # Ok::<(), url::ParseError>(())
/// ```
pub fn key(url: &Url) -> String {
    let tidied = tidy(url);
    let url = tidied.as_ref().unwrap_or(url);
    let mut key = String::with_capacity(url.as_str().len());
    match url.scheme() {
        "http" | "https" => push_host(&mut key, url),
        // Nothing of another scheme may look like a page of the web.
        scheme => {
            key.push_str(scheme);
            key.push(':');
            push_host(&mut key, url);
        }
    }
    push_normal(&mut key, url.path().trim_end_matches('/'), "%20");
    let mut separator = '?';
    for parameter in parameters(url.query().unwrap_or_default()) {
        key.push(separator);
        push_normal(&mut key, parameter, "+");
        separator = '&';
    }
    key
}

/// The shape of an address, for counting what addresses of one shape yield: digits and long ids as `#`, parameters by
/// their names.
///
/// ```
/// # use url::Url;
/// let url = Url::parse("http://www.shop.example/item-12/p3.html?size=4&color=red")?;
/// assert_eq!(crawl::address::pattern(&url), "shop.example/item-#/p#.html?color&size");
/// # Ok::<(), url::ParseError>(())
/// ```
pub fn pattern(url: &Url) -> String {
    let mut pattern = String::new();
    push_host(&mut pattern, url);
    let path = cut(url.path(), MAX_LEN);
    for segment in path.trim_end_matches('/').split('/').skip(1) {
        pattern.push('/');
        pattern.push_str(&shape(segment));
    }
    let query = cut(url.query().unwrap_or_default(), MAX_LEN);
    // Fields of a list are one: `item[3]` is `item[#]`.
    let mut names: Vec<String> =
        parameters(query).map(name_of).map(shape).take(MAX_NAMES).collect();
    names.sort_unstable();
    names.dedup();
    let mut separator = '?';
    for name in names {
        pattern.push(separator);
        pattern.push_str(&name);
        separator = '&';
    }
    pattern
}

/// The host without `www.` and the dot of the root, in lower case.
pub fn bare_host(url: &Url) -> &str {
    bare_name(url.host_str().unwrap_or_default())
}

/// The same of a host's name.
pub(crate) fn bare_name(host: &str) -> &str {
    let host = host.strip_suffix('.').unwrap_or(host);
    // `www.com` is a name of its own.
    host.strip_prefix("www.").filter(|rest| rest.contains('.')).unwrap_or(host)
}

fn push_host(out: &mut String, url: &Url) {
    out.push_str(bare_host(url));
    if let Some(port) = url.port() {
        out.push(':');
        out.push_str(&port.to_string());
    }
}

fn cut(text: &str, max: usize) -> &str {
    // Addresses are ASCII once parsed, so any place is one between characters.
    text.get(..max).unwrap_or(text)
}

fn parameters(query: &str) -> impl Iterator<Item = &str> {
    query.split('&').filter(|parameter| !parameter.is_empty())
}

fn name_of(parameter: &str) -> &str {
    parameter.split('=').next().unwrap_or_default()
}

/// The query without what tracks or names a session.
fn without_noise(query: &str) -> String {
    let mut kept = String::with_capacity(query.len());
    for parameter in query.split('&').filter(|parameter| !is_noise(parameter)) {
        if !kept.is_empty() {
            kept.push('&');
        }
        kept.push_str(parameter);
    }
    kept
}

fn is_noise(parameter: &str) -> bool {
    let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
    let name = name.to_ascii_lowercase();
    let name = name.as_str();
    TRACKING.binary_search(&name).is_ok()
        || TRACKING_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
        || SESSION_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
        || (SESSION_NAMES.contains(&name) && is_session_value(name, value))
}

fn is_session_value(name: &str, value: &str) -> bool {
    let is_coldfusion = name.starts_with("cf");
    looks_like_id(value)
        || (is_coldfusion
            && value.len() >= MIN_COLDFUSION_LEN
            && value.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Long, of letters and digits, and both: neither a number nor words.
fn looks_like_id(value: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.,~!%".contains(&byte);
    value.len() >= MIN_ID_LEN
        && value.bytes().all(is_part)
        && value.bytes().any(|byte| byte.is_ascii_digit())
        && value.bytes().any(|byte| byte.is_ascii_alphabetic())
}

/// The path without `;jsessionid=…` and the `(S(…))` of ASP.NET; none if it has neither.
fn without_sessions(path: &str) -> Option<String> {
    if !path.contains(';') && !path.contains("(S(") {
        return None;
    }
    let mut kept = String::with_capacity(path.len());
    for segment in path.split('/').skip(1).filter(|segment| !is_aspnet_session(segment)) {
        kept.push('/');
        let mut parts = segment.split(';');
        kept.push_str(parts.next().unwrap_or_default());
        for part in parts.filter(|part| !is_noise(part)) {
            kept.push(';');
            kept.push_str(part);
        }
    }
    Some(kept)
}

fn is_aspnet_session(segment: &str) -> bool {
    let id = segment.strip_prefix("(S(").and_then(|rest| rest.strip_suffix("))"));
    id.is_some_and(|id| {
        id.len() >= MIN_ID_LEN && id.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

/// One spelling of percent-encoding (RFC 3986, section 6.2.2): unreserved characters bare, the rest in capitals.
fn push_normal(out: &mut String, text: &str, space: &str) {
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let encoded = (*first == b'%').then(|| hex_byte(tail)).flatten();
        rest = if encoded.is_some() { &tail[2..] } else { tail };
        match encoded {
            Some(b' ') => out.push_str(space),
            Some(byte) if is_unreserved(byte) => out.push(char::from(byte)),
            Some(byte) => push_encoded(out, byte),
            None if is_unreserved(*first) || is_reserved(*first) => out.push(char::from(*first)),
            None => push_encoded(out, *first),
        }
    }
}

/// The byte that two digits behind a `%` stand for.
fn hex_byte(digits: &[u8]) -> Option<u8> {
    let digit = |at: usize| char::from(*digits.get(at)?).to_digit(16);
    u8::try_from(digit(0)? * 16 + digit(1)?).ok()
}

fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~".contains(&byte)
}

fn is_reserved(byte: u8) -> bool {
    b":/?#[]@!$&'()*+,;=".contains(&byte)
}

fn push_encoded(out: &mut String, byte: u8) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    out.push('%');
    out.push(char::from(DIGITS[usize::from(byte >> 4)]));
    out.push(char::from(DIGITS[usize::from(byte & 15)]));
}

fn shape(segment: &str) -> String {
    if is_hex_id(segment) {
        return "#".to_owned();
    }
    let mut out = String::with_capacity(segment.len());
    let mut bytes = segment.bytes().peekable();
    while let Some(byte) = bytes.next() {
        if byte == b'%' {
            // The digits of an encoded letter are no number.
            out.push('%');
            (0..2).for_each(|_| out.extend(bytes.next().map(char::from)));
        } else if byte.is_ascii_digit() {
            out.push('#');
            while bytes.next_if(u8::is_ascii_digit).is_some() {}
        } else {
            out.push(char::from(byte));
        }
    }
    out
}

/// A checksum or a UUID, maybe with the ending of a file: as good as a number.
fn is_hex_id(segment: &str) -> bool {
    let id = segment.split('.').next().unwrap_or_default();
    id.len() >= MIN_ID_LEN
        && id.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
        && id.bytes().any(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests;
