//! The page's own declaration, found before parsing: "prescan a byte stream to determine its encoding"
//! of the HTML standard, section 13.2.3.2.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};

/// The standard asks for 1,024 bytes. Pages that open with comments or scripts declare later, and
/// browsers start over when they find it; looking further at once comes to the same.
const PRESCAN_LEN: usize = 16 << 10;

/// The encoding that the page declares in a `<meta>` tag near its start.
pub(crate) fn prescan(bytes: &[u8]) -> Option<&'static Encoding> {
    let mut cursor = Cursor { bytes: &bytes[..bytes.len().min(PRESCAN_LEN)], position: 0 };
    if let Some(encoding) = xml_declaration_utf16(cursor.bytes) {
        return Some(encoding);
    }
    while let Some(offset) = memchr::memchr(b'<', cursor.rest()) {
        cursor.position += offset;
        let rest = cursor.rest();
        if rest.starts_with(b"<!--") {
            // The dashes of the opening may be those of the end.
            let end = memchr::memmem::find(&rest[2..], b"-->")?;
            cursor.position += end + 5;
        } else if is_meta(rest) {
            cursor.position += 5;
            if let Some(encoding) = meta(&mut cursor) {
                return Some(encoding);
            }
        } else if is_tag(rest) {
            cursor.skip_until(|byte| is_space(byte) || byte == b'>');
            while cursor.attribute().is_some() {}
        } else if matches!(rest.get(1), Some(b'!' | b'/' | b'?')) {
            cursor.position += memchr::memchr(b'>', rest)?;
        } else {
            cursor.position += 1;
        }
    }
    None
}

/// `<?x` in UTF-16 without a mark means that the page is in UTF-16.
fn xml_declaration_utf16(bytes: &[u8]) -> Option<&'static Encoding> {
    if bytes.starts_with(b"<\0?\0x\0") {
        Some(UTF_16LE)
    } else if bytes.starts_with(b"\0<\0?\0x") {
        Some(UTF_16BE)
    } else {
        None
    }
}

fn is_meta(rest: &[u8]) -> bool {
    rest.len() > 5
        && rest[1..5].eq_ignore_ascii_case(b"meta")
        && (is_space(rest[5]) || rest[5] == b'/')
}

fn is_tag(rest: &[u8]) -> bool {
    match rest.get(1) {
        Some(b'/') => rest.get(2).is_some_and(u8::is_ascii_alphabetic),
        Some(byte) => byte.is_ascii_alphabetic(),
        None => false,
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\x0C' | b'\r' | b' ')
}

/// What one `<meta>` tag declares, the cursor standing after its name.
fn meta(cursor: &mut Cursor<'_>) -> Option<&'static Encoding> {
    // Only these names can decide anything, each by its first appearance.
    const TELLING: [&[u8]; 3] = [b"http-equiv", b"content", b"charset"];
    let mut seen = [false; TELLING.len()];
    let mut got_pragma = false;
    let mut need_pragma = None;
    let mut charset: Option<Option<&'static Encoding>> = None;
    while let Some((name, value)) = cursor.attribute() {
        let telling = TELLING.iter().position(|known| known.eq_ignore_ascii_case(name));
        let Some(index) = telling.filter(|index| !std::mem::replace(&mut seen[*index], true))
        else {
            continue;
        };
        match index {
            0 => got_pragma |= value.eq_ignore_ascii_case(b"content-type"),
            1 if charset.is_none() => {
                let content = value.to_ascii_lowercase();
                charset = charset_in_content(&content).and_then(Encoding::for_label).map(Some);
                need_pragma = charset.map(|_| true);
            }
            2 => {
                charset = Some(Encoding::for_label(value));
                need_pragma = Some(false);
            }
            _ => {}
        }
    }
    if need_pragma? && !got_pragma {
        return None;
    }
    charset.flatten().map(as_declared)
}

/// A page that can be read far enough to declare UTF-16 is not in UTF-16.
fn as_declared(encoding: &'static Encoding) -> &'static Encoding {
    if encoding == UTF_16BE || encoding == UTF_16LE {
        UTF_8
    } else if encoding == X_USER_DEFINED {
        WINDOWS_1252
    } else {
        encoding
    }
}

/// The label in `text/html; charset=…`: "extracting a character encoding from a meta element".
fn charset_in_content(content: &[u8]) -> Option<&[u8]> {
    let mut rest = content;
    loop {
        // The content arrives in lower case.
        let found = memchr::memmem::find(rest, b"charset")?;
        rest = rest[found + 7..].trim_ascii_start();
        if let Some(after) = rest.strip_prefix(b"=") {
            rest = after.trim_ascii_start();
            break;
        }
    }
    match rest.first()? {
        quote @ (b'"' | b'\'') => {
            let end = memchr::memchr(*quote, &rest[1..])?;
            Some(&rest[1..=end])
        }
        _ => {
            let end = rest.iter().position(|byte| is_space(*byte) || *byte == b';');
            Some(&rest[..end.unwrap_or(rest.len())])
        }
    }
}

struct Cursor<'a> {
    bytes: &'a [u8],
    position: usize,
}

impl<'a> Cursor<'a> {
    fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.position..).unwrap_or_default()
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.position).copied()
    }

    fn skip_until(&mut self, stop: impl Fn(u8) -> bool) {
        let rest = self.rest();
        self.position += rest.iter().position(|byte| stop(*byte)).unwrap_or(rest.len());
    }

    fn take_until(&mut self, stop: impl Fn(u8) -> bool) -> &'a [u8] {
        let start = self.position;
        self.skip_until(stop);
        &self.bytes[start..self.position]
    }

    /// The next attribute of a tag: "get an attribute". None at the end of the tag.
    fn attribute(&mut self) -> Option<(&'a [u8], &'a [u8])> {
        self.skip_until(|byte| !is_space(byte) && byte != b'/');
        if self.peek()? == b'>' {
            return None;
        }
        let start = self.position;
        // A leading equals sign is part of the name.
        self.position += 1;
        self.skip_until(|byte| matches!(byte, b'=' | b'/' | b'>') || is_space(byte));
        let name = &self.bytes[start..self.position];
        self.skip_until(|byte| !is_space(byte));
        if self.peek()? != b'=' {
            return Some((name, &[]));
        }
        self.position += 1;
        self.skip_until(|byte| !is_space(byte));
        Some((name, self.value()?))
    }

    fn value(&mut self) -> Option<&'a [u8]> {
        match self.peek()? {
            quote @ (b'"' | b'\'') => {
                self.position += 1;
                let value = self.take_until(|byte| byte == quote);
                self.peek()?;
                self.position += 1;
                Some(value)
            }
            b'>' => Some(&[]),
            _ => {
                let value = self.take_until(|byte| is_space(byte) || byte == b'>');
                self.peek()?;
                Some(value)
            }
        }
    }
}
