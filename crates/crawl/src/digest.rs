//! An answer made into what is kept of it.

use crate::address;
use crate::failure::Failure;
use crate::fetch::{Answer, MAX_REDIRECTS};
use crate::focus::Focus;
use crate::links::{self, Link};
use crate::scope::Scope;
use crate::simhash::Usual;
use crate::sitemap;
use crate::store::{Candidate, Found, Job, Outcome, Stored};
use crate::traps::Limits;
use crate::unpack::{UnpackError, unpack};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use std::collections::{HashMap, HashSet};
use std::io::Write;
use std::sync::{Mutex, PoisonError};
use url::Url;

/// What addresses of sitemaps are expected to be.
pub(crate) const SITEMAP: &str = "sitemap";

/// What all answers are judged by.
pub(crate) struct Digester {
    pub(crate) focus: Focus,
    pub(crate) scope: Scope,
    pub(crate) limits: Limits,
    pub(crate) max_unpacked: usize,
    /// By host: what its pages usually say, which does not make them alike.
    pub(crate) usual: Mutex<HashMap<String, Usual>>,
}

impl Digester {
    pub(crate) fn digest(&self, job: &Job, answer: Answer) -> Result<Outcome, Failure> {
        if answer.status == 304 && job.known.is_some() {
            return Ok(Outcome::Unchanged);
        }
        if let Some(place) = answer.moved_to() {
            return self.moved(job, place?);
        }
        if !(200..300).contains(&answer.status) {
            return Err(Failure::Status(answer.status));
        }
        let is_sitemap = job.kind.as_deref() == Some(SITEMAP);
        if !is_sitemap {
            check_media(&answer)?;
        }
        let encodings = answer.header("content-encoding").unwrap_or("").to_owned();
        let Answer { url, status, headers, body } = answer;
        let body = unpack(&encodings, body, self.max_unpacked).map_err(|error| match error {
            UnpackError::TooLarge(_) => Failure::TooLarge,
            UnpackError::Unknown(name) => Failure::Encoding(name),
            UnpackError::TooMany => Failure::Encoding(encodings.chars().take(60).collect()),
            UnpackError::Broken(_) => Failure::Broken,
        })?;
        let body = body.bytes;
        if is_sitemap {
            return Ok(Outcome::Listed(self.listed(body, &url)));
        }
        let kept = headers.iter().filter(|(name, _)| is_kept(name));
        let headers: String = kept.map(|(name, value)| format!("{name}: {value}\n")).collect();
        Ok(Outcome::Page(Box::new(self.page(job, &url, status, headers, &body))))
    }

    fn moved(&self, job: &Job, place: Url) -> Result<Outcome, Failure> {
        let hops = job.hops + 1;
        if hops > MAX_REDIRECTS {
            return Err(Failure::Redirects);
        }
        let to = Candidate {
            hops,
            found_on: Some(job.id),
            ..self
                .candidate(place, job.priority, job.depth, job.kind.clone())
                .ok_or(Failure::Nowhere)?
        };
        Ok(Outcome::Moved(Box::new(Found { to, text: String::new() })))
    }

    fn page(&self, job: &Job, url: &Url, status: u16, headers: String, body: &[u8]) -> Stored {
        let charset = crate::store::header(&headers, "content-type").and_then(|it| charset(&it));
        let config = page::ParseConfig::default();
        let config = charset.map_or(config.clone(), |it| config.with_charset(it));
        let page = page::parse_with(body, &config);
        let links = links::links(&page, url);
        let judgement = self.focus.judge(&page, job.kind.as_deref(), job.depth, &links);
        let findings = match (&judgement.kind, judgement.n_members) {
            (Some(kind), Some(n)) => vec![(
                "set".to_owned(),
                serde_json::json!({ "kind": kind, "members": n }).to_string(),
            )],
            _ => Vec::new(),
        };
        Stored {
            url: url.to_string(),
            status,
            headers,
            body: pack(body),
            n_bytes: body.len(),
            hash: self.hash(job, &page),
            like: None,
            kind: judgement.kind,
            title: links::title(&page),
            patterns: patterns(url),
            links: self.found(job, links, judgement.links),
            findings,
        }
    }

    /// What a page says that others of its host do not.
    fn hash(&self, job: &Job, page: &page::Page) -> Option<u64> {
        // Nothing panics while these are held.
        let mut usual = self.usual.lock().unwrap_or_else(PoisonError::into_inner);
        usual.entry(job.host.clone()).or_default().hash(page)
    }

    /// Each place once, as the link has it that is worth most.
    fn found(&self, job: &Job, links: Vec<Link>, worths: Vec<(f64, Option<String>)>) -> Vec<Found> {
        let mut found: Vec<Found> = Vec::new();
        let mut met: HashSet<(String, String)> = HashSet::new();
        for (link, (worth, kind)) in links.into_iter().zip(worths) {
            let Some(to) = self.candidate(link.url, worth, job.depth + 1, kind) else { continue };
            if met.insert((address::key(&to.url), link.text.clone())) {
                let to = Candidate { found_on: Some(job.id), ..to };
                found.push(Found { to, text: link.text });
            }
        }
        found
    }

    fn listed(&self, body: Vec<u8>, at: &Url) -> Vec<Candidate> {
        // `sitemap.xml.gz` is packed without a header that says so.
        let is_packed = body.starts_with(&[0x1F, 0x8B]);
        let body = match is_packed {
            true => unpack("gzip", body, self.max_unpacked).map_or(Vec::new(), |it| it.bytes),
            false => body,
        };
        let map = sitemap::read(&body, at);
        let pages = map.pages.into_iter().filter_map(|url| {
            let (worth, kind) = self.focus.listed(&url);
            self.candidate(url, worth, 1, kind)
        });
        let maps = map.maps.into_iter().take(MAX_MAPS).filter_map(|url| self.sitemap(url));
        maps.chain(pages).collect()
    }

    /// A sitemap as something to ask for, if it is in scope.
    pub(crate) fn sitemap(&self, url: Url) -> Option<Candidate> {
        let candidate = self.candidate(url, SITEMAP_FIRST, 0, Some(SITEMAP.to_owned()))?;
        candidate.refused.is_none().then_some(candidate)
    }

    pub(crate) fn candidate(
        &self,
        url: Url,
        priority: f64,
        depth: u32,
        kind: Option<String>,
    ) -> Option<Candidate> {
        let url = address::tidy(&url)?;
        let refused = match self.limits.judge(&url, depth) {
            _ if !self.scope.has(&url) => Some("out of scope".to_owned()),
            Some(trap) => Some(trap.to_string()),
            None => None,
        };
        Some(Candidate { url, priority, depth, hops: 0, kind, found_on: None, refused })
    }
}

/// Sitemaps come before pages.
const SITEMAP_FIRST: f64 = 1e5;
/// Maps of one map.
const MAX_MAPS: usize = 100;

/// Headers that say nothing of the page, and those that say what only was true on the way.
fn is_kept(name: &str) -> bool {
    let dropped =
        ["set-cookie", "content-encoding", "content-length", "transfer-encoding", "connection"];
    !dropped.iter().any(|it| name.eq_ignore_ascii_case(it))
}

/// The shapes of an address that are counted: with the names of its parameters and, as filters on top of filters have endless
/// shapes, without.
pub(crate) fn patterns(url: &Url) -> Vec<String> {
    let whole = address::pattern(url);
    let path = whole.split_once('?').map(|(path, _)| format!("{path}?*"));
    std::iter::once(whole.clone()).chain(path).collect()
}

/// What is no page is not worth its bytes.
fn check_media(answer: &Answer) -> Result<(), Failure> {
    let Some(media) = answer.header("content-type") else { return Ok(()) };
    let name = media.split(';').next().unwrap_or("").trim().to_ascii_lowercase();
    match name.as_str() {
        "" | "text/html" | "application/xhtml+xml" => Ok(()),
        _ => Err(Failure::Media(name.chars().take(60).collect())),
    }
}

fn charset(media: &str) -> Option<String> {
    let mut fields = media.split(';').skip(1).filter_map(|it| it.split_once('='));
    let (_, value) = fields.find(|(name, _)| name.trim().eq_ignore_ascii_case("charset"))?;
    Some(value.trim().trim_matches(['"', '\'']).to_owned())
}

fn pack(body: &[u8]) -> Vec<u8> {
    let mut packer = ZlibEncoder::new(Vec::new(), Compression::new(3));
    // A vector takes all that is written to it.
    let _ = packer.write_all(body);
    packer.finish().unwrap_or_default()
}
