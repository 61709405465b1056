//! Web archives: the pages in a WARC file, or the style sheets.
//!
//! The reader takes what is there. A record that is damaged is passed over, and reading goes on at the next one that
//! can be found: at the next gzip member, or at the next line that starts a record. What was damaged
//! is said once, at the end. A record counts only once its gzip member was read to the end, because that is where gzip
//! tells of corrupt bytes.
//!
//! ISO 28500 (WARC 1.1); version 1.0 and the drafts before it differ in nothing that matters here.

use super::error::{BodyProblem, Damage, InputError};
use super::fields::Header;
use super::http::{Body, Response};
use super::sniff::looks_like_html;
use super::unpack::Unpacked;
use super::{InputPage, name, read_bounded};
use crawl::media::ContentType;
use std::io::{self, BufRead, Read};
use std::path::PathBuf;

/// How records start.
const VERSION: &str = "WARC/";

/// What is read of an archive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Wanted {
    #[default]
    Pages,
    StyleSheets,
    /// All responses, of any status and kind.
    Responses,
}

/// What a response says before its body.
#[derive(Debug, Clone)]
pub(super) struct Head {
    pub(super) status: u16,
    pub(super) fields: Vec<(String, String)>,
    /// When it came, as the archive has it.
    pub(super) date: Option<String>,
}

pub(super) struct Archive {
    path: PathBuf,
    bytes: Unpacked,
    wanted: Wanted,
    max_bytes: u64,
    /// Counted with the one being read.
    n_records: u64,
    has_given: bool,
    /// The first damage, and in which record.
    damage: Option<(Damage, u64)>,
    /// Damage behind the record that was given out last.
    ahead: Option<Damage>,
    /// What is wrong with the page that was given out last.
    clipped: Option<InputError>,
    /// What the response said before the body that was given out last.
    head: Option<Head>,
    is_done: bool,
}

type Item = Result<InputPage, InputError>;

/// A page's body and encoding, or why there are none.
type Content = Result<(Body, Option<String>), BodyProblem>;

/// What a record gives, if it is wanted.
type Given = Option<(Content, Option<Head>)>;

impl Archive {
    pub(super) fn new(path: PathBuf, bytes: Unpacked, wanted: Wanted, max_bytes: u64) -> Archive {
        Archive {
            path,
            bytes,
            wanted,
            max_bytes,
            n_records: 0,
            has_given: false,
            damage: None,
            ahead: None,
            clipped: None,
            head: None,
            is_done: false,
        }
    }

    pub(super) fn next(&mut self) -> Option<Item> {
        if let Some(error) = self.clipped.take() {
            return Some(Err(error));
        }
        while !self.is_done {
            let item = match self.record() {
                Ok(item) => item,
                Err(damage) => {
                    self.recover(damage);
                    None
                }
            };
            if item.is_some() {
                self.has_given = true;
                return item;
            }
        }
        self.last_word().map(Err)
    }

    /// What is to be said at the end, once.
    fn last_word(&mut self) -> Option<InputError> {
        let path = self.path.clone();
        let is_silent = std::mem::replace(&mut self.has_given, true);
        match self.damage.take() {
            Some((damage, record)) => Some(InputError::Damaged { path, damage, record }),
            None if is_silent => None,
            None => Some(InputError::EmptyArchive { path }),
        }
    }

    /// The page in the next record, if it has one.
    fn record(&mut self) -> Result<Option<Item>, Damage> {
        self.n_records += 1;
        if let Some(damage) = self.ahead.take() {
            return Err(damage);
        }
        if self.skip_blank_lines()? {
            if self.bytes.has_waste() {
                return Err(Damage::Corrupt);
            }
            self.is_done = true;
            return Ok(None);
        }
        let header = self.record_header()?;
        let length = header.get("content-length").and_then(|length| length.parse().ok());
        let mut block = (&mut self.bytes).take(length.ok_or(Damage::Malformed)?);
        let content = self.wanted.content(&header, &mut block, self.max_bytes)?;
        skip(&mut block)?;
        self.close_record()?;
        let Some((content, head)) = content else { return Ok(None) };
        self.head =
            head.map(|head| Head { date: header.get("warc-date").map(str::to_owned), ..head });
        Ok(Some(self.item(&header, content)))
    }

    /// What the response said before the body that was given out last.
    pub(super) fn head(&mut self) -> Option<Head> {
        self.head.take()
    }

    /// Look behind a record. Fails if that says that the record is not to be trusted.
    fn close_record(&mut self) -> Result<(), Damage> {
        let n_ended = self.bytes.n_ended();
        let Err(damage) = self.find_record() else { return Ok(()) };
        let is_whole = match damage {
            // Where the file is cut behind the record, all of the record was there; unless its member was cut before
            // and what followed was taken for its end.
            Damage::CutOff => !self.bytes.may_hide_member(),
            Damage::Malformed => true,
            Damage::Corrupt | Damage::Unreadable => false,
        };
        let has_ended = self.bytes.n_ended() > n_ended;
        if !is_whole && !has_ended {
            return Err(damage);
        }
        self.ahead = Some(damage);
        Ok(())
    }

    /// Go to the next record or the end of the file, which should be right here. What is in between may be what corrupt
    /// bytes were unpacked to, so it is read up to where that would show.
    fn find_record(&mut self) -> Result<(), Damage> {
        if self.skip_blank_lines()? || self.is_at_version()? {
            return Ok(());
        }
        self.skip_to_version()?;
        Err(Damage::Malformed)
    }

    fn record_header(&mut self) -> Result<Header, Damage> {
        let is_record = self.is_at_version()?;
        let header = if is_record { Header::read(&mut self.bytes, VERSION)? } else { None };
        match header {
            Some(header) => Ok(header),
            None if is_record && self.bytes.fill_buf()?.is_empty() => Err(Damage::CutOff),
            None => Err(Damage::Malformed),
        }
    }

    /// As far as the buffer tells.
    fn is_at_version(&mut self) -> Result<bool, Damage> {
        let buffer = self.bytes.fill_buf()?;
        let n_known = buffer.len().min(VERSION.len());
        Ok(n_known > 0 && buffer[..n_known] == VERSION.as_bytes()[..n_known])
    }

    /// Says whether the file ends there.
    fn skip_blank_lines(&mut self) -> Result<bool, Damage> {
        loop {
            let buffer = self.bytes.fill_buf()?;
            let n_blank = buffer.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
            let (is_end, is_blank) = (buffer.is_empty(), n_blank == buffer.len());
            self.bytes.consume(n_blank);
            if is_end || !is_blank {
                return Ok(is_end);
            }
        }
    }

    /// Note a damage and go where the next record may be.
    fn recover(&mut self, damage: Damage) {
        self.damage.get_or_insert((damage, self.n_records));
        let is_found = match damage {
            Damage::Malformed => match self.skip_to_version() {
                Ok(is_found) => is_found || self.next_member(),
                Err(_) => self.next_member(),
            },
            // Unpacking that ran from one member into others may meet the end of the file before it fails.
            Damage::Corrupt | Damage::CutOff => self.next_member(),
            Damage::Unreadable => false,
        };
        self.is_done = !is_found;
    }

    fn next_member(&mut self) -> bool {
        self.bytes.next_member().unwrap_or(false)
    }

    /// Leave out lines until one starts a record. Says whether there is one.
    fn skip_to_version(&mut self) -> Result<bool, Damage> {
        while !self.is_at_version()? {
            if self.bytes.skip_until(b'\n')? == 0 {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn item(&mut self, header: &Header, content: Content) -> Item {
        let url = header.get("warc-target-uri").map(|url| url.trim_matches(['<', '>']).to_owned());
        let id = url.clone().unwrap_or_else(|| format!("{}#{}", name(&self.path), self.n_records));
        let archive = self.path.clone();
        match content {
            Ok((body, charset)) => {
                self.clipped = body.cut.map(|problem| InputError::Clipped {
                    page: id.clone(),
                    archive,
                    problem,
                });
                Ok(InputPage { id, bytes: body.bytes, charset, url })
            }
            Err(BodyProblem::TooLarge(max_bytes)) => {
                Err(InputError::TooLarge { page: id, max_bytes })
            }
            Err(problem) => Err(InputError::Body { page: id, archive, problem }),
        }
    }
}

impl Wanted {
    /// What a record holds of it; none if the record is about something else.
    fn content(self, header: &Header, block: &mut impl BufRead, max: u64) -> Result<Given, Damage> {
        let alone = |content: Option<Content>| content.map(|content| (content, None));
        match header.get("warc-type") {
            Some("response") if self == Wanted::Responses => any_response(block, max),
            Some("response") => Ok(alone(self.response(block, max)?)),
            Some("resource") => Ok(alone(self.resource(header, block, max)?)),
            _ => Ok(None),
        }
    }

    fn is_of(self, content_type: &ContentType<'_>) -> bool {
        match self {
            Wanted::Pages => content_type.is_html(),
            Wanted::StyleSheets => content_type.is_css(),
            Wanted::Responses => true,
        }
    }

    fn resource(
        self,
        header: &Header,
        block: &mut impl BufRead,
        max: u64,
    ) -> Result<Option<Content>, Damage> {
        let content_type = ContentType::parse(header.get("content-type").unwrap_or_default());
        if !self.is_of(&content_type) {
            return Ok(None);
        }
        let Some(bytes) = read_bounded(block, 0, max)? else {
            return Ok(Some(Err(BodyProblem::TooLarge(max))));
        };
        let body = Body { bytes, cut: None };
        Ok(Some(Ok((body, content_type.charset.map(str::to_owned)))))
    }

    fn response(self, block: &mut impl BufRead, max: u64) -> Result<Option<Content>, Damage> {
        let Some(response) = Response::read(block)? else { return Ok(None) };
        let content_type = response.content_type();
        // What says nothing of itself may be a page; browsers take no such style sheet.
        let may_be = match &content_type {
            Some(content_type) => self.is_of(content_type),
            None => self == Wanted::Pages,
        };
        if !response.is_success() || !may_be {
            return Ok(None);
        }
        let body = match read_bounded(block, 0, max)? {
            Some(body) => response.decode(body, max),
            None => Err(BodyProblem::TooLarge(max)),
        };
        match (body, content_type) {
            (Ok(body), Some(content_type)) => {
                Ok(Some(Ok((body, content_type.charset.map(str::to_owned)))))
            }
            (Ok(body), None) => Ok(looks_like_html(&body.bytes).then_some(Ok((body, None)))),
            // What cannot be read and does not say that it is HTML most likely is not.
            (Err(_), None) => Ok(None),
            (Err(problem), Some(_)) => Ok(Some(Err(problem))),
        }
    }
}

fn any_response(block: &mut impl BufRead, max: u64) -> Result<Given, Damage> {
    let Some(response) = Response::read(block)? else { return Ok(None) };
    let body = match read_bounded(block, 0, max)? {
        Some(body) => response.decode(body, max),
        None => Err(BodyProblem::TooLarge(max)),
    };
    let head = Head { status: response.status(), fields: response.fields().to_vec(), date: None };
    Ok(Some((body.map(|body| (body, None)), Some(head))))
}

/// Read over the rest of a block, all of which has to be there.
fn skip(block: &mut io::Take<&mut Unpacked>) -> Result<(), Damage> {
    io::copy(block, &mut io::sink())?;
    if block.limit() > 0 { Err(Damage::CutOff) } else { Ok(()) }
}

impl From<io::Error> for Damage {
    fn from(error: io::Error) -> Damage {
        Damage::of(&error)
    }
}
