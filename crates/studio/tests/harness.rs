//! A studio on a socket, and requests as texts.

use pagemill::input;
use serde_json::Value as Json;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::sync::mpsc;
use std::thread;
use studio::{Address, Config, Studio};
use tempfile::TempDir;

pub(crate) struct Server {
    pub(crate) address: Address,
    pub(crate) folder: TempDir,
}

/// What came back.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

pub(crate) fn corpus(name: &str) -> String {
    format!("{}/../../corpus/{name}", env!("CARGO_MANIFEST_DIR"))
}

pub(crate) fn news() -> (String, String) {
    ("news".into(), include_str!("../../../schemas/news.dtd").into())
}

impl Server {
    /// With the pages of a folder of the corpus.
    pub(crate) fn with(pages: &str) -> Server {
        let folder = TempDir::new().unwrap();
        let pages: Vec<_> = input::pages([corpus(pages)]).map(Result::unwrap).collect();
        Server::open(folder, Config { n_pages: pages.len(), pages, ..Config::default() })
    }

    pub(crate) fn open(folder: TempDir, config: Config) -> Server {
        let config = Config { folder: folder.path().to_owned(), schemas: vec![news()], ..config };
        let (told, ready) = mpsc::channel();
        let studio = Studio::open(config);
        thread::spawn(move || {
            studio::serve(studio, 0, |address| told.send(address.clone()).unwrap())
        });
        Server { address: ready.recv().unwrap(), folder }
    }

    pub(crate) fn send(&self, request: &str) -> Answer {
        let mut stream = TcpStream::connect(("127.0.0.1", self.address.port)).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|it| it.parse().ok()).unwrap_or(0);
        Answer { status, head: head.to_lowercase(), body: body.to_owned() }
    }

    /// As a program that knows the token.
    pub(crate) fn get(&self, path: &str) -> Json {
        self.ask("GET", path, "")
    }

    pub(crate) fn post(&self, path: &str, body: &Json) -> Json {
        self.ask("POST", path, &body.to_string())
    }

    fn ask(&self, method: &str, path: &str, body: &str) -> Json {
        let Address { port, token, .. } = &self.address;
        let length = body.len();
        let answer = self.send(&format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nx-pagemill-token: {token}\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
        ));
        let mut json: Json = serde_json::from_str(&answer.body).unwrap_or(Json::Null);
        if let Some(object) = json.as_object_mut().filter(|_| answer.status != 200) {
            object.insert("status".into(), answer.status.into());
        }
        json
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }
}
