//! Responses of HTTP as archives keep them: a header, then a body that may still be chunked and compressed.
//!
//! Some archivers decode the body and leave the header as it was. So a body that starts with a tag is taken to be
//! decoded, whatever the header says. Of a body that is cut off, what can be decoded is given.

use super::error::BodyProblem;
use super::fields::{ContentType, Header};
use super::sniff::starts_with_tag;
use super::unpack::Unpacked;
use flate2::read::{DeflateDecoder, ZlibDecoder};
use std::io::{self, BufRead, Cursor, Read};

/// More codings on top of each other than anyone uses.
const MAX_CODINGS: usize = 4;

pub(super) struct Response {
    header: Header,
}

/// A body as far as it can be decoded.
#[derive(Debug)]
pub(super) struct Body {
    pub(super) bytes: Vec<u8>,
    /// Why its end is missing, if it is.
    pub(super) cut: Option<BodyProblem>,
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
        (200..300).contains(&self.status())
    }

    /// 0 where there is none.
    pub(super) fn status(&self) -> u16 {
        let status = self.header.first_line.split_ascii_whitespace().nth(1).unwrap_or_default();
        status.parse().ok().filter(|_| status.len() == 3).unwrap_or(0)
    }

    pub(super) fn fields(&self) -> &[(String, String)] {
        self.header.fields()
    }

    /// Undo what was done to the body on its way.
    pub(super) fn decode(&self, bytes: Vec<u8>, max: u64) -> Result<Body, BodyProblem> {
        let mut body = Body { bytes, cut: None };
        let transfer = self.header.get("transfer-encoding").unwrap_or_default();
        if transfer.to_ascii_lowercase().contains("chunked") && !starts_with_tag(&body.bytes) {
            body = join_chunks(&body.bytes)?;
        }
        let codings = self.header.get("content-encoding").unwrap_or_default();
        for coding in codings.rsplit(',').map(str::trim).take(MAX_CODINGS) {
            if !body.bytes.is_empty() && !starts_with_tag(&body.bytes) {
                let unpacked = undo(coding, body.bytes, max)?;
                body = Body { bytes: unpacked.bytes, cut: body.cut.or(unpacked.cut) };
            }
        }
        match body.cut {
            Some(problem) if body.bytes.is_empty() => Err(problem),
            _ => Ok(body),
        }
    }
}

fn undo(coding: &str, body: Vec<u8>, max: u64) -> Result<Body, BodyProblem> {
    match coding.to_ascii_lowercase().as_str() {
        "" | "identity" => Ok(Body { bytes: body, cut: None }),
        "gzip" | "x-gzip" => match Unpacked::new(Cursor::new(body)) {
            Ok(body) if body.is_packed() => unpack("gzip", body, max),
            _ => Err(BodyProblem::Corrupt("gzip")),
        },
        "deflate" if is_zlib(&body) => unpack("deflate", ZlibDecoder::new(&*body), max),
        "deflate" => unpack("deflate", DeflateDecoder::new(&*body), max),
        "br" => {
            let body = body.chain(TooEarly);
            unpack("brotli", brotli_decompressor::Decompressor::new(body, 4096), max)
        }
        _ => Err(BodyProblem::Unsupported(coding.to_owned())),
    }
}

fn unpack(coding: &'static str, body: impl Read, max: u64) -> Result<Body, BodyProblem> {
    let mut bytes = Vec::new();
    let outcome = body.take(max.saturating_add(1)).read_to_end(&mut bytes);
    if bytes.len() as u64 > max {
        return Err(BodyProblem::TooLarge(max));
    }
    match outcome {
        Ok(_) => Ok(Body { bytes, cut: None }),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
            Ok(Body { bytes, cut: Some(BodyProblem::CutOff(coding)) })
        }
        Err(_) => Err(BodyProblem::Corrupt(coding)),
    }
}

/// The end of a body, for a decoder that reads it only if something is missing and cannot tell that from corruption.
struct TooEarly;

impl Read for TooEarly {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::ErrorKind::UnexpectedEof.into())
    }
}

/// "deflate" is zlib by the standard, and bare in the practice of some servers (RFC 9110, section 8.4.1.2).
fn is_zlib(body: &[u8]) -> bool {
    matches!(body, [first, second, ..]
        if first & 0x0F == 8 && (u16::from(*first) << 8 | u16::from(*second)).is_multiple_of(31))
}

/// A chunked body as one. Trailers are left out.
fn join_chunks(body: &[u8]) -> Result<Body, BodyProblem> {
    let mut bytes = Vec::with_capacity(body.len());
    let mut rest = body;
    while let Some(line_end) = rest.iter().position(|byte| *byte == b'\n') {
        let size = chunk_size(&rest[..line_end])?;
        if size == 0 {
            return Ok(Body { bytes, cut: None });
        }
        rest = &rest[line_end + 1..];
        let chunk = &rest[..size.min(rest.len())];
        bytes.extend_from_slice(chunk);
        rest = &rest[chunk.len()..];
        rest = rest.strip_prefix(b"\r").unwrap_or(rest);
        if rest.is_empty() {
            break;
        }
        rest = rest.strip_prefix(b"\n").ok_or(BodyProblem::Corrupt("chunked"))?;
    }
    // What is left may be the first half of a size.
    if !rest.trim_ascii().is_empty() {
        chunk_size(rest)?;
    }
    Ok(Body { bytes, cut: Some(BodyProblem::CutOff("chunked")) })
}

fn chunk_size(line: &[u8]) -> Result<usize, BodyProblem> {
    let size = std::str::from_utf8(line).unwrap_or_default().split(';').next().unwrap_or_default();
    usize::from_str_radix(size.trim(), 16).map_err(|_| BodyProblem::Corrupt("chunked"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::read::{DeflateEncoder, GzEncoder, ZlibEncoder};

    /// `echo -n '<p>brotli' | brotli`.
    const BROTLI: &[u8] = b"\x0b\x04\x80<p>brotli\x03";

    fn decode(header: &str, body: &[u8]) -> Result<Body, BodyProblem> {
        let header = format!("HTTP/1.1 200 OK\r\n{header}\r\n\r\n");
        Response::read(&mut header.as_bytes()).unwrap().unwrap().decode(body.to_vec(), 100)
    }

    #[track_caller]
    fn check(header: &str, body: impl AsRef<[u8]>, expected: Result<&str, &str>) {
        let decoded = decode(header, body.as_ref()).map_err(|problem| problem.to_string());
        assert!(decoded.as_ref().is_ok_and(|body| body.cut.is_none()) || decoded.is_err());
        let decoded = decoded.as_ref().map(|body| std::str::from_utf8(&body.bytes).unwrap());
        assert_eq!(decoded.map_err(String::as_str), expected);
    }

    /// A body of which the first part is there.
    #[track_caller]
    fn check_cut(header: &str, body: impl AsRef<[u8]>, part: &str, problem: &str) {
        let body = decode(header, body.as_ref()).unwrap();
        assert_eq!(std::str::from_utf8(&body.bytes).unwrap(), part);
        assert_eq!(body.cut.map(|problem| problem.to_string()).as_deref(), Some(problem));
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
        let more = [all(GzEncoder::new(&b"<p>gz"[..], level)), b"\r\nmore".to_vec()].concat();
        check("Content-Encoding: gzip", more, Ok("<p>gz"));
    }

    #[test]
    fn chunks_are_joined() {
        let chunked = "Transfer-Encoding: chunked";
        check(chunked, "3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n", Ok("abcde"));
        check(chunked, "3\nabc\n0\n", Ok("abc"));
        for corrupt in ["nonsense", "3\r\nabcd\r\n0\r\n", "\r\n0\r\n", "1\r\na\r\nx"] {
            check(chunked, corrupt, Err("its chunked data is corrupt"));
        }
    }

    #[test]
    fn what_a_cut_body_has_is_kept() {
        let chunked = "Transfer-Encoding: chunked";
        let cut = "its chunked data is cut off";
        for (body, part) in [
            ("3\r\nab", "ab"),
            ("3\r\nabc", "abc"),
            ("3\r\nabc\r", "abc"),
            ("3\r\nabc\r\n", "abc"),
            ("3\r\nabc\r\n2", "abc"),
            ("3\r\nabc\r\n2\r\n", "abc"),
            ("ffffffffffffffff\r\nab", "ab"),
        ] {
            check_cut(chunked, body, part, cut);
        }
        check(chunked, "3\r\n", Err(cut));
        let text = "<p>one two three";
        let level = Compression::none();
        for (coding, packed, problem) in [
            ("gzip", all(GzEncoder::new(text.as_bytes(), level)), "its gzip data is cut off"),
            (
                "deflate",
                all(ZlibEncoder::new(text.as_bytes(), level)),
                "its deflate data is cut off",
            ),
            (
                "deflate",
                all(DeflateEncoder::new(text.as_bytes(), level)),
                "its deflate data is cut off",
            ),
        ] {
            let end = packed.windows(5).position(|it| it == b"three").unwrap();
            let header = format!("Content-Encoding: {coding}");
            check_cut(&header, &packed[..end], "<p>one two ", problem);
            check(
                &header,
                &packed[..1],
                Err(if coding == "gzip" { "its gzip data is corrupt" } else { problem }),
            );
        }
        check_cut("Content-Encoding: br", &BROTLI[..8], "<p>br", "its brotli data is cut off");
        let both = format!("{chunked}\r\nContent-Encoding: gzip");
        let packed = all(GzEncoder::new(text.as_bytes(), level));
        let body = [b"99\r\n", &packed[..packed.len() - 9]].concat();
        check_cut(&both, body, "<p>one two thre", cut);
    }

    #[test]
    fn what_was_decoded_already_is_left_alone() {
        let both = "Transfer-Encoding: chunked\r\nContent-Encoding: br";
        for body in [
            " <!doctype html>plain",
            "<?xml version='1.0'?>",
            "<meta charset=utf-8>",
            "\u{FEFF}\r\n<x-page>",
            "</p>",
        ] {
            check(both, body, Ok(body));
        }
        let wide = b"\xFF\xFE<\0p\0>\0";
        assert_eq!(decode(both, wide).unwrap().bytes, wide);
        let deflate = "Content-Encoding: deflate";
        check(deflate, "<\u{80}", Err("its deflate data is cut off"));
    }

    #[test]
    fn what_cannot_be_decoded_is_told() {
        let corrupt = "its gzip data is corrupt";
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
