//! Bodies as servers send them, unpacked.
//!
//! In come a body and its `Content-Encoding`; out come the bytes of the page, never more than asked for. A bomb costs what
//! its limit allows, plus the window of its format. Of a body that is cut off or corrupt, what came before counts, as in
//! browsers.

use flate2::bufread::{DeflateDecoder, GzDecoder, ZlibDecoder};
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder, StreamingDecoder};
use std::io::{self, Read};

/// More codings on top of each other than anyone uses.
const MAX_CODINGS: usize = 3;
/// Members and frames that hold nothing cost time all the same.
const MAX_MEMBERS: usize = 1_000;
/// What RFC 9659 allows on the web.
const MAX_ZSTD_WINDOW: u64 = 8 << 20;
const CHUNK_LEN: usize = 16 << 10;
const MAX_NAME_LEN: usize = 40;

const GZIP_MAGIC: [u8; 2] = [0x1F, 0x8B];
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];
const LAST_BLOCK: [u8; 7] = [1, 0, 0, 0, 0, 0, 0];

/// A body as far as it could be unpacked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unpacked {
    /// What came out.
    pub bytes: Vec<u8>,
    /// The coding whose end is missing, because the body was cut off or corrupt; none if all of it is there.
    pub cut: Option<&'static str>,
}

/// Why a body cannot be unpacked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UnpackError {
    /// More comes out than may: large, or a bomb.
    #[error("larger than the limit of {0} bytes when unpacked")]
    TooLarge(usize),
    /// A coding that nobody asked for.
    #[error("its content encoding \"{0}\" is not supported")]
    Unknown(String),
    /// More codings on top of each other than are unpacked.
    #[error("packed more than {MAX_CODINGS} times over")]
    TooMany,
    /// Nothing came out.
    #[error("its {0} data is corrupt")]
    Broken(&'static str),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Coding {
    Gzip,
    Deflate,
    Brotli,
    Zstd,
}

/// Undo a body's codings, as the header lists them.
///
/// ```
/// let page = crawl::unpack::unpack("identity", b"<p>plain".to_vec(), 100)?;
/// assert_eq!((&*page.bytes, page.cut), (&b"<p>plain"[..], None));
/// # Ok::<(), crawl::unpack::UnpackError>(())
/// ```
pub fn unpack(encodings: &str, body: Vec<u8>, max: usize) -> Result<Unpacked, UnpackError> {
    let mut codings = codings(encodings)?;
    match codings.pop() {
        None if body.len() > max => Err(UnpackError::TooLarge(max)),
        None => Ok(Unpacked { bytes: body, cut: None }),
        Some(last) => undo_all(last, codings, &body, max),
    }
}

/// The same for a body that is still needed.
pub fn unpack_copy(encodings: &str, body: &[u8], max: usize) -> Result<Unpacked, UnpackError> {
    let mut codings = codings(encodings)?;
    match codings.pop() {
        None if body.len() > max => Err(UnpackError::TooLarge(max)),
        None => Ok(Unpacked { bytes: body.to_vec(), cut: None }),
        Some(last) => undo_all(last, codings, body, max),
    }
}

/// Undo the last coding, which was put on last, and then those before it.
fn undo_all(
    last: Coding,
    others: Vec<Coding>,
    body: &[u8],
    max: usize,
) -> Result<Unpacked, UnpackError> {
    let mut page = undo(last, body, max)?;
    for coding in others.into_iter().rev() {
        let inner = undo(coding, &page.bytes, max)?;
        page = Unpacked { bytes: inner.bytes, cut: page.cut.or(inner.cut) };
    }
    if page.bytes.len() > max {
        return Err(UnpackError::TooLarge(max));
    }
    Ok(page)
}

fn codings(list: &str) -> Result<Vec<Coding>, UnpackError> {
    let mut codings = Vec::new();
    for name in list.split(',').map(str::trim) {
        codings.push(match name.to_ascii_lowercase().as_str() {
            "" | "identity" => continue,
            "gzip" | "x-gzip" => Coding::Gzip,
            "deflate" => Coding::Deflate,
            "br" => Coding::Brotli,
            "zstd" => Coding::Zstd,
            _ => return Err(UnpackError::Unknown(name.chars().take(MAX_NAME_LEN).collect())),
        });
        if codings.len() > MAX_CODINGS {
            return Err(UnpackError::TooMany);
        }
    }
    Ok(codings)
}

fn undo(coding: Coding, body: &[u8], max: usize) -> Result<Unpacked, UnpackError> {
    let mut out = Out { bytes: Vec::new(), max };
    if body.is_empty() {
        return Ok(out.end(None));
    }
    let end = match coding {
        Coding::Gzip => gzip(body, &mut out)?,
        Coding::Deflate => deflate(body, &mut out)?,
        Coding::Brotli => brotli(body, &mut out)?,
        Coding::Zstd => zstd(body, &mut out)?,
    };
    match end {
        End::Bad if !out.bytes.is_empty() => Ok(out.end(Some(coding.name()))),
        End::Bad if is_plain(coding, body) => Ok(Unpacked { bytes: body.to_vec(), cut: None }),
        End::Bad => Err(UnpackError::Broken(coding.name())),
        End::Good => Ok(out.end(None)),
    }
}

impl Coding {
    fn name(self) -> &'static str {
        match self {
            Coding::Gzip => "gzip",
            Coding::Deflate => "deflate",
            Coding::Brotli => "brotli",
            Coding::Zstd => "zstd",
        }
    }
}

/// Some servers say that they pack, and do not. A tag is not the start of anything packed, where that can be told.
fn is_plain(coding: Coding, body: &[u8]) -> bool {
    matches!(coding, Coding::Gzip | Coding::Zstd) && body.trim_ascii_start().starts_with(b"<")
}

/// How a stream ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Good,
    Bad,
}

/// What comes out, with a limit.
struct Out {
    bytes: Vec<u8>,
    max: usize,
}

impl Out {
    fn fill(&mut self, mut stream: impl Read) -> Result<End, UnpackError> {
        let mut chunk = [0; CHUNK_LEN];
        loop {
            match stream.read(&mut chunk) {
                Ok(0) => return Ok(End::Good),
                Ok(n_bytes) => self.push(&chunk[..n_bytes])?,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return Ok(End::Bad),
            }
        }
    }

    fn push(&mut self, bytes: &[u8]) -> Result<(), UnpackError> {
        let room = self.max - self.bytes.len();
        if bytes.len() > room {
            return Err(UnpackError::TooLarge(self.max));
        }
        if self.bytes.capacity() - self.bytes.len() < bytes.len() {
            // Doubling without care would take twice the limit.
            self.bytes.reserve_exact(self.bytes.len().max(bytes.len()).min(room));
        }
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }

    fn end(self, cut: Option<&'static str>) -> Unpacked {
        Unpacked { bytes: self.bytes, cut }
    }
}

/// All members. What follows them and is none is passed over, as by gzip itself.
fn gzip(mut body: &[u8], out: &mut Out) -> Result<End, UnpackError> {
    for _ in 0..MAX_MEMBERS {
        let mut member = GzDecoder::new(body);
        if out.fill(&mut member)? == End::Bad {
            return Ok(End::Bad);
        }
        body = member.into_inner();
        if !body.starts_with(&GZIP_MAGIC) {
            return Ok(End::Good);
        }
    }
    Ok(End::Bad)
}

/// By the standard zlib, and bare in the practice of some servers (RFC 9110, section 8.4.1.2).
fn deflate(body: &[u8], out: &mut Out) -> Result<End, UnpackError> {
    if is_zlib(body) {
        let end = out.fill(ZlibDecoder::new(body))?;
        // Bare data may look like zlib by chance.
        if end == End::Good || !out.bytes.is_empty() {
            return Ok(end);
        }
    }
    out.fill(DeflateDecoder::new(body))
}

fn is_zlib(body: &[u8]) -> bool {
    matches!(body, [first, second, ..]
        if first & 0x0F == 8 && (u16::from(*first) << 8 | u16::from(*second)).is_multiple_of(31))
}

fn brotli(body: &[u8], out: &mut Out) -> Result<End, UnpackError> {
    // It takes a missing end for a good one unless reading on fails.
    out.fill(brotli_decompressor::Decompressor::new(body.chain(TooEarly), CHUNK_LEN))
}

struct TooEarly;

impl Read for TooEarly {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::ErrorKind::UnexpectedEof.into())
    }
}

/// All frames; those that are to be skipped are.
fn zstd(mut body: &[u8], out: &mut Out) -> Result<End, UnpackError> {
    let mut decoder = FrameDecoder::new();
    decoder.set_max_window_size(MAX_ZSTD_WINDOW);
    for _ in 0..MAX_MEMBERS {
        match StreamingDecoder::new_with_decoder(&mut body, &mut decoder) {
            Ok(frame) => {
                if out.fill(frame)? == End::Bad {
                    // A decoder holds its window back until the last block. This is one, empty, with a checksum.
                    let _ = decoder.decode_blocks(&LAST_BLOCK[..], BlockDecodingStrategy::All);
                    out.fill(&mut decoder)?;
                    return Ok(End::Bad);
                }
            }
            Err(error) => match skippable_len(&error).and_then(|len| body.get(len..)) {
                Some(rest) => body = rest,
                None => return Ok(End::Bad),
            },
        }
        let is_more = body.starts_with(&ZSTD_MAGIC) || is_skippable(body);
        if !is_more {
            return Ok(End::Good);
        }
    }
    Ok(End::Bad)
}

fn skippable_len(error: &FrameDecoderError) -> Option<usize> {
    match error {
        FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
            length, ..
        }) => usize::try_from(*length).ok(),
        _ => None,
    }
}

fn is_skippable(body: &[u8]) -> bool {
    matches!(body, [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..])
}

#[cfg(test)]
mod tests;
