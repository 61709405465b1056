//! Answers that are wrong on the wire.

use super::{Next, PAUSE, State, respond};
use flate2::Compression;
use flate2::read::{GzEncoder, ZlibEncoder};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use std::io::{self, Read, Write};

const HTML: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n";
/// 64 MiB of spaces.
const BROTLI_BOMB: &[u8] = b"\xcf\xff\xff\x7f\xf8\x25\x40\xe2\xb1\x40\x20\xf7\xfe\x9f\xff\xff\xff\xf0\x4b\x00\xc4\x61\x01\x80\
    \xee\xfd\x3f\xff\xff\xff\xe1\x97\x00\x88\xc3\x22\x00\xdd\xfb\xff\xfc\xff\xff\xc7\x2f\x01\x10\x87\
    \x05\x00\xba\xf7\xff";

/// A body, a header of lines, or one line of a header.
pub(super) fn endless(kind: &str, state: &State, out: &mut impl Write) -> io::Result<Next> {
    let (start, more) = match kind {
        "head" => (HTML.to_owned(), "X-More: and more\r\n".repeat(100)),
        "field" => (format!("{HTML}X-More: "), "and more ".repeat(100)),
        _ => (format!("{HTML}Connection: close\r\n\r\n<p>"), "<p>And more. ".repeat(1_000)),
    };
    out.write_all(start.as_bytes())?;
    while !state.is_over() {
        out.write_all(more.as_bytes())?;
    }
    Ok(Next::Close)
}

/// Half of a page, packed.
pub(super) fn cut(out: &mut impl Write) -> io::Result<Next> {
    let (mut body, page) = (Vec::new(), format!("<p>The start of it{}", "<p>And more".repeat(9)));
    GzEncoder::new(page.as_bytes(), Compression::none()).read_to_end(&mut body)?;
    body.truncate(body.len() / 2);
    respond(out, 200, "Content-Type: text/html\r\nContent-Encoding: gzip\r\n", &body)
}

/// Megabytes of nothing, packed.
pub(super) fn bomb(coding: &str, n_megabytes: u64, out: &mut impl Write) -> io::Result<Next> {
    let nothing = io::repeat(b' ').take(n_megabytes << 20);
    let mut body = Vec::new();
    match coding {
        "gzip" => drop(GzEncoder::new(nothing, Compression::fast()).read_to_end(&mut body)?),
        "deflate" => drop(ZlibEncoder::new(nothing, Compression::fast()).read_to_end(&mut body)?),
        "br" => body.extend(BROTLI_BOMB),
        _ => body = compress_to_vec(nothing, CompressionLevel::Fastest),
    }
    let fields = format!("Content-Type: text/html\r\nContent-Encoding: {coding}\r\n");
    respond(out, 200, &fields, &body)
}

/// A page that is within all limits and costs to read, so packed that it comes at once.
pub(super) fn heavy(kind: &str, n_megabytes: u64, out: &mut impl Write) -> io::Result<Next> {
    let part = match kind {
        "links" => "<a href=x>y</a>",
        "leaves" => "<p>a",
        "deep" => "<div>",
        "attributes" => "<i a=1 b=2 c=3 d=4>",
        _ => "all these words are here again ",
    };
    let n_bytes = n_megabytes << 20;
    let part = part.repeat(1 << 12);
    let whole = Repeat { part: part.as_bytes(), at: 0 }.take(n_bytes);
    let mut body = Vec::new();
    GzEncoder::new(whole, Compression::fast()).read_to_end(&mut body)?;
    let fields = "Content-Type: text/html\r\nContent-Encoding: gzip\r\n";
    respond(out, 200, fields, &body)
}

/// The same bytes for ever.
struct Repeat<'a> {
    part: &'a [u8],
    at: usize,
}

impl Read for Repeat<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let rest = &self.part[self.at..];
        let n_bytes = rest.len().min(buffer.len());
        buffer[..n_bytes].copy_from_slice(&rest[..n_bytes]);
        self.at = (self.at + n_bytes) % self.part.len();
        Ok(n_bytes)
    }
}

pub(super) fn gzipped(bytes: &mut dyn Read) -> io::Result<Vec<u8>> {
    let mut packed = Vec::new();
    GzEncoder::new(bytes, Compression::best()).read_to_end(&mut packed)?;
    Ok(packed)
}

/// A byte at a time.
pub(super) fn slow(kind: &str, state: &State, out: &mut impl Write) -> io::Result<Next> {
    let (start, rest) = match kind {
        "head" => (String::new(), format!("{HTML}Content-Length: 2\r\n\r\nOK")),
        _ => (format!("{HTML}Content-Length: 1000\r\n\r\n"), "<p>slowly ".repeat(100)),
    };
    out.write_all(start.as_bytes())?;
    for byte in rest.bytes() {
        if !state.pause(PAUSE) {
            break;
        }
        out.write_all(&[byte])?;
    }
    Ok(Next::Close)
}

pub(super) fn hang(state: &State) -> io::Result<Next> {
    state.pause(super::IDLE);
    Ok(Next::Close)
}

pub(super) fn garbage(out: &mut impl Write) -> io::Result<Next> {
    out.write_all(&noise(4_096))?;
    Ok(Next::Close)
}

pub(super) fn wrong_length(kind: &str, out: &mut impl Write) -> io::Result<Next> {
    let length = match kind {
        "long" => "Content-Length: 100000",
        "short" => "Content-Length: 6",
        _ => "Content-Length: 6\r\nContent-Length: 60",
    };
    write!(out, "{HTML}{length}\r\n\r\n<p>One<p>Two<p>Three")?;
    Ok(Next::Close)
}

pub(super) fn chunked(kind: &str, out: &mut impl Write) -> io::Result<Next> {
    let chunks = match kind {
        "good" => "6\r\n<p>One\r\n6\r\n<p>Two\r\n0\r\n\r\n",
        "broken" => "6\r\n<p>One\r\nxyz\r\n<p>Two\r\n0\r\n\r\n",
        "huge" => "6\r\n<p>One\r\nffffffffffffffff\r\n<p>Two",
        _ => "6\r\n<p>One\r\n60\r\n<p>Two",
    };
    write!(out, "{HTML}Transfer-Encoding: chunked\r\n\r\n{chunks}")?;
    Ok(Next::Close)
}

/// Bytes without sense, the same each time.
pub(super) fn noise(n_bytes: usize) -> Vec<u8> {
    let mut state: u64 = 1;
    let next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        state.to_be_bytes()[0]
    };
    std::iter::repeat_with(next).take(n_bytes).collect()
}
