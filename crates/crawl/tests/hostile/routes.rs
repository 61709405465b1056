//! Which path does what. `/` lists them all.
//!
//! | path | what it does |
//! |---|---|
//! | `/robots.txt` | what was set for the host; else by the start of its name: `deny.`, `error.`, `slow.`, `delay.`, `big.`, `loop.`, `gzip.`, `endless.` |
//! | `/endless`, `/endless/head`, `/endless/field` | a body, header lines, one header line without an end |
//! | `/bomb/CODING/MB` | `gzip`, `deflate`, `br` (64 MB, whatever is asked for), `zstd` |
//! | `/slow/head`, `/slow/body` | a byte each 200 ms |
//! | `/hang`, `/close`, `/garbage` | nothing at all, the end, no HTTP |
//! | `/length/long`, `/length/short`, `/length/two` | a wrong, or ambiguous, `Content-Length` |
//! | `/chunked/good`, `/chunked/broken`, `/chunked/huge`, `/chunked/cut` | chunks |
//! | `/redirect/loop`, `/redirect/chain/N`, `/redirect/grow`, `/redirect/to/ADDRESS`, `/redirect/inside/N` | redirects |
//! | `/link/to/ADDRESS` | a page that links there |
//! | `/status/N`, `/status/N/SECONDS`, `/flaky/N` | statuses, `Retry-After`, N times 503 and then a page |
//! | `/cookie` | a page for those who bring back a cookie, the way there for others |
//! | `/calendar/Y/M`, `/grow/`, `/session/N`, `/facets?…` | traps |
//! | `/site/N`, `/site/N/K` | a site of N pages, every one reachable |
//! | `/own/N/K` | the same as `/site/N/K`, with other words on each host |
//! | `/alike/K` | a site of 60 pages with a lot in common, some nearly the same as others |
//! | `/versioned/N` | a site of 12 pages with `ETag` or `Last-Modified`, of which every other changes when told to |
//! | `/patient/DATE` | 503 with `Retry-After` as a date in so many seconds, at first |
//! | `/cut` | half of a page, gzipped |
//! | `/heavy/KIND/MB` | `links`, `leaves`, `deep`, `attributes`, `words`: pages that cost to read, gzipped |
//! | `/sitemap.xml` | a map of `/site/100` |
//! | `/deep`, `/binary`, `/type/TYPE` | pages that are hard to read |

use super::{Next, PAUSE, Request, State, misbehave, page, respond, site};
use std::io::{self, Write};
use std::time::{Duration, SystemTime};

/// Addresses that no page may send anyone to.
const INSIDE: [&str; 10] = [
    "http://127.0.0.1:1/",
    "http://localhost:1/",
    "http://[::1]:1/",
    "http://2130706433:1/",
    "http://0x7f.1:1/",
    "http://169.254.169.254/latest/meta-data/",
    "http://10.0.0.1/",
    "http://[::ffff:10.0.0.1]/",
    "http://metadata.google.internal/",
    "file:///etc/passwd",
];

pub(super) fn answer(request: &Request, state: &State, out: &mut impl Write) -> io::Result<Next> {
    let (path, query) = request.path.split_once('?').unwrap_or((&request.path, ""));
    let parts: Vec<&str> = path.split('/').skip(1).collect();
    let number = |text: &str| text.parse().unwrap_or(0);
    match *parts {
        [""] => page(out, INDEX),
        ["robots.txt"] => robots(request, state, out),
        ["endless", ref kind @ ..] => {
            misbehave::endless(kind.first().copied().unwrap_or_default(), state, out)
        }
        ["bomb", coding, ref size @ ..] => {
            misbehave::bomb(coding, size.first().map_or(64, |size| number(size)), out)
        }
        ["slow", kind] => misbehave::slow(kind, state, out),
        ["hang"] => misbehave::hang(state),
        ["close"] => Ok(Next::Close),
        ["garbage"] => misbehave::garbage(out),
        ["length", kind] => misbehave::wrong_length(kind, out),
        ["chunked", kind] => misbehave::chunked(kind, out),
        ["redirect", "loop"] => redirect(out, "/redirect/loop"),
        ["redirect", "grow", ..] => redirect(out, &format!("{path}/more")),
        ["redirect", "chain", n] => match number(n) {
            0 => page(out, "<p>The end of the chain"),
            n => redirect(out, &format!("/redirect/chain/{}", n - 1)),
        },
        ["redirect", "inside", n] => redirect(out, INSIDE[number(n) as usize % INSIDE.len()]),
        ["redirect", "to", ..] => {
            redirect(out, request.path.strip_prefix("/redirect/to/").unwrap_or_default())
        }
        ["link", "to", ..] => {
            let to = request.path.strip_prefix("/link/to/").unwrap_or_default();
            page(out, &format!("<p>Elsewhere: <a href='{to}'>there</a>"))
        }
        ["status", status, ref seconds @ ..] => {
            let after = seconds.first().map(|it| it.replace("%20", " "));
            let after = after.map(|it| format!("Retry-After: {it}\r\n"));
            respond(out, number(status) as u16, &after.unwrap_or_default(), b"<p>No")
        }
        ["flaky", n] if state.n_asked(&request.path) <= number(n) as usize => {
            respond(out, 503, "Retry-After: 0\r\n", b"<p>Not yet")
        }
        ["flaky", _] => page(out, "<p>At last"),
        ["cookie"] if request.cookies.contains("passed=yes") => page(out, "<p>Welcome"),
        ["cookie"] => {
            respond(out, 302, "Set-Cookie: passed=yes; Path=/\r\nLocation: /cookie\r\n", b"")
        }
        ["calendar", year, month] => page(out, &site::calendar(number(year), number(month))),
        ["grow", ..] => page(out, &site::grow()),
        ["session", n] => page(out, &site::session(number(n), state.next_number())),
        ["facets"] => page(out, &site::facets(query)),
        ["site", n] => page(out, &site::page(number(n), 0)),
        ["site", n, k] if number(k) < number(n) => page(out, &site::page(number(n), number(k))),
        ["alike", k] if number(k) < 60 => page(out, &site::alike(number(k))),
        ["versioned", n] => versioned(request, number(n), state, out),
        ["patient", seconds] if state.n_asked(&request.path) < 2 => {
            let at = SystemTime::now() + Duration::from_secs(number(seconds));
            let at = httpdate::fmt_http_date(at);
            respond(out, 503, &format!("Retry-After: {at}\r\n"), b"<p>Later")
        }
        ["patient", _] => page(out, "<p>At last"),
        ["heavy", kind, size] => misbehave::heavy(kind, number(size), out),
        ["own", n, k] if number(k) < number(n) => {
            page(out, &site::own(&request.host, number(n), number(k)))
        }
        ["sitemap.xml"] => {
            let map = site::map(&request.host, state.port());
            respond(out, 200, "Content-Type: application/xml\r\n", map.as_bytes())
        }
        ["cut"] => misbehave::cut(out),
        ["deep"] => page(out, &"<div>".repeat(200_000)),
        ["binary"] => respond(out, 200, "Content-Type: text/html\r\n", &misbehave::noise(1 << 20)),
        ["type", ..] => {
            let kind = path.strip_prefix("/type/").unwrap_or_default();
            respond(out, 200, &format!("Content-Type: {kind}\r\n"), b"%PDF-1.4 and so on")
        }
        _ => respond(out, 404, "Content-Type: text/html\r\n", b"<p>Not here"),
    }
}

/// Pages whose server says which version they are, each third by its time.
fn versioned(
    request: &Request,
    number: u64,
    state: &State,
    out: &mut impl Write,
) -> io::Result<Next> {
    let version = if number.is_multiple_of(2) { state.version() } else { 0 };
    let tag = format!("\"{number}-{version}\"");
    let time = format!("Tue, 0{} Jan 2024 00:00:00 GMT", version % 9 + 1);
    let (field, is_known) = match number % 3 {
        0 => (format!("Last-Modified: {time}\r\n"), request.known.1 == time),
        _ => (format!("ETag: {tag}\r\n"), request.known.0 == tag),
    };
    if is_known {
        return respond(out, 304, &field, b"");
    }
    let fields = format!("Content-Type: text/html\r\n{field}");
    respond(out, 200, &fields, site::versioned(number, version).as_bytes())
}

fn redirect(out: &mut impl Write, to: &str) -> io::Result<Next> {
    respond(out, 302, &format!("Location: {to}\r\n"), b"")
}

fn robots(request: &Request, state: &State, out: &mut impl Write) -> io::Result<Next> {
    let text = "Content-Type: text/plain\r\n";
    if let Some((status, body)) = state.robots(&request.host) {
        return respond(out, status, text, body.as_bytes());
    }
    match request.host.split('.').next().unwrap_or_default() {
        "deny" => respond(out, 200, text, b"User-agent: *\nDisallow: /\n"),
        "error" => respond(out, 500, text, b""),
        "slow" => {
            state.pause(PAUSE * 100);
            Ok(Next::Close)
        }
        "delay" => respond(out, 200, text, b"User-agent: *\nCrawl-delay: 2\n"),
        "big" => {
            let rules: String = (0..40_000).map(|n| format!("Disallow: /no/{n}\n")).collect();
            respond(out, 200, text, format!("User-agent: *\n{rules}").as_bytes())
        }
        "loop" => redirect(out, "/robots.txt"),
        "gzip" => {
            let rules = misbehave::gzipped(&mut &b"User-agent: *\nDisallow: /site/50/1\n"[..])?;
            respond(out, 200, &format!("{text}Content-Encoding: gzip\r\n"), &rules)
        }
        "endless" => misbehave::endless("", state, out),
        _ => respond(out, 404, text, b""),
    }
}

/// Everything, for a crawl that falls into all of it.
const INDEX: &str = "<title>Hostile</title>
<a href=/endless>1</a> <a href=/endless/head>2</a> <a href=/endless/field>3</a>
<a href=/bomb/gzip/64>4</a> <a href=/bomb/deflate/64>5</a> <a href=/bomb/br>6</a> <a href=/bomb/zstd/64>7</a>
<a href=/slow/head>8</a> <a href=/slow/body>9</a> <a href=/hang>10</a> <a href=/close>11</a> <a href=/garbage>12</a>
<a href=/length/long>13</a> <a href=/length/short>14</a> <a href=/length/two>15</a>
<a href=/chunked/good>16</a> <a href=/chunked/broken>17</a> <a href=/chunked/huge>18</a> <a href=/chunked/cut>19</a>
<a href=/redirect/loop>20</a> <a href=/redirect/chain/3>21</a> <a href=/redirect/chain/99>22</a>
<a href=/redirect/grow>23</a> <a href=/redirect/inside/0>24</a> <a href=/redirect/inside/5>25</a>
<a href=/status/429/1>26</a> <a href=/status/503>27</a> <a href=/flaky/1>28</a> <a href=/cookie>29</a>
<a href=/calendar/2026/1>30</a> <a href=/grow/>31</a> <a href=/session/1>32</a> <a href=/facets>33</a>
<a href=/site/20>34</a> <a href=/deep>35</a> <a href=/binary>36</a> <a href=/type/application/pdf>37</a>
<a href=/missing>38</a> <a href=file:///etc/passwd>39</a> <a href=http://169.254.169.254/>40</a>";
