//! Who may ask: the browser that was given the token, on this machine, from the studio's own page, and nobody else.
//!
//! Any page that the user has open elsewhere can send requests to this port. It cannot read answers, but it could act; a name server
//! under its control could even make it look local. So the name it asks by must be ours (`Host`), what asks must be our page
//! (`Origin`, `Sec-Fetch-Site`), and it must know the token, which is in the address that was printed and in a cookie from then on.

use crate::error::Refusal;
use axum::extract::{Request, State};
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::{Method, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::sync::Arc;

/// Programs may give the token so.
const TOKEN: HeaderName = HeaderName::from_static("x-pagemill-token");
const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// What the studio's own pages may do: nothing but run its script, use its style sheet, ask it, and frame its page views.
const APP_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; \
    frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The door of one start.
pub(crate) struct Guard {
    /// `127.0.0.1:4321` and `localhost:4321`.
    hosts: [String; 2],
    token: String,
    /// Cookies know no ports; two studios must not take each other's.
    cookie: String,
}

/// How a request has shown that it knows the token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pass {
    /// In the address: the first visit.
    Address,
    Cookie,
    Header,
}

impl Guard {
    pub(crate) fn new(port: u16, token: String) -> Guard {
        let hosts = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
        Guard { hosts, token, cookie: format!("pagemill_{port}") }
    }

    /// What a browser keeps; scripts do not see it, and it goes with no request that another site makes.
    fn cookie(&self) -> String {
        format!("{}={}; Path=/; HttpOnly; SameSite=Strict", self.cookie, self.token)
    }

    fn check(&self, method: &Method, uri: &Uri, headers: &HeaderMap) -> Result<Pass, Refusal> {
        if method != Method::GET && method != Method::POST {
            let status = StatusCode::METHOD_NOT_ALLOWED;
            let message = format!("{method} is not a thing to do here");
            return Err(Refusal { status, kind: "method", message });
        }
        self.check_host(uri, headers)?;
        let pass = self.pass(method, uri, headers)?;
        self.check_origin(method, headers, pass)?;
        Ok(pass)
    }

    fn check_host(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), Refusal> {
        let mut named = headers.get_all(header::HOST).iter();
        let is_ours = |name: &str| self.hosts.iter().any(|host| host == name);
        let is_fit = match (named.next().map(HeaderValue::to_str), named.next()) {
            (Some(Ok(host)), None) => is_ours(host),
            _ => false,
        };
        let is_uri_fit = uri.authority().is_none_or(|it| is_ours(it.as_str()));
        match is_fit && is_uri_fit {
            true => Ok(()),
            false => Err(Refusal::forbidden("this server answers on 127.0.0.1 only")),
        }
    }

    fn pass(&self, method: &Method, uri: &Uri, headers: &HeaderMap) -> Result<Pass, Refusal> {
        if let Some(token) = headers.get(TOKEN) {
            return match is_same(token.as_bytes(), self.token.as_bytes()) {
                true => Ok(Pass::Header),
                false => Err(unknown()),
            };
        }
        let mut parts = uri.query().unwrap_or_default().split('&');
        let asked = parts.find_map(|part| part.strip_prefix("token="));
        if let Some(token) = asked.filter(|_| method == Method::GET && uri.path() == "/") {
            return match is_same(token.as_bytes(), self.token.as_bytes()) {
                true => Ok(Pass::Address),
                false => Err(unknown()),
            };
        }
        let cookies = headers.get_all(header::COOKIE).iter().filter_map(|it| it.to_str().ok());
        let mut cookies =
            cookies.flat_map(|it| it.split(';')).filter_map(|it| it.trim().split_once('='));
        let own = cookies.find(|(name, _)| *name == self.cookie);
        match own.is_some_and(|(_, token)| is_same(token.as_bytes(), self.token.as_bytes())) {
            true => Ok(Pass::Cookie),
            false => Err(unknown()),
        }
    }

    /// A browser says where a request comes from. What says nothing and has a cookie may only read.
    fn check_origin(
        &self,
        method: &Method,
        headers: &HeaderMap,
        pass: Pass,
    ) -> Result<(), Refusal> {
        let foreign = || {
            Err(Refusal::forbidden("another site asked for this; only the studio's own page may"))
        };
        let mut origins = headers.get_all(header::ORIGIN).iter();
        let is_ours = |origin: &HeaderValue| {
            let name = origin.to_str().ok().and_then(|it| it.strip_prefix("http://"));
            name.is_some_and(|name| self.hosts.iter().any(|host| host == name))
        };
        match (origins.next(), origins.next()) {
            (None, _) if method == Method::POST && pass == Pass::Cookie => return foreign(),
            (None, _) => {}
            (Some(origin), None) if is_ours(origin) => {}
            _ => return foreign(),
        }
        let site = headers.get(FETCH_SITE).map(HeaderValue::as_bytes);
        match site {
            None | Some(b"same-origin" | b"none") => Ok(()),
            // The address may be clicked in a terminal that is itself a web page.
            Some(_) if pass == Pass::Address => Ok(()),
            Some(_) => foreign(),
        }
    }
}

fn unknown() -> Refusal {
    Refusal::forbidden(
        "open the address that pagemill studio printed when it started: it has a token, which this request lacks",
    )
}

/// Whether two texts are the same, in a time that does not tell where they differ.
fn is_same(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && a.iter().zip(b).fold(0, |all, (a, b)| all | (a ^ b)) == 0
}

/// A new token: 128 bits that nobody can guess.
pub(crate) fn token() -> std::io::Result<String> {
    let mut bytes = [0u8; 16];
    getrandom::fill(&mut bytes).map_err(|error| std::io::Error::other(error.to_string()))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// The layer around all routes.
pub(crate) async fn watch(
    State(guard): State<Arc<Guard>>,
    request: Request,
    next: Next,
) -> Response {
    let checked = guard.check(request.method(), request.uri(), request.headers());
    let mut response = match &checked {
        Ok(_) => next.run(request).await,
        Err(refusal) => refusal.clone().into_response(),
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, APP_POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ] {
        // A page view has a stricter policy of its own.
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    if checked == Ok(Pass::Address)
        && let Ok(cookie) = HeaderValue::from_str(&guard.cookie())
    {
        headers.insert(header::SET_COOKIE, cookie);
    }
    response
}
