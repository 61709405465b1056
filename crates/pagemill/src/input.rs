//! Where pages come from: files, folders, patterns, lists, addresses of the web, web archives and stores of crawls.
//!
//! In come the INPUTs of a command line; out come [`InputPage`]s, one at a time, in an order that depends on nothing
//! but the inputs. What an INPUT is, is decided in this order:
//!
//! - `-` is a list of INPUTs, one a line, read from stdin.
//! - A folder is walked through, by name. It gives files that end in `.html`, `.htm`, `.xhtml` or `.warc`,
//!   each also with `.gz`. Hidden files and folders are left out, and links to folders are not followed.
//! - Any other path that exists is read, whatever its name. Gzip is unpacked. A web archive is known by its
//!   first bytes or by its name, the store of a crawl by its first bytes; anything else is one page.
//! - A path that does not exist and has one of `* ? [ {` in it is a pattern. It gives the files it matches; `**` goes
//!   into folders.
//! - What begins with `s3://` and is no path is an object of a store that speaks S3, if this build has the feature `s3`: an archive
//!   or a page. A folder (`s3://bucket/folder/`) and a pattern give those that are there.
//! - What begins with `http://` or `https://` and is no path is asked for, with the manners of a crawl (see [`crawl::Visitor`]).
//!
//! Archives give their HTML responses of status 200 to 299, and `resource` records of HTML. The [`StyleSheets`] in them are
//! there for those who look at pages.
//!
//! One bad input is one [`InputError`] among the pages, and the iteration goes on. At most one page is held. A page
//! whose body was cut off on its way into an archive is given as far as it goes, and an error follows it.
//! Parsing is left to [`page`].

mod archive;
mod error;
mod fields;
mod http;
mod list;
#[cfg(feature = "s3")]
mod objects;
#[cfg(not(feature = "s3"))]
#[path = "input/no_objects.rs"]
mod objects;
mod recorded;
mod sheets;
mod sniff;
mod store;
#[cfg(test)]
mod tests;
mod unpack;
mod walk;
mod web;

pub(crate) use error::reason;
pub use error::{BodyProblem, Damage, InputError, ListProblem};
pub use recorded::{Recorded, RecordedAnswer, answers};
pub use sheets::StyleSheets;
pub use web::Web;

use archive::{Archive, Wanted};
use list::List;
use objects::{Named, Object, Place};
use page::{Limits, Page, ParseConfig};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use store::StoredPages;
use unpack::Unpacked;
use url::Url;
use walk::Walk;

/// Larger pages are not read unless [`Pages::with_max_bytes`] says so. The largest pages met on the web have a few
/// dozen megabytes.
const MAX_BYTES: u64 = 64 << 20;

/// One page as it came, not yet parsed.
///
/// ```
/// use pagemill::InputPage;
///
/// let charset = Some("latin1".to_owned());
/// let page = InputPage { bytes: b"<p>caf\xE9".to_vec(), charset, ..InputPage::default() };
/// assert_eq!(page.parse().leaves().get(0).text, "café");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InputPage {
    /// What to call it: the path as it was given, or the URL of a page in an archive.
    pub id: String,
    /// Its bytes, without transfer and content encodings.
    pub bytes: Vec<u8>,
    /// The encoding that HTTP named, if any.
    pub charset: Option<String>,
    /// Where it was fetched from, if that is known.
    pub url: Option<String>,
}

impl InputPage {
    /// Parse the page, with the encoding that came with it.
    pub fn parse(&self) -> Page {
        page::parse_with(&self.bytes, &self.config())
    }

    /// How it is to be parsed.
    pub(crate) fn config(&self) -> ParseConfig {
        // How long a page may be was decided when it was read.
        let n_bytes = u32::try_from(self.bytes.len()).unwrap_or(u32::MAX);
        let limits = Limits::default();
        let limits = Limits { bytes: limits.bytes.max(n_bytes), ..limits };
        let mut config = ParseConfig::default().with_limits(limits);
        if let Some(charset) = &self.charset {
            config = config.with_charset(charset);
        }
        config
    }
}

/// The pages of some inputs. See the [module](self) for what an input may be.
///
/// ```
/// let mut pages = pagemill::input::pages(["../../corpus/odd/entities.html", "no-such.html"]);
/// assert_eq!(pages.next().unwrap()?.id, "../../corpus/odd/entities.html");
/// let error = pages.next().unwrap().unwrap_err();
/// assert_eq!(error.to_string(), r#"cannot read "no-such.html": no such file or folder"#);
/// assert!(pages.next().is_none());
/// # Ok::<(), pagemill::InputError>(())
/// ```
pub fn pages<I>(inputs: I) -> Pages
where
    I: IntoIterator,
    I::Item: Into<OsString>,
{
    let inputs: Vec<OsString> = inputs.into_iter().map(Into::into).collect();
    Pages {
        sources: vec![Source::Named(inputs.into_iter())],
        list: Some(Box::new(BufReader::new(io::stdin()))),
        wanted: Wanted::default(),
        web: Web::default(),
        max_bytes: MAX_BYTES,
    }
}

/// The addresses of the objects that are meant by a folder or pattern of an S3 store; the address itself, if it names one object.
pub fn objects(address: &str) -> Result<Vec<String>, InputError> {
    match Named::parse(address) {
        Some(Named::Several(place)) => objects::list(&place),
        _ => Ok(vec![address.to_owned()]),
    }
}

/// The iterator that [`pages`] gives.
pub struct Pages {
    /// What is being read, the innermost last: an archive in a folder in a list.
    sources: Vec<Source>,
    /// What `-` stands for, until it is used.
    list: Option<Box<dyn BufRead + Send>>,
    /// What archives are read for.
    wanted: Wanted,
    web: Web,
    max_bytes: u64,
}

/// Something that holds several inputs or pages.
enum Source {
    Named(std::vec::IntoIter<OsString>),
    List(List),
    Walk(Walk),
    Archive(Box<Archive>),
    Store(Box<StoredPages>),
    /// A page of the web, and what is wrong with it.
    Clipped(Option<InputPage>, Option<InputError>),
}

/// What comes out of a source.
enum Found {
    Input(OsString),
    File(PathBuf),
    Page(InputPage),
}

/// What an input turned out to be.
enum Opened {
    Page(InputPage),
    Source(Source),
}

impl Pages {
    /// Read the list that `-` stands for from elsewhere than stdin.
    #[must_use]
    pub fn with_list(mut self, list: impl BufRead + Send + 'static) -> Self {
        self.list = Some(Box::new(list));
        self
    }

    /// Ask for pages of the web together with other readers of them.
    #[must_use]
    pub fn with_web(mut self, web: Web) -> Self {
        self.web = web;
        self
    }

    /// Report pages with more bytes than this instead of reading them; the default is 64 MiB.
    #[must_use]
    pub fn with_max_bytes(mut self, max_bytes: u64) -> Self {
        self.max_bytes = max_bytes;
        self
    }

    fn open(&mut self, found: Found) -> Result<Opened, InputError> {
        match found {
            Found::Page(page) => Ok(Opened::Page(page)),
            Found::File(path) => self.open_file(path),
            Found::Input(input) if input == "-" => self.open_list(),
            Found::Input(input) => self.open_path(input.into()),
        }
    }

    fn open_list(&mut self) -> Result<Opened, InputError> {
        let list = self.list.take().ok_or(InputError::List(ListProblem::Spent))?;
        Ok(Opened::Source(Source::List(List::new(list))))
    }

    fn open_path(&self, path: PathBuf) -> Result<Opened, InputError> {
        match fs::metadata(&path) {
            Ok(metadata) if metadata.is_dir() => {
                Ok(Opened::Source(Source::Walk(Walk::folder(path))))
            }
            Ok(_) => self.open_file(path),
            Err(cause) => self.open_missing(path, cause),
        }
    }

    /// An input that is no path may be something else.
    fn open_missing(&self, path: PathBuf, cause: io::Error) -> Result<Opened, InputError> {
        let text = path.to_str().unwrap_or_default();
        match Named::parse(text) {
            Some(Named::Object(place)) => return self.open_object(path, &place),
            Some(Named::Several(place)) => {
                let addresses: Vec<OsString> =
                    objects::list(&place)?.into_iter().map(OsString::from).collect();
                return Ok(Opened::Source(Source::Named(addresses.into_iter())));
            }
            None => {}
        }
        if let Some(url) = web::address(text) {
            return self.open_web(&url);
        }
        if cause.kind() == io::ErrorKind::NotFound && text.contains(['*', '?', '[', '{']) {
            return Ok(Opened::Source(Source::Walk(Walk::pattern(text)?)));
        }
        Err(InputError::Read { path, cause })
    }

    fn open_web(&self, url: &Url) -> Result<Opened, InputError> {
        let (page, cut) = self.web.page(url, self.max_bytes)?;
        let Some(coding) = cut else { return Ok(Opened::Page(page)) };
        let problem = BodyProblem::CutOff(coding);
        let error = InputError::ClippedWeb { url: url.to_string(), problem };
        Ok(Opened::Source(Source::Clipped(Some(page), Some(error))))
    }

    fn open_object(&self, path: PathBuf, place: &Place) -> Result<Opened, InputError> {
        let object = Object::open(place)?;
        let len = object.len();
        self.opened(path, |path| {
            let bytes = Unpacked::new(object)?;
            self.read_bytes(path, bytes, len)
        })
    }

    fn open_file(&self, path: PathBuf) -> Result<Opened, InputError> {
        self.opened(path, |path| self.read_file(path))
    }

    /// What `read` gives, or why it gives nothing.
    fn opened(
        &self,
        path: PathBuf,
        read: impl FnOnce(&Path) -> io::Result<Option<Opened>>,
    ) -> Result<Opened, InputError> {
        match read(&path) {
            Ok(Some(opened)) => Ok(opened),
            Ok(None) => Err(InputError::TooLarge { page: name(&path), max_bytes: self.max_bytes }),
            Err(cause) if Damage::of(&cause) == Damage::Unreadable => {
                Err(InputError::Read { path, cause })
            }
            Err(_) => Err(InputError::Corrupt { path }),
        }
    }

    /// A page or an archive; none if it is too large.
    fn read_file(&self, path: &Path) -> io::Result<Option<Opened>> {
        let file = File::open(path)?;
        let metadata = file.metadata()?;
        let bytes = Unpacked::new(file)?;
        // What comes through a pipe can be read but once, and is no database.
        if metadata.is_file() && sniff::is_database_file(path)? {
            let pages = StoredPages::open(path, self.max_bytes);
            return Ok(Some(Opened::Source(Source::Store(Box::new(pages)))));
        }
        self.read_bytes(path, bytes, metadata.len())
    }

    /// What some bytes are: a page or an archive; none if it is too large.
    fn read_bytes(&self, path: &Path, mut bytes: Unpacked, len: u64) -> io::Result<Option<Opened>> {
        if sniff::is_archive(path, &mut bytes)? {
            let archive = Archive::new(path.to_owned(), bytes, self.wanted, self.max_bytes);
            return Ok(Some(Opened::Source(Source::Archive(Box::new(archive)))));
        }
        if !bytes.is_packed() && len > self.max_bytes {
            return Ok(None);
        }
        let bytes = read_bounded(bytes, len, self.max_bytes)?;
        let page = |bytes| InputPage { id: name(path), bytes, ..InputPage::default() };
        Ok(bytes.map(|bytes| Opened::Page(page(bytes))))
    }
}

impl Iterator for Pages {
    type Item = Result<InputPage, InputError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let Some(found) = self.sources.last_mut()?.next() else {
                self.sources.pop();
                continue;
            };
            match found.and_then(|found| self.open(found)) {
                Ok(Opened::Page(page)) => return Some(Ok(page)),
                Ok(Opened::Source(source)) => self.sources.push(source),
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

impl Source {
    fn next(&mut self) -> Option<Result<Found, InputError>> {
        match self {
            Source::Named(inputs) => inputs.next().map(|input| Ok(Found::Input(input))),
            Source::List(list) => list.next().map(|input| input.map(Found::Input)),
            Source::Walk(walk) => walk.next().map(|path| path.map(Found::File)),
            Source::Archive(archive) => archive.next().map(|page| page.map(Found::Page)),
            Source::Store(store) => store.next().map(|page| page.map(Found::Page)),
            Source::Clipped(page, error) => {
                page.take().map(|page| Ok(Found::Page(page))).or_else(|| error.take().map(Err))
            }
        }
    }
}

/// All bytes, unless there are more than allowed.
fn read_bounded(bytes: impl Read, expected: u64, max: u64) -> io::Result<Option<Vec<u8>>> {
    // One byte more than expected lets the end be seen without growing.
    let capacity = usize::try_from(expected.min(max).min(MAX_BYTES)).unwrap_or_default() + 1;
    let mut buffer = Vec::with_capacity(capacity);
    bytes.take(max.saturating_add(1)).read_to_end(&mut buffer)?;
    Ok((buffer.len() as u64 <= max).then_some(buffer))
}

fn name(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
