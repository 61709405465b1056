//! Asking servers.

use super::{Answer, Asked, Files, Request};
use crate::cookies::Jar;
use crate::failure::Failure;
use crate::guard::{Guard, Refusal, causes};
use reqwest::header::{HeaderMap, HeaderValue};
use reqwest::{Certificate, Client, Proxy, Response};
use rustls::CertificateError;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};
use thiserror::Error;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use url::Url;

/// What one answer may cost.
#[derive(Debug, Clone)]
pub struct FetchLimits {
    /// A connection must stand after this time.
    pub connect: Duration,
    /// Bytes must come at least so often.
    pub read: Duration,
    /// All of it must be there after this time, so that nobody holds a place for long by sending a byte now and then.
    pub whole: Duration,
    /// Bytes of a body as they come.
    pub max_packed: usize,
    /// Bytes of a body once unpacked.
    pub max_unpacked: usize,
}

impl Default for FetchLimits {
    fn default() -> FetchLimits {
        FetchLimits {
            connect: Duration::from_secs(10),
            read: Duration::from_secs(15),
            whole: Duration::from_secs(60),
            max_packed: 4 << 20,
            max_unpacked: 8 << 20,
        }
    }
}

/// How servers are asked.
#[derive(Clone)]
pub struct NetworkConfig {
    /// Who asks, as servers see it.
    pub agent: String,
    /// What an answer may cost.
    pub limits: FetchLimits,
    /// Which addresses are connected to.
    pub guard: Guard,
    /// Ask for `https` pages in plain `http`: for recording proxies on this machine.
    pub is_plain: bool,
    /// Certificates of authorities to trust beside those of the system, in PEM.
    pub authorities: Vec<u8>,
    /// Files that may be asked for.
    pub files: Files,
    /// Who is asked for everything; where there is none, those that the environment names.
    pub proxy: Option<Url>,
}

/// Why servers cannot be asked at all.
#[derive(Debug, Error)]
#[error("cannot start the HTTP client: {0}")]
pub struct NetworkError(#[from] reqwest::Error);

/// Servers on the network.
pub struct Network {
    client: Client,
    config: NetworkConfig,
    jar: Mutex<Jar>,
    /// For bodies that are large: a few of them may come in at the same time, so that many hosts together cannot take more
    /// memory than some.
    large: Arc<Semaphore>,
}

/// A larger body waits for its turn to come in; few pages are as large.
const LARGE: usize = 256 << 10;
/// Large bodies that come in at the same time.
const MAX_LARGE: usize = 2;

impl Network {
    /// Be ready to ask.
    pub fn new(config: NetworkConfig) -> Result<Network, NetworkError> {
        // The first to install wins, and is the same.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let limits = &config.limits;
        let mut client = Client::builder()
            .user_agent(&config.agent)
            .redirect(reqwest::redirect::Policy::none())
            .dns_resolver(Arc::new(config.guard.clone()))
            .connect_timeout(limits.connect)
            .read_timeout(limits.read)
            .http2_max_header_list_size(256 << 10)
            .pool_idle_timeout(Duration::from_secs(30))
            .pool_max_idle_per_host(8)
            .default_headers(headers())
            .tls_certs_merge(Certificate::from_pem_bundle(&config.authorities)?);
        if let Some(proxy) = &config.proxy {
            client = client.proxy(Proxy::all(proxy.clone())?);
        }
        let client = client.build()?;
        let large = Arc::new(Semaphore::new(MAX_LARGE));
        Ok(Network { client, config, jar: Mutex::default(), large })
    }

    pub(super) async fn ask(&self, request: &Request<'_>) -> Result<Asked, Failure> {
        if request.url.scheme() == "file" {
            return Ok(self.config.files.answer(request.url, request.max_bytes)?.into());
        }
        self.config.guard.check(request.url).map_err(|_| Failure::Private)?;
        let asking = self.ask_and_read(request);
        tokio::time::timeout(self.config.limits.whole, asking)
            .await
            .unwrap_or(Err(Failure::TooSlow))
    }

    async fn ask_and_read(&self, request: &Request<'_>) -> Result<Asked, Failure> {
        let url = request.url;
        let mut asked = self.client.get(self.as_asked(url));
        if let Some(cookies) = self.with_jar(|jar| jar.header(url, SystemTime::now())) {
            asked = asked.header("cookie", cookies);
        }
        if let Some(known) = request.known {
            let fields = [("if-none-match", &known.etag), ("if-modified-since", &known.modified)];
            for (name, value) in fields {
                if let Some(value) = value.as_ref().and_then(|it| HeaderValue::from_str(it).ok()) {
                    asked = asked.header(name, value);
                }
            }
        }
        let response = asked.send().await.map_err(|error| failure(&error))?;
        let headers: Vec<(String, String)> = response
            .headers()
            .iter()
            .map(|(name, value)| {
                (name.to_string(), String::from_utf8_lossy(value.as_bytes()).into_owned())
            })
            .collect();
        let set = headers.iter().filter(|(name, _)| name == "set-cookie");
        self.with_jar(|jar| set.for_each(|(_, value)| jar.set(url, value, SystemTime::now())));
        let status = response.status().as_u16();
        let max = request.max_bytes.min(self.config.limits.max_packed);
        let (body, turn) = self.body(response, max, request.takes_start).await?;
        Ok(Asked { answer: Answer { url: url.clone(), status, headers, body }, turn })
    }

    async fn body(
        &self,
        mut response: Response,
        max: usize,
        takes_start: bool,
    ) -> Result<(Vec<u8>, Option<OwnedSemaphorePermit>), Failure> {
        let is_long = response.content_length().is_some_and(|length| length > max as u64);
        if is_long && !takes_start {
            return Err(Failure::TooLarge);
        }
        let mut body = Vec::new();
        let mut turn = None;
        while let Some(chunk) = response.chunk().await.map_err(|error| failure(&error))? {
            let n_bytes = body.len() + chunk.len();
            if n_bytes > max && takes_start {
                body.extend_from_slice(&chunk[..max - body.len()]);
                break;
            }
            if n_bytes > max {
                return Err(Failure::TooLarge);
            }
            if n_bytes > LARGE && turn.is_none() {
                // It is never closed.
                turn = Arc::clone(&self.large).acquire_owned().await.ok();
            }
            body.extend_from_slice(&chunk);
        }
        Ok((body, turn))
    }

    fn as_asked(&self, url: &Url) -> Url {
        let mut url = url.clone();
        if self.config.is_plain && url.scheme() == "https" {
            // Both are schemes of the same sort, so this cannot fail.
            let _ = url.set_scheme("http");
        }
        url
    }

    /// Nothing panics while the jar is held.
    fn with_jar<T>(&self, work: impl FnOnce(&mut Jar) -> T) -> T {
        work(&mut self.jar.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

fn headers() -> HeaderMap {
    let fields = [
        ("accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.5"),
        ("accept-encoding", "gzip, br, zstd, deflate"),
        ("accept-language", "en,*;q=0.5"),
    ];
    fields
        .into_iter()
        .map(|(name, value)| {
            (reqwest::header::HeaderName::from_static(name), HeaderValue::from_static(value))
        })
        .collect()
}

/// What an error of the client means, as far as can be told from its causes.
fn failure(error: &reqwest::Error) -> Failure {
    if Refusal::find(error).is_some() {
        return Failure::Private;
    }
    let mut is_dns = false;
    for cause in causes(error) {
        if let Some(error) = cause.downcast_ref::<rustls::Error>() {
            return of_tls(error);
        }
        let of_system = cause.downcast_ref::<io::Error>().map(io::Error::kind);
        if of_system == Some(io::ErrorKind::ConnectionRefused) {
            return Failure::Refused;
        }
        is_dns |= cause.to_string().contains("dns error");
    }
    match error {
        _ if error.is_timeout() && !error.is_connect() => Failure::Stalled,
        _ if is_dns => Failure::Unresolved,
        _ if error.is_connect() => Failure::Connect,
        _ => Failure::Broken,
    }
}

/// What is wrong with a certificate, in words.
fn of_tls(error: &rustls::Error) -> Failure {
    let rustls::Error::InvalidCertificate(error) = error else { return Failure::Tls };
    Failure::Certificate(match error {
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => "expired",
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
            "not valid yet"
        }
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            "for another name"
        }
        CertificateError::UnknownIssuer => "unknown issuer",
        CertificateError::Revoked => "revoked",
        CertificateError::BadSignature => "wrong signature",
        _ => "not understood",
    })
}
