//! Why there is no page.

use crate::unpack::UnpackError;
use std::fmt;

/// Why an address gave no page. Its text is what is kept, and counted by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// The name has no address.
    Unresolved,
    /// The address is private, and nobody allowed that.
    Private,
    /// No connection.
    Connect,
    /// The server does not take connections.
    Refused,
    /// The server cannot show that it is who it says it is: what is wrong with its certificate.
    Certificate(&'static str),
    /// No TLS came about, for other reasons.
    Tls,
    /// No byte came for too long.
    Stalled,
    /// It took too long as a whole.
    TooSlow,
    /// More bytes than a page may have, packed or unpacked.
    TooLarge,
    /// The answer is no HTTP, or ends before it should.
    Broken,
    /// Too many redirects.
    Redirects,
    /// A redirect that leads nowhere.
    Nowhere,
    /// The server says no.
    Status(u16),
    /// Not a page: its media type.
    Media(String),
    /// An encoding that is not known.
    Encoding(String),
    /// The archive does not have it.
    NotRecorded,
    /// There is no file of that name.
    NoFile,
}

impl Failure {
    /// Whether another try may end better.
    pub(crate) fn may_pass(&self) -> bool {
        match self {
            Failure::Connect
            | Failure::Refused
            | Failure::Stalled
            | Failure::TooSlow
            | Failure::Broken
            | Failure::Unresolved => true,
            Failure::Status(status) => matches!(status, 408 | 425 | 429 | 500 | 502 | 503 | 504),
            _ => false,
        }
    }
}

impl From<UnpackError> for Failure {
    fn from(error: UnpackError) -> Failure {
        match error {
            UnpackError::TooLarge(_) => Failure::TooLarge,
            UnpackError::Unknown(name) => Failure::Encoding(name),
            UnpackError::TooMany => Failure::Encoding("too many".to_owned()),
            UnpackError::Broken(_) => Failure::Broken,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Failure::Unresolved => "name not found",
            Failure::Private => "private address",
            Failure::Connect => "no connection",
            Failure::Refused => "connection refused",
            Failure::Certificate(what) => return write!(f, "certificate not valid: {what}"),
            Failure::Tls => "no TLS",
            Failure::Stalled => "nothing came for too long",
            Failure::TooSlow => "took too long",
            Failure::TooLarge => "too large",
            Failure::Broken => "answer broken",
            Failure::Redirects => "too many redirects",
            Failure::Nowhere => "redirect without a place",
            Failure::NotRecorded => "not in the archive",
            Failure::NoFile => "no such file",
            Failure::Status(status) => return write!(f, "status {status}"),
            Failure::Media(media) => return write!(f, "not a page: {media}"),
            Failure::Encoding(name) => return write!(f, "unknown encoding: {name}"),
        };
        f.write_str(text)
    }
}
