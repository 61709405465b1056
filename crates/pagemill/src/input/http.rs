//! Responses of HTTP as archives keep them: a header, then a body that may still be chunked and compressed.
//!
//! Some archivers decode the body and leave the header as it was. So a body that reads as HTML is taken to be
//! decoded, whatever the header says.

use super::error::BodyProblem;
use super::fields::{ContentType, Header};
use super::read_bounded;
use super::sniff::looks_like_html;
use flate2::read::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};
use std::io::{self, BufRead, Read};

/// More codings on top of each other than anyone uses.
const MAX_CODINGS: usize = 4;

pub(super) struct Response {
    header: Header,
}

impl Response {
    /// Read the header; none if it is not one of a response.
    pub(super) fn read(bytes: &mut impl BufRead) -> io::Result<Option<Response>> {
        Ok(Header::read(bytes, "HTTP/")?.map(|header| Response { header }))
    }

    pub(super) fn content_type(&self) -> Option<ContentType<'_>> {
        self.header.get("content-type").filter(|value| !value.is_empty()).map(ContentType::parse)
    }

    pub(super) fn is_success(&self) -> bool {
        let status = self.header.first_line.split_ascii_whitespace().nth(1).unwrap_or_default();
        status.len() == 3 && status.starts_with('2')
    }

    /// Undo what was done to the body on its way.
    pub(super) fn decode(&self, body: Vec<u8>, max: u64) -> Result<Vec<u8>, BodyProblem> {
        let mut body = body;
        let transfer = self.header.get("transfer-encoding").unwrap_or_default();
        if transfer.to_ascii_lowercase().contains("chunked") && !looks_like_html(&body) {
            body = join_chunks(&body).ok_or(BodyProblem::Corrupt("chunked"))?;
        }
        let codings = self.header.get("content-encoding").unwrap_or_default();
        for coding in codings.rsplit(',').map(str::trim).take(MAX_CODINGS) {
            if !body.is_empty() && !looks_like_html(&body) {
                body = undo(coding, body, max)?;
            }
        }
        Ok(body)
    }
}

fn undo(coding: &str, body: Vec<u8>, max: u64) -> Result<Vec<u8>, BodyProblem> {
    match coding.to_ascii_lowercase().as_str() {
        "" | "identity" => Ok(body),
        "gzip" | "x-gzip" => unpack("gzip", MultiGzDecoder::new(&*body), max),
        "deflate" if is_zlib(&body) => unpack("deflate", ZlibDecoder::new(&*body), max),
        "deflate" => unpack("deflate", DeflateDecoder::new(&*body), max),
        "br" => unpack("brotli", brotli_decompressor::Decompressor::new(&*body, 4096), max),
        _ => Err(BodyProblem::Unsupported(coding.to_owned())),
    }
}

fn unpack(coding: &'static str, body: impl Read, max: u64) -> Result<Vec<u8>, BodyProblem> {
    match read_bounded(body, 0, max) {
        Ok(Some(body)) => Ok(body),
        Ok(None) => Err(BodyProblem::TooLarge(max)),
        Err(_) => Err(BodyProblem::Corrupt(coding)),
    }
}

/// "deflate" is zlib by the standard, and bare in the practice of some servers (RFC 9110, section 8.4.1.2).
fn is_zlib(body: &[u8]) -> bool {
    matches!(body, [first, second, ..]
        if first & 0x0F == 8 && (u16::from(*first) << 8 | u16::from(*second)).is_multiple_of(31))
}

/// A chunked body as one; none if it is not well formed. Trailers are left out.
fn join_chunks(body: &[u8]) -> Option<Vec<u8>> {
    let mut joined = Vec::with_capacity(body.len());
    let mut rest = body;
    loop {
        let end = rest.iter().position(|byte| *byte == b'\n')?;
        let line = std::str::from_utf8(&rest[..end]).ok()?;
        let size = line.split(';').next().unwrap_or_default().trim();
        let size = usize::from_str_radix(size, 16).ok()?;
        rest = &rest[end + 1..];
        if size == 0 {
            return Some(joined);
        }
        joined.extend_from_slice(rest.get(..size)?);
        rest = &rest[size..];
        rest = rest.strip_prefix(b"\r").unwrap_or(rest);
        rest = rest.strip_prefix(b"\n")?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::read::{DeflateEncoder, GzEncoder, ZlibEncoder};

    /// `echo -n '<p>brotli' | brotli`.
    const BROTLI: &[u8] = b"\x0b\x04\x80<p>brotli\x03";

    #[track_caller]
    fn check(header: &str, body: impl AsRef<[u8]>, expected: Result<&str, &str>) {
        let header = format!("HTTP/1.1 200 OK\r\n{header}\r\n\r\n");
        let response = Response::read(&mut header.as_bytes()).unwrap().unwrap();
        let decoded =
            response.decode(body.as_ref().to_vec(), 100).map_err(|problem| problem.to_string());
        let decoded = decoded.as_ref().map(|body| std::str::from_utf8(body).unwrap());
        assert_eq!(decoded.map_err(String::as_str), expected);
    }

    fn all(mut encoder: impl Read) -> Vec<u8> {
        let mut bytes = Vec::new();
        encoder.read_to_end(&mut bytes).unwrap();
        bytes
    }

    #[test]
    fn bodies_are_unpacked() {
        let level = Compression::default();
        check("Content-Encoding: gzip", all(GzEncoder::new(&b"<p>gz"[..], level)), Ok("<p>gz"));
        check("content-encoding: DEFLATE", all(ZlibEncoder::new(&b"<p>z"[..], level)), Ok("<p>z"));
        check(
            "content-encoding: deflate",
            all(DeflateEncoder::new(&b"<p>bare"[..], level)),
            Ok("<p>bare"),
        );
        check("Content-Encoding: br", BROTLI, Ok("<p>brotli"));
        let twice = all(GzEncoder::new(BROTLI, level));
        check("Content-Encoding: br, gzip", twice, Ok("<p>brotli"));
    }

    #[test]
    fn chunks_are_joined() {
        let chunked = "Transfer-Encoding: chunked";
        check(chunked, "3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n", Ok("abcde"));
        check(chunked, "3\nabc\n0\n", Ok("abc"));
        check(chunked, "3\r\nab", Err("its chunked data is corrupt or cut off"));
        check(chunked, "ffffffffffffffff\r\nab", Err("its chunked data is corrupt or cut off"));
    }

    #[test]
    fn what_was_decoded_already_is_left_alone() {
        let both = "Transfer-Encoding: chunked\r\nContent-Encoding: br";
        check(both, " <!doctype html>plain", Ok(" <!doctype html>plain"));
    }

    #[test]
    fn what_cannot_be_decoded_is_told() {
        let corrupt = "its gzip data is corrupt or cut off";
        check("Content-Encoding: gzip", "\x1f\u{8b}nonsense", Err(corrupt));
        check("Content-Encoding: zstd", "x", Err("its content encoding \"zstd\" is not supported"));
        let bomb = all(GzEncoder::new(io::repeat(b'x').take(101), Compression::default()));
        check("Content-Encoding: gzip", bomb, Err("larger than the limit of 100 bytes"));
        check("Content-Encoding: zstd", "", Ok(""));
    }

    #[test]
    fn content_types_are_read() {
        let check = |value, is_html, charset| {
            let content_type = ContentType::parse(value);
            assert_eq!(
                (content_type.is_html(), content_type.charset),
                (is_html, charset),
                "{value}"
            );
        };
        check("text/html", true, None);
        check("Text/HTML ; Charset=\"koi8-r\"", true, Some("koi8-r"));
        check("application/xhtml+xml; q=1; charset=utf-8", true, Some("utf-8"));
        check("text/html; charset=", true, None);
        check("text/htmlx", false, None);
        check("", false, None);
    }
}
