//! A server of everything that servers do to crawlers, and of plain sites to measure with.
//!
//! In come requests; out comes what their path asks for: see [`routes`]. Each connection has a thread, and each request
//! is written down with its host and time, so that tests can ask for gaps. What never ends, ends with the server.

// Each test uses a part of it.
#![allow(dead_code, unreachable_pub)]

mod misbehave;
mod routes;
mod site;

use std::collections::HashMap;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// A longer head is nobody's we want to answer.
const MAX_HEAD_LEN: u64 = 64 << 10;
/// How long a connection may be idle: no test takes longer.
const IDLE: Duration = Duration::from_secs(60);
/// What slow answers send a byte per.
pub const PAUSE: Duration = Duration::from_millis(200);

/// A running server. It stops when dropped.
pub struct Server {
    address: SocketAddr,
    state: Arc<State>,
}

/// A request that came in.
#[derive(Clone, Debug)]
pub struct Hit {
    /// When its head was read.
    pub at: Instant,
    /// As the client said, without the port.
    pub host: String,
    /// With the query.
    pub path: String,
    /// The client's name.
    pub agent: String,
    /// Whether it said which page it knows.
    pub is_conditional: bool,
}

/// What connections share.
pub(crate) struct State {
    is_over: AtomicBool,
    hits: Mutex<Vec<Hit>>,
    /// What `/robots.txt` answers, by host.
    robots: Mutex<HashMap<String, (u16, String)>>,
    /// For sessions: numbers that differ each time.
    n_given: AtomicU64,
    /// How often pages changed.
    version: AtomicU64,
    port: u16,
}

/// The head of a request.
pub(crate) struct Request {
    pub(crate) host: String,
    pub(crate) path: String,
    pub(crate) agent: String,
    pub(crate) cookies: String,
    /// `If-None-Match` and `If-Modified-Since`.
    pub(crate) known: (String, String),
    pub(crate) is_kept_alive: bool,
}

/// What becomes of a connection.
pub(crate) enum Next {
    Keep,
    Close,
}

impl Server {
    /// A server on a free port of this machine.
    pub fn start() -> io::Result<Server> {
        Server::start_at(0)
    }

    /// A server on a port.
    pub fn start_at(port: u16) -> io::Result<Server> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        let address = listener.local_addr()?;
        let state = Arc::new(State {
            is_over: AtomicBool::new(false),
            hits: Mutex::default(),
            robots: Mutex::default(),
            n_given: AtomicU64::new(0),
            version: AtomicU64::new(0),
            port: address.port(),
        });
        let shared = Arc::clone(&state);
        thread::spawn(move || accept(&listener, &shared));
        Ok(Server { address, state })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The address of one of its pages.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// What `/robots.txt` of a host says from now on.
    pub fn set_robots(&self, host: &str, status: u16, body: &str) {
        lock(&self.state.robots).insert(host.to_owned(), (status, body.to_owned()));
    }

    /// Change some of the pages below `/versioned`.
    pub fn change(&self) {
        self.state.version.fetch_add(1, Ordering::Relaxed);
    }

    /// All requests so far, in their order.
    pub fn hits(&self) -> Vec<Hit> {
        lock(&self.state.hits).clone()
    }

    /// How many requests there were for paths that start so.
    pub fn n_hits(&self, start: &str) -> usize {
        lock(&self.state.hits).iter().filter(|hit| hit.path.starts_with(start)).count()
    }

    /// The times between the requests to one host.
    pub fn gaps(&self, host: &str) -> Vec<Duration> {
        let hits = lock(&self.state.hits);
        let times: Vec<Instant> =
            hits.iter().filter(|hit| hit.host == host).map(|hit| hit.at).collect();
        times.windows(2).map(|pair| pair[1] - pair[0]).collect()
    }

    /// Forget the requests so far.
    pub fn forget(&self) {
        lock(&self.state.hits).clear();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.state.is_over.store(true, Ordering::Relaxed);
        // It waits for the next connection, and this is one.
        let _ = TcpStream::connect(self.address);
    }
}

impl State {
    pub(crate) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }

    /// Wait; says whether to go on.
    pub(crate) fn pause(&self, pause: Duration) -> bool {
        let end = Instant::now() + pause;
        while Instant::now() < end && !self.is_over() {
            thread::sleep(Duration::from_millis(10).min(pause));
        }
        !self.is_over()
    }

    pub(crate) fn robots(&self, host: &str) -> Option<(u16, String)> {
        lock(&self.robots).get(host).cloned()
    }

    pub(crate) fn version(&self) -> u64 {
        self.version.load(Ordering::Relaxed)
    }

    pub(crate) fn next_number(&self) -> u64 {
        self.n_given.fetch_add(1, Ordering::Relaxed)
    }

    /// How often a path was asked for, this time included.
    pub(crate) fn n_asked(&self, path: &str) -> usize {
        lock(&self.hits).iter().filter(|hit| hit.path == path).count()
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn accept(listener: &TcpListener, state: &Arc<State>) {
    for connection in listener.incoming() {
        if state.is_over() {
            return;
        }
        let Ok(connection) = connection else { continue };
        let state = Arc::clone(state);
        // That a client hangs up is what many tests are about.
        thread::spawn(move || _ = serve(connection, &state));
    }
}

fn serve(connection: TcpStream, state: &State) -> io::Result<()> {
    connection.set_read_timeout(Some(IDLE))?;
    connection.set_write_timeout(Some(IDLE))?;
    connection.set_nodelay(true)?;
    let mut reader = BufReader::new(connection.try_clone()?);
    let mut writer = connection;
    while let Some(request) = Request::read(&mut reader)? {
        lock(&state.hits).push(Hit {
            at: Instant::now(),
            host: request.host.clone(),
            path: request.path.clone(),
            agent: request.agent.clone(),
            is_conditional: request.known != Default::default(),
        });
        let next = routes::answer(&request, state, &mut writer)?;
        if matches!(next, Next::Close) || !request.is_kept_alive || state.is_over() {
            break;
        }
    }
    writer.flush()
}

impl Request {
    /// None at the end of the connection, and for what is no request.
    fn read(reader: &mut impl BufRead) -> io::Result<Option<Request>> {
        let mut lines = reader.take(MAX_HEAD_LEN).lines();
        let Some(first) = lines.next().transpose()? else { return Ok(None) };
        let mut words = first.split(' ');
        let (Some(_), Some(target), Some(version)) = (words.next(), words.next(), words.next())
        else {
            return Ok(None);
        };
        let mut request = Request {
            host: String::new(),
            path: path_of(target),
            agent: String::new(),
            cookies: String::new(),
            known: Default::default(),
            is_kept_alive: version == "HTTP/1.1",
        };
        for line in lines {
            let line = line?;
            let Some((name, value)) = line.split_once(':') else { break };
            request.field(&name.to_ascii_lowercase(), value.trim());
        }
        Ok(Some(request))
    }

    fn field(&mut self, name: &str, value: &str) {
        match name {
            "host" => value.split(':').next().unwrap_or_default().clone_into(&mut self.host),
            "user-agent" => value.clone_into(&mut self.agent),
            "cookie" => value.clone_into(&mut self.cookies),
            "if-none-match" => value.clone_into(&mut self.known.0),
            "if-modified-since" => value.clone_into(&mut self.known.1),
            "connection" => self.is_kept_alive &= !value.eq_ignore_ascii_case("close"),
            _ => {}
        }
    }
}

/// As a proxy it is asked for whole addresses.
fn path_of(target: &str) -> String {
    let behind =
        target.strip_prefix("http://").and_then(|rest| rest.find('/').map(|at| &rest[at..]));
    behind.unwrap_or(target).to_owned()
}

/// A plain answer.
pub(crate) fn respond(
    out: &mut impl Write,
    status: u16,
    fields: &str,
    body: &[u8],
) -> io::Result<Next> {
    let n_bytes = body.len();
    let head = format!("HTTP/1.1 {status} X\r\nContent-Length: {n_bytes}\r\n{fields}\r\n");
    out.write_all(&[head.as_bytes(), body].concat())?;
    Ok(Next::Keep)
}

/// A plain page.
pub(crate) fn page(out: &mut impl Write, body: &str) -> io::Result<Next> {
    respond(out, 200, "Content-Type: text/html; charset=utf-8\r\n", body.as_bytes())
}
