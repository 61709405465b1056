//! Web archives as places to ask: what was answered once is answered again.

use super::archive::{Archive, Head, Wanted};
use super::unpack::Unpacked;
use super::{Damage, InputError, MAX_BYTES};
use crawl::{Answer, address};
use std::collections::HashMap;
use std::fs::File;
use std::path::Path;
use url::Url;

/// An answer of an archive.
#[derive(Debug, Clone)]
pub struct RecordedAnswer {
    /// What was answered. Its body is unpacked, and its headers say so.
    pub answer: Answer,
    /// When, as the archive has it.
    pub date: Option<String>,
}

/// All answers in an archive, in order. What is damaged is passed over and told of.
pub fn answers(
    path: &Path,
) -> Result<impl Iterator<Item = Result<RecordedAnswer, InputError>>, InputError> {
    let failed = |cause: std::io::Error| match Damage::of(&cause) {
        Damage::Unreadable => InputError::Read { path: path.to_owned(), cause },
        _ => InputError::Corrupt { path: path.to_owned() },
    };
    let bytes = File::open(path).and_then(Unpacked::new).map_err(failed)?;
    let mut archive = Archive::new(path.to_owned(), bytes, Wanted::Responses, MAX_BYTES);
    Ok(std::iter::from_fn(move || {
        loop {
            match archive.next()? {
                Err(error) => return Some(Err(error)),
                Ok(page) => {
                    let head = archive.head();
                    let url = page.url.as_deref().and_then(|url| Url::parse(url).ok());
                    if let (Some(head), Some(url)) = (head, url) {
                        return Some(Ok(recorded(url, head, page.bytes)));
                    }
                }
            }
        }
    }))
}

fn recorded(url: Url, head: Head, body: Vec<u8>) -> RecordedAnswer {
    let on_the_way = ["content-encoding", "content-length", "transfer-encoding"];
    let headers = head.fields.into_iter().filter(|(name, _)| !on_the_way.contains(&name.as_str()));
    let answer = Answer { url, status: head.status, headers: headers.collect(), body };
    RecordedAnswer { answer, date: head.date }
}

/// The answers of an archive by address. Where one was recorded more than once, the last is given.
#[derive(Debug, Default)]
pub struct Recorded {
    by_key: HashMap<String, Answer>,
}

impl Recorded {
    /// Read an archive. What is damaged is given beside it.
    pub fn read(path: &Path) -> Result<(Recorded, Vec<InputError>), InputError> {
        let mut recorded = Recorded::default();
        let mut damages = Vec::new();
        for answer in answers(path)? {
            match answer {
                Ok(RecordedAnswer { answer, .. }) => {
                    recorded.by_key.insert(address::key(&answer.url), answer);
                }
                Err(error) => damages.push(error),
            }
        }
        Ok((recorded, damages))
    }

    /// How many addresses it has answers for.
    pub fn len(&self) -> usize {
        self.by_key.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.by_key.is_empty()
    }
}

impl crawl::Archive for Recorded {
    fn answer(&self, url: &Url) -> Option<Answer> {
        let answer = self.by_key.get(&address::key(url))?;
        Some(Answer { url: url.clone(), ..answer.clone() })
    }
}
