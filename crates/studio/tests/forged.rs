//! Who is let in, and who is not.

use crate::harness::{Answer, Server};

/// A request with the lines of a browser's, some of which are others.
struct Forged<'s> {
    server: &'s Server,
    line: String,
    headers: Vec<(String, String)>,
    body: String,
}

impl<'s> Forged<'s> {
    /// What the studio's own page sends to read.
    fn reading(server: &'s Server) -> Forged<'s> {
        let (port, token) = (server.address.port, &server.address.token);
        let headers = [
            ("Host", format!("127.0.0.1:{port}")),
            ("Cookie", format!("pagemill_{port}={token}")),
            ("Sec-Fetch-Site", "same-origin".into()),
        ];
        let headers = headers.map(|(name, value)| (name.to_owned(), value)).to_vec();
        Forged { server, line: "GET /api/start".into(), headers, body: String::new() }
    }

    /// What it sends to change something.
    fn writing(server: &'s Server) -> Forged<'s> {
        let body = r#"{"name":"news"}"#.to_owned();
        let mut forged =
            Forged { line: "POST /api/label/schema".into(), body, ..Forged::reading(server) };
        forged.headers.push(("Origin".into(), format!("http://127.0.0.1:{}", server.address.port)));
        forged.headers.push(("Content-Type".into(), "application/json".into()));
        forged
    }

    fn line(mut self, line: &str) -> Self {
        self.line = line.to_owned();
        self
    }

    fn set(mut self, name: &str, value: &str) -> Self {
        self = self.without(name);
        self.add(name, value)
    }

    fn add(mut self, name: &str, value: &str) -> Self {
        let value = value
            .replace("PORT", &self.server.address.port.to_string())
            .replace("TOKEN", &self.server.address.token);
        self.headers.push((name.to_owned(), value));
        self
    }

    fn without(mut self, name: &str) -> Self {
        self.headers.retain(|it| it.0 != name);
        self
    }

    fn send(&self) -> Answer {
        let headers: String =
            self.headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        let length = self.body.len();
        self.server.send(&format!(
            "{} HTTP/1.1\r\n{headers}Connection: close\r\nContent-Length: {length}\r\n\r\n{}",
            self.line, self.body
        ))
    }
}

fn server() -> Server {
    Server::with("articles/pages")
}

#[test]
fn the_studios_own_page_is_let_in() {
    let server = server();
    let (reading, writing) = (Forged::reading(&server).send(), Forged::writing(&server).send());
    assert_eq!((reading.status, writing.status), (200, 200), "{}", writing.body);
    assert_eq!(Forged::reading(&server).set("Host", "localhost:PORT").send().status, 200);
    let first = Forged::reading(&server)
        .without("Cookie")
        .set("Sec-Fetch-Site", "none")
        .line(&format!("GET /?token={}", server.address.token))
        .send();
    assert_eq!(first.status, 200);
    assert!(
        first.head.contains("set-cookie: pagemill_")
            && first.head.contains("httponly; samesite=strict"),
        "{}",
        first.head
    );
    for part in [
        "default-src 'none'",
        "frame-ancestors 'none'",
        "nosniff",
        "no-referrer",
        "no-store",
        "same-origin",
    ] {
        assert!(first.head.contains(part), "{part}: {}", first.head);
    }
    let view = Forged::reading(&server).line("GET /view/0").send();
    assert!(
        view.head.contains("sandbox allow-same-origin") && view.head.contains("img-src data:"),
        "{}",
        view.head
    );
}

/// Nothing of what is open may be told to them, and nothing be done for them.
#[test]
fn forged_requests_are_refused() {
    let server = server();
    let (r, w) = (|| Forged::reading(&server), || Forged::writing(&server));
    let wrong = "0123456789abcdef0123456789abcdef";
    let all = [
        ("no host", r().without("Host")),
        ("a host that a name server points here", r().set("Host", "evil.example:PORT")),
        ("the host without its port", r().set("Host", "127.0.0.1")),
        ("another port", r().set("Host", "127.0.0.1:1")),
        ("a host that begins like ours", r().set("Host", "127.0.0.1:PORT.evil.example")),
        ("a host that ends like ours", r().set("Host", "evil.example@127.0.0.1:PORT")),
        ("another name of this machine", r().set("Host", "[::1]:PORT")),
        ("any address", r().set("Host", "0.0.0.0:PORT")),
        ("two hosts", r().add("Host", "evil.example")),
        ("an address with another host", r().line("GET http://evil.example/api/start")),
        ("another origin", w().set("Origin", "https://evil.example")),
        ("no origin, by a sandbox", w().set("Origin", "null")),
        ("another port of this machine", w().set("Origin", "http://127.0.0.1:1")),
        ("our origin with TLS", w().set("Origin", "https://127.0.0.1:PORT")),
        (
            "an origin that begins like ours",
            w().set("Origin", "http://127.0.0.1:PORT.evil.example"),
        ),
        ("two origins", w().add("Origin", "https://evil.example")),
        ("a change that does not say from where", w().without("Origin")),
        ("another site that reads", r().set("Sec-Fetch-Site", "cross-site")),
        ("another server of this machine that reads", r().set("Sec-Fetch-Site", "same-site")),
        ("another site that writes", w().set("Sec-Fetch-Site", "cross-site")),
        ("no token", r().without("Cookie")),
        ("a guess", r().set("Cookie", &format!("pagemill_PORT={wrong}"))),
        ("an empty token", r().set("Cookie", "pagemill_PORT=")),
        (
            "part of the token",
            r().set("Cookie", &format!("pagemill_PORT={}", &server.address.token[..16])),
        ),
        ("the token of another studio", r().set("Cookie", "pagemill_1=TOKEN")),
        ("a guess in the header beside the cookie", r().add("x-pagemill-token", wrong)),
        (
            "the token in the address of something else",
            r().without("Cookie").line(&format!("GET /api/start?token={}", server.address.token)),
        ),
        ("a guess in the address", r().without("Cookie").line(&format!("GET /?token={wrong}"))),
        (
            "a change by the token in the address",
            w().without("Cookie").line(&format!("POST /?token={}", server.address.token)),
        ),
        ("DELETE", w().line("DELETE /api/label")),
        ("PUT", w().line("PUT /api/label/schema")),
        (
            "OPTIONS, before a request of another site",
            r().set("Origin", "https://evil.example").line("OPTIONS /api/label/schema"),
        ),
        ("TRACE", r().line("TRACE /api/start")),
        ("a change by GET", r().line("GET /api/label/schema")),
        ("a change as a form sends it", w().set("Content-Type", "text/plain")),
        ("files of the system", r().line("GET /view/..%2f..%2fetc%2fpasswd")),
    ];
    assert!(all.len() >= 25);
    for (what, forged) in &all {
        let answer = forged.send();
        assert!((400..500).contains(&answer.status), "{what}: {} {}", answer.status, answer.body);
        assert!(!answer.head.contains("access-control"), "{what}: {}", answer.head);
        assert!(!answer.head.contains("set-cookie"), "{what}: {}", answer.head);
        assert!(!answer.body.contains(".html"), "{what}: {}", answer.body);
    }
    // Nobody has chosen a schema.
    assert_eq!(server.get("/api/label")["schema"], serde_json::Value::Null);
}

#[test]
fn what_is_too_large_or_no_json_is_refused() {
    let server = server();
    let large = Forged {
        body: format!(r#"{{"dtd":"{}"}}"#, "x".repeat(2 << 20)),
        ..Forged::writing(&server)
    };
    assert_eq!(large.send().status, 413);
    let broken = Forged { body: "{".into(), ..Forged::writing(&server) };
    assert_eq!(broken.send().status, 400);
    assert_eq!(Forged::reading(&server).line("GET /view/999").send().status, 404);
    assert_eq!(Forged::reading(&server).line("GET /nothing").send().status, 404);
}
