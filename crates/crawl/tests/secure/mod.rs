//! A server of HTTP over TLS, in both versions, that says what was asked of it; and a proxy that only passes bytes on.
//!
//! The certificates beside this file are of an authority made for it, whose key is gone. `good` is for `secure.example` and what
//! is below it, `expired` was until 2020, `other` is for another name; `server.key` is the key of all three.

// Each test uses a part of it.
#![allow(dead_code, unreachable_pub)]

use bytes::Bytes;
use h2::server::SendResponse;
use http::Response;
use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use std::io::{BufRead, BufReader, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::runtime::Runtime;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

pub const AUTHORITY: &[u8] = include_bytes!("authority.pem");
pub const GOOD: &[u8] = include_bytes!("good.pem");
pub const EXPIRED: &[u8] = include_bytes!("expired.pem");
pub const OTHER: &[u8] = include_bytes!("other.pem");
const KEY: &[u8] = include_bytes!("server.key");

/// Both versions of HTTP, the newer first.
pub const BOTH: &[&str] = &["h2", "http/1.1"];

/// A running server. It stops when dropped.
pub struct SecureServer {
    address: SocketAddr,
    hits: Hits,
    runtime: Option<Runtime>,
}

/// What was asked for, each with the version of HTTP.
type Hits = Arc<Mutex<Vec<(String, String)>>>;

type Secured = TlsStream<tokio::net::TcpStream>;

impl SecureServer {
    /// A server that shows a certificate and speaks some versions of HTTP.
    pub fn start(certificate: &[u8], versions: &[&str]) -> SecureServer {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let certificates = vec![CertificateDer::from_pem_slice(certificate).unwrap()];
        let mut config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(certificates, PrivateKeyDer::from_pem_slice(KEY).unwrap())
            .unwrap();
        config.alpn_protocols = versions.iter().map(|it| it.as_bytes().to_vec()).collect();
        let acceptor = TlsAcceptor::from(Arc::new(config));
        let hits = Hits::default();
        let listener = runtime.block_on(tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)));
        let listener = listener.unwrap();
        let address = listener.local_addr().unwrap();
        runtime.spawn(accept(listener, acceptor, Arc::clone(&hits)));
        SecureServer { address, hits, runtime: Some(runtime) }
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// An address of a page, by a name of the certificate.
    pub fn url(&self, path: &str) -> String {
        format!("https://secure.example:{}{path}", self.address.port())
    }

    /// What was asked for so far, sorted: version and path.
    pub fn hits(&self) -> Vec<(String, String)> {
        let mut hits = self.hits.lock().unwrap_or_else(PoisonError::into_inner).clone();
        hits.sort();
        hits
    }
}

impl Drop for SecureServer {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

async fn accept(listener: tokio::net::TcpListener, acceptor: TlsAcceptor, hits: Hits) {
    while let Ok((stream, _)) = listener.accept().await {
        let (acceptor, hits) = (acceptor.clone(), Arc::clone(&hits));
        tokio::spawn(async move {
            // That a client does not trust it is what some tests are about.
            let Ok(stream) = acceptor.accept(stream).await else { return };
            match stream.get_ref().1.alpn_protocol() {
                Some(b"h2") => serve_2(stream, &hits).await,
                _ => serve_1(stream, &hits).await,
            }
        });
    }
}

fn note(hits: &Hits, version: &str, path: &str) {
    let mut hits = hits.lock().unwrap_or_else(PoisonError::into_inner);
    hits.push((version.to_owned(), path.to_owned()));
}

/// A page that leads to the next ones; none where there is none.
fn page(path: &str) -> Option<String> {
    let n: u64 = path.strip_prefix("/page/")?.parse().ok()?;
    let words: String = (0..40).map(|nth| format!("word{} ", (n * 41 + nth * 7) % 97)).collect();
    let next = (n + 1..=n + 2).filter(|next| *next < 10);
    let links: String = next.map(|next| format!("<a href=/page/{next}>{next}</a>")).collect();
    Some(format!("<title>{n}</title><p>{words}{links}"))
}

async fn serve_1(mut stream: Secured, hits: &Hits) {
    let mut head = Vec::new();
    while let Ok(byte) = stream.read_u8().await {
        head.push(byte);
        if !head.ends_with(b"\r\n\r\n") {
            continue;
        }
        let text = String::from_utf8_lossy(&head).into_owned();
        let path = text.split(' ').nth(1).unwrap_or_default();
        note(hits, "1.1", path);
        let (status, body) = page(path).map_or((404, String::new()), |page| (200, page));
        let n_bytes = body.len();
        let answer = format!(
            "HTTP/1.1 {status} X\r\nContent-Type: text/html\r\nContent-Length: {n_bytes}\r\n\r\n{body}"
        );
        if stream.write_all(answer.as_bytes()).await.is_err() {
            return;
        }
        let _ = stream.flush().await;
        head.clear();
    }
}

async fn serve_2(stream: Secured, hits: &Hits) {
    let Ok(mut connection) = h2::server::handshake(stream).await else { return };
    while let Some(Ok((request, answer))) = connection.accept().await {
        let path = request.uri().path().to_owned();
        note(hits, "2", &path);
        tokio::spawn(async move {
            // A client that hangs up is as good as one that reads.
            let _ = answer_2(&path, answer).await;
        });
    }
}

async fn answer_2(path: &str, mut answer: SendResponse<Bytes>) -> Result<(), h2::Error> {
    let html = Response::builder().header("content-type", "text/html");
    let build = |builder: http::response::Builder| builder.body(()).unwrap_or_default();
    match path {
        "/endless" => {
            let mut body = answer.send_response(build(html), false)?;
            loop {
                body.reserve_capacity(16 << 10);
                std::future::poll_fn(|context| body.poll_capacity(context)).await.transpose()?;
                let n_bytes = body.capacity();
                body.send_data(Bytes::from(vec![b'x'; n_bytes.clamp(1, 16 << 10)]), false)?;
            }
        }
        "/head" => {
            let much = "x".repeat(4_000);
            let names = (0..100).map(|nth| format!("x-more-{nth}"));
            let builder = names.fold(html, |builder, name| builder.header(name, &much));
            answer.send_response(build(builder), true).map(drop)
        }
        "/reset" => {
            let mut body = answer.send_response(build(html), false)?;
            body.send_data(Bytes::from_static(b"<p>Half"), false)?;
            body.send_reset(h2::Reason::INTERNAL_ERROR);
            Ok(())
        }
        "/hang" => {
            tokio::time::sleep(Duration::from_secs(60)).await;
            Ok(())
        }
        _ => match page(path) {
            Some(page) => {
                let mut body = answer.send_response(build(html), false)?;
                body.send_data(Bytes::from(page), true)
            }
            None => answer.send_response(build(html.status(404)), true).map(drop),
        },
    }
}

/// A proxy for TLS: it connects whoever asks to one server, whatever the name, and passes bytes on.
pub struct Tunnel {
    address: SocketAddr,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Tunnel {
    pub fn start(to: SocketAddr) -> Tunnel {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let asked: Arc<Mutex<Vec<String>>> = Arc::default();
        let shared = Arc::clone(&asked);
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let asked = Arc::clone(&shared);
                thread::spawn(move || pass_on(client, to, &asked));
            }
        });
        Tunnel { address, asked }
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Who was asked for.
    pub fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

fn pass_on(client: TcpStream, to: SocketAddr, asked: &Mutex<Vec<String>>) -> Option<()> {
    let mut reader = BufReader::new(client.try_clone().ok()?);
    let mut first = String::new();
    reader.read_line(&mut first).ok()?;
    let mut line = String::new();
    while reader.read_line(&mut line).ok()? > 2 {
        line.clear();
    }
    let target = first.strip_prefix("CONNECT ")?.split(' ').next()?.to_owned();
    asked.lock().unwrap_or_else(PoisonError::into_inner).push(target);
    let mut client_out = client;
    client_out.write_all(b"HTTP/1.1 200 Connected\r\n\r\n").ok()?;
    let server = TcpStream::connect(to).ok()?;
    let mut server_out = server.try_clone().ok()?;
    let mut server_in = server;
    thread::spawn(move || {
        let _ = std::io::copy(&mut server_in, &mut client_out);
        let _ = client_out.shutdown(std::net::Shutdown::Both);
    });
    let _ = std::io::copy(&mut reader, &mut server_out);
    server_out.shutdown(std::net::Shutdown::Both).ok()
}
