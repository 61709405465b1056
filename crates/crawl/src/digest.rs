//! An answer made into what is kept of it.

use crate::address;
use crate::failure::Failure;
use crate::fetch::{Answer, MAX_REDIRECTS};
use crate::focus::Focus;
use crate::links::{self, Link};
use crate::media::ContentType;
use crate::scope::Scope;
use crate::simhash::{Study, Usual};
use crate::sitemap;
use crate::store::{Candidate, Found, Job, Outcome, Stored};
use crate::traps::Limits;
use crate::unpack::{UnpackError, unpack, unpack_copy};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use page::Leaves;
use std::collections::{HashMap, HashSet};
use std::io::Write;
use std::sync::{Mutex, MutexGuard, PoisonError};
use url::Url;

/// What addresses of sitemaps are expected to be.
pub(crate) const SITEMAP: &str = "sitemap";

/// What all answers are judged by.
pub(crate) struct Digester {
    pub(crate) focus: Focus,
    pub(crate) scope: Scope,
    pub(crate) limits: Limits,
    pub(crate) max_unpacked: usize,
    /// Held by whoever works on a large page.
    pub(crate) large: Mutex<()>,
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
        // Lists of tens of thousands of addresses are longer than pages.
        let max = if is_sitemap { self.max_unpacked.saturating_mul(2) } else { self.max_unpacked };
        let (body, _turn) = self.unpack(&encodings, body, max)?;
        if is_sitemap {
            return Ok(Outcome::Listed(self.listed(body, &url)));
        }
        let kept = headers.iter().filter(|(name, _)| is_kept(name));
        let headers: String = kept.map(|(name, value)| format!("{name}: {value}\n")).collect();
        Ok(Outcome::Page(Box::new(self.page(job, &url, status, headers, &body))))
    }

    /// Unpack a body. A large one is worked on alone, until what is given beside it is dropped: together they could take more
    /// memory than any of them may.
    fn unpack(
        &self,
        encodings: &str,
        body: Vec<u8>,
        max: usize,
    ) -> Result<(Vec<u8>, Option<MutexGuard<'_, ()>>), Failure> {
        match unpack_copy(encodings, &body, LARGE.min(max)) {
            Err(UnpackError::TooLarge(_)) => {
                let turn = self.large.lock().unwrap_or_else(PoisonError::into_inner);
                Ok((unpack(encodings, body, max)?.bytes, Some(turn)))
            }
            unpacked => Ok((unpacked?.bytes, None)),
        }
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
        let media = crate::store::header(&headers, "content-type").unwrap_or_default();
        let config = page::ParseConfig::default();
        let config = match ContentType::parse(&media).charset {
            Some(charset) => config.with_charset(charset),
            None => config,
        };
        let page = page::parse_with(readable(body), &config);
        let leaves = page.leaves();
        let links = links::links(&page, url);
        let judgement = self.focus.judge((&page, &leaves), job.kind.as_deref(), job.depth, &links);
        let findings = match (&judgement.kind, judgement.n_members) {
            (Some(kind), Some(n)) => vec![(
                "set".to_owned(),
                serde_json::json!({ "kind": kind, "members": n }).to_string(),
            )],
            _ => Vec::new(),
        };
        let study = self.study(job, &leaves);
        Stored {
            url: url.to_string(),
            status,
            headers,
            body: pack(body),
            n_bytes: body.len(),
            hash: study.hash,
            texts: study.texts,
            words: judgement.words,
            like: None,
            kind: judgement.kind,
            title: links::title(&page),
            patterns: patterns(url),
            links: self.found(job, links, judgement.links),
            findings,
        }
    }

    /// What a page says that others of its host do not.
    fn study(&self, job: &Job, leaves: &Leaves) -> Study {
        // Nothing panics while these are held.
        let mut usual = self.usual.lock().unwrap_or_else(PoisonError::into_inner);
        let usual = usual.entry(job.host.clone()).or_default();
        if let Some(known) = &job.known {
            usual.forget(known.texts.iter().copied());
        }
        usual.study(leaves)
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
            true => {
                let max = self.max_unpacked.saturating_mul(2);
                unpack("gzip", body, max).map_or(Vec::new(), |it| it.bytes)
            }
            false => body,
        };
        let map = sitemap::read(&body, at);
        let pages = map.pages.into_iter().filter(|url| url.scheme() != "file");
        let pages = pages.filter_map(|url| {
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

/// A larger page is worked on alone.
const LARGE: usize = 256 << 10;
/// Of each page so much is read for links and what it is. All of it is kept.
const MAX_READ: usize = 2 << 20;
/// And so many tags: each takes some hundred bytes to look at, however short it is.
const MAX_TAGS: usize = 100_000;

/// The part of a page that is read: no page that people look at has more.
fn readable(body: &[u8]) -> &[u8] {
    let start = &body[..body.len().min(MAX_READ)];
    let end = start.iter().enumerate().filter(|(_, byte)| **byte == b'<').nth(MAX_TAGS);
    end.map_or(start, |(end, _)| &start[..end])
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
pub(crate) fn check_media(answer: &Answer) -> Result<(), Failure> {
    let media = ContentType::parse(answer.header("content-type").unwrap_or_default());
    match media.is_html() || media.essence.is_empty() {
        true => Ok(()),
        false => {
            let name = media.essence.to_ascii_lowercase();
            Err(Failure::Media(name.chars().take(60).collect()))
        }
    }
}

fn pack(body: &[u8]) -> Vec<u8> {
    let mut packer = ZlibEncoder::new(Vec::new(), Compression::new(3));
    // A vector takes all that is written to it.
    let _ = packer.write_all(body);
    packer.finish().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_read_as_far_as_anyone_would() {
        assert_eq!(readable(b"<p>One<p>Two"), b"<p>One<p>Two");
        assert_eq!(readable(&vec![b'x'; 3 * MAX_READ]).len(), MAX_READ);
        let tags = "<p>a".repeat(2 * MAX_TAGS);
        assert_eq!(readable(tags.as_bytes()).len(), 4 * MAX_TAGS);
    }
}
