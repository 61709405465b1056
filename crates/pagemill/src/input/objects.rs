//! Objects in stores that speak S3, read as files are.
//!
//! `s3://bucket/key` is an object, `s3://bucket/folder/` all pages and archives below, and a key with `*` a pattern. An object is read
//! from its start to its end in parts: one is worked on while the next is fetched, and no more are held. What breaks off is asked for
//! again from where it broke, and an object that is replaced meanwhile is an error, not a mixture.
//!
//! Who asks, and where, is told by the variables of the environment that other tools for S3 go by.

use super::error::InputError;
use super::sniff::is_database;
use super::walk::has_ending;
use futures_util::StreamExt as _;
use globset::GlobBuilder;
use object_store::aws::{AmazonS3, AmazonS3Builder, AmazonS3ConfigKey};
use object_store::path::Path as Key;
use object_store::{ClientOptions, GetOptions, GetRange, ObjectStore as _, RetryConfig};
use std::io::{self, Cursor, Read};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::{self, Runtime};
use tokio::task::JoinHandle;

/// So many bytes are asked for at a time: fewer cost time on the way, more cost memory.
const PART_LEN: u64 = 4 << 20;
/// How often a request is made again, and for how long, before it is an error.
const RETRIES: usize = 6;
const PATIENCE: Duration = Duration::from_secs(60);
/// A server that says nothing for so long has gone.
const SILENCE: Duration = Duration::from_secs(20);

/// What an address names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Named {
    /// One object.
    Object(Place),
    /// All objects of some names.
    Several(Place),
}

/// A bucket and a key, or the start of some.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    bucket: String,
    key: String,
}

const PATTERN: [char; 4] = ['*', '?', '[', '{'];

impl Named {
    /// What an address that begins with `s3://`, or as Hadoop has it with `s3a://`, names.
    pub(super) fn parse(address: &str) -> Option<Named> {
        let rest = address.strip_prefix("s3://").or_else(|| address.strip_prefix("s3a://"))?;
        let (bucket, key) = rest.split_once('/').unwrap_or((rest, ""));
        let place = Place { bucket: bucket.to_owned(), key: key.to_owned() };
        let is_several = key.is_empty() || key.ends_with('/') || key.contains(PATTERN);
        Some(if is_several { Named::Several(place) } else { Named::Object(place) })
    }
}

/// The addresses of all objects that are meant, by name. Of a folder they are those that end as pages and archives do.
pub(super) fn list(place: &Place) -> Result<Vec<String>, InputError> {
    let shown = place.to_string();
    let failed = |error| failed(&shown, &error);
    let first = place.key.find(PATTERN);
    let folder = match first {
        Some(first) => &place.key[..place.key[..first].rfind('/').map_or(0, |at| at + 1)],
        None => &place.key,
    };
    let wanted = first.map(|_| GlobBuilder::new(&place.key).literal_separator(true).build());
    let wanted = wanted.transpose().map_err(|error| InputError::BadPattern {
        pattern: shown.clone(),
        reason: error.kind().to_string(),
    })?;
    let wanted = wanted.map(|glob| glob.compile_matcher());
    let is_wanted = |key: &str| match &wanted {
        Some(matcher) => matcher.is_match(key),
        None => has_ending(Path::new(key)),
    };
    let store = place.store().map_err(failed)?;
    let folder = Key::parse(folder).map_err(|error| failed(error.into()))?;
    let keys = runtime().map_err(|cause| unread(&shown, cause))?.block_on(async {
        let (mut keys, mut found) = (Vec::new(), store.list(Some(&folder)));
        while let Some(object) = found.next().await {
            keys.push(object?.location.to_string());
        }
        Ok(keys)
    });
    let mut keys: Vec<String> = keys.map_err(failed)?;
    keys.retain(|key| is_wanted(key));
    keys.sort();
    match (keys.is_empty(), first) {
        (true, Some(_)) => Err(InputError::NoMatch { pattern: shown }),
        (true, None) => Err(InputError::EmptyFolder { path: shown.into() }),
        _ => Ok(keys.iter().map(|key| format!("s3://{}/{key}", place.bucket)).collect()),
    }
}

impl Place {
    fn store(&self) -> object_store::Result<AmazonS3> {
        if self.bucket.is_empty() {
            let source = "it names no bucket: s3://bucket/key is expected".into();
            return Err(object_store::Error::Generic { store: "S3", source });
        }
        // Whoever was first has chosen for the process.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let retry =
            RetryConfig { max_retries: RETRIES, retry_timeout: PATIENCE, ..RetryConfig::default() };
        let builder = AmazonS3Builder::from_env().with_bucket_name(&self.bucket).with_retry(retry);
        // Whoever names a server without TLS means it.
        let endpoint = builder.get_config_value(&AmazonS3ConfigKey::Endpoint).unwrap_or_default();
        // A part may take as long as it likes, as long as it comes.
        let options = ClientOptions::new()
            .with_allow_http(endpoint.starts_with("http://"))
            .with_timeout_disabled()
            .with_read_timeout(SILENCE);
        builder.with_client_options(options).build()
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "s3://{}/{}", self.bucket, self.key)
    }
}

/// An object while it is read.
pub(super) struct Object {
    source: Arc<Source>,
    /// A thread of its own: parts are fetched while others are worked on. None when it is dropped.
    runtime: Option<Runtime>,
    /// What is worked on.
    part: Cursor<Vec<u8>>,
    /// What is fetched meanwhile.
    next: Option<JoinHandle<object_store::Result<Vec<u8>>>>,
    /// Where what has not been asked for begins.
    position: u64,
    len: u64,
}

/// Where parts come from.
struct Source {
    store: AmazonS3,
    key: Key,
    /// What the server calls this version of it, so that all parts are of one.
    tag: Option<String>,
}

impl Object {
    /// Ask for the beginning of an object.
    pub(super) fn open(place: &Place) -> Result<Object, InputError> {
        let shown = place.to_string();
        let begin = || {
            let key = Key::parse(&place.key)?;
            Ok(Source { store: place.store()?, key, tag: None })
        };
        let mut source = begin().map_err(|error| failed(&shown, &error))?;
        let runtime = runtime().map_err(|cause| unread(&shown, cause))?;
        let (first, tag, len) =
            runtime.block_on(source.first()).map_err(|error| failed(&shown, &error))?;
        if is_database(&first) {
            let reason = "the store of a crawl is read from a file: copy it first".to_owned();
            return Err(InputError::Object { address: shown, reason });
        }
        source.tag = tag;
        let position = first.len() as u64;
        let mut object = Object {
            source: Arc::new(source),
            runtime: Some(runtime),
            part: Cursor::new(first),
            next: None,
            position,
            len,
        };
        object.ask();
        Ok(object)
    }

    /// How many bytes it has.
    pub(super) fn len(&self) -> u64 {
        self.len
    }

    /// Have the next part fetched.
    fn ask(&mut self) {
        let range = self.position..self.len.min(self.position + PART_LEN);
        let Some(runtime) = self.runtime.as_ref().filter(|_| !range.is_empty()) else { return };
        self.position = range.end;
        let source = Arc::clone(&self.source);
        self.next = Some(runtime.spawn(async move { source.part(range).await }));
    }

    /// Wait for the next part; false at the end.
    fn go_on(&mut self) -> io::Result<bool> {
        let (Some(next), Some(runtime)) = (self.next.take(), &self.runtime) else {
            return Ok(false);
        };
        let part = runtime.block_on(next).map_err(io::Error::other)?.map_err(io::Error::other)?;
        self.part = Cursor::new(part);
        self.ask();
        Ok(true)
    }
}

impl Source {
    /// The first part, what its version is called, and how long the object is.
    async fn first(&self) -> object_store::Result<(Vec<u8>, Option<String>, u64)> {
        let options =
            GetOptions { range: Some(GetRange::Bounded(0..PART_LEN)), ..Default::default() };
        let got = match self.store.get_opts(&self.key, options).await {
            // Nothing of an empty object can be asked for by range.
            Err(object_store::Error::Generic { .. }) => {
                self.store.get_opts(&self.key, GetOptions::default()).await?
            }
            got => got?,
        };
        let (tag, len) = (got.meta.e_tag.clone(), got.meta.size);
        Ok((got.bytes().await?.into(), tag, len))
    }

    async fn part(&self, range: std::ops::Range<u64>) -> object_store::Result<Vec<u8>> {
        let range = Some(GetRange::Bounded(range));
        let options = GetOptions { range, if_match: self.tag.clone(), ..Default::default() };
        Ok(self.store.get_opts(&self.key, options).await?.bytes().await?.into())
    }
}

impl Read for Object {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let n_bytes = self.part.read(buffer)?;
            if n_bytes > 0 || buffer.is_empty() || !self.go_on()? {
                return Ok(n_bytes);
            }
        }
    }
}

impl Drop for Object {
    fn drop(&mut self) {
        // What is under way is given up, not waited for.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

fn runtime() -> io::Result<Runtime> {
    runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()
}

fn unread(address: &str, cause: io::Error) -> InputError {
    InputError::Read { path: address.into(), cause }
}

/// Where machines of clouds tell of themselves.
const MACHINE: &str = "169.254.169.254";

const WHO: &str = "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY say who asks, \
    AWS_SKIP_SIGNATURE=true asks as nobody, as public buckets allow";

/// What went wrong, in our words where there are some.
fn failed(address: &str, error: &object_store::Error) -> InputError {
    use object_store::Error;
    let reason = match error {
        Error::NotFound { .. } => "no such object or bucket".to_owned(),
        Error::PermissionDenied { .. } | Error::Unauthenticated { .. } => {
            format!("the server refuses it: {WHO}")
        }
        // Where nobody says who asks, the machine is asked whether it has a role, at an address that only clouds have.
        other if other.to_string().contains(MACHINE) => {
            format!("nobody is named to ask for it: {WHO}")
        }
        other => said(other),
    };
    InputError::Object { address: address.to_owned(), reason }
}

/// The last cause, which says most, in one line.
fn said(error: &object_store::Error) -> String {
    let mut last: &dyn std::error::Error = error;
    while let Some(source) = last.source() {
        last = source;
    }
    let text = format!("{error}");
    let (text, last) = (text.lines().next().unwrap_or_default(), last.to_string());
    if text.contains(&last) { text.to_owned() } else { format!("{text}: {last}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_name_objects_folders_and_patterns() {
        let place = |bucket: &str, key: &str| Place { bucket: bucket.into(), key: key.into() };
        for (address, named) in [
            ("s3://crawl/a/b.warc.gz", Named::Object(place("crawl", "a/b.warc.gz"))),
            ("s3a://crawl/a", Named::Object(place("crawl", "a"))),
            ("s3://crawl/a/", Named::Several(place("crawl", "a/"))),
            ("s3://crawl", Named::Several(place("crawl", ""))),
            ("s3://crawl/a/*.warc.gz", Named::Several(place("crawl", "a/*.warc.gz"))),
        ] {
            assert_eq!(Named::parse(address), Some(named), "{address}");
        }
        assert_eq!(Named::parse("https://crawl/a"), None);
    }
}
