//! Responses of HTTP as archives keep them: a header, then a body that may still be chunked and compressed.
//!
//! Some archivers decode the body and leave the header as it was. So a body that starts with a tag is taken to be
//! decoded, whatever the header says. Of a body that is cut off, what can be decoded is given.

use super::error::BodyProblem;
use super::fields::Header;
use super::sniff::starts_with_tag;
use crawl::media::ContentType;
use crawl::unpack::{self, UnpackError};
use std::io::{self, BufRead};

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
    let max_len = usize::try_from(max).unwrap_or(usize::MAX);
    match unpack::unpack(coding, body, max_len) {
        Ok(body) => Ok(Body { bytes: body.bytes, cut: body.cut.map(BodyProblem::CutOff) }),
        Err(UnpackError::Broken(coding)) => Err(BodyProblem::Corrupt(coding)),
        Err(UnpackError::TooLarge(_)) => Err(BodyProblem::TooLarge(max)),
        Err(_) => Err(BodyProblem::Unsupported(coding.to_owned())),
    }
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
    use std::io::Read;

    /// `echo -n '<p>brotli' | brotli`.
    const BROTLI: &[u8] = b"\x0b\x04\x80<p>brotli\x03";

    /// `echo -n '<p>zstd' | zstd --no-check`, its bytes as they are in one block.
    const ZSTD: &[u8] = b"\x28\xb5\x2f\xfd\x20\x07\x39\0\0<p>zstd";

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
        check("Content-Encoding: zstd", ZSTD, Ok("<p>zstd"));
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
            check(&header, &packed[..1], Err(&format!("its {coding} data is corrupt")));
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
        check(deflate, "<\u{80}", Err("its deflate data is corrupt"));
    }

    #[test]
    fn what_cannot_be_decoded_is_told() {
        let corrupt = "its gzip data is corrupt";
        check("Content-Encoding: gzip", "\x1f\u{8b}nonsense", Err(corrupt));
        let unknown = Err("its content encoding \"compress\" is not supported");
        check("Content-Encoding: compress", "x", unknown);
        check("Content-Encoding: zstd", "nonsense", Err("its zstd data is corrupt"));
        let bomb = all(GzEncoder::new(io::repeat(b'x').take(101), Compression::default()));
        check("Content-Encoding: gzip", bomb, Err("larger than the limit of 100 bytes"));
        check("Content-Encoding: zstd", "", Ok(""));
    }
}
