//! Bytes of a file, unpacked if they are gzip.
//!
//! A file of several gzip members, as archives are, reads as one stream. Where a member is damaged, reading fails, and
//! [`Unpacked::next_member`] goes on behind it. Unpacking may run on into the next members before it fails, so the
//! raw bytes of a member are kept, and the search for the next one starts at its own second byte. What follows the last
//! member and is none ends the stream, as with gzip itself; [`Unpacked::has_waste`] tells of it.

use flate2::bufread::GzDecoder;
use std::io::{self, BufRead, BufReader, Chain, Cursor, Read};

/// Identification and the one compression method there is.
const MAGIC: [u8; 3] = [0x1F, 0x8B, 8];
/// Enough to tell gzip by, and an archive.
const PEEK_LEN: usize = 8;
const BUFFER_LEN: usize = 32 << 10;
/// How far back reading can go. Unpacking that has gone astray fails after some hundred bytes, but may first pass over
/// an extra field of 64 KiB or a name without an end.
const WINDOW_LEN: usize = 1 << 20;
/// Bytes that may be read again beyond those that the size of the file allows.
const SPARE_LEN: u64 = 4 << 20;

type File = BufReader<Box<dyn Read + Send>>;

pub(super) struct Unpacked {
    layer: Layer,
    n_ended: u64,
}

enum Layer {
    /// What was read ahead, then the rest.
    Plain(Chain<Cursor<Vec<u8>>, File>),
    /// The current member.
    Gzip(Box<BufReader<GzDecoder<Raw>>>),
    /// Behind a member that ended, something that is none.
    Waste(Raw),
    /// Read to the end, or given up on.
    Spent,
}

impl Unpacked {
    pub(super) fn new(file: impl Read + Send + 'static) -> io::Result<Unpacked> {
        let mut raw = Raw::new(Box::new(file));
        let is_packed = raw.peek(PEEK_LEN)?.starts_with(&MAGIC);
        let layer = if is_packed { member(raw) } else { Layer::Plain(raw.into_plain()) };
        Ok(Unpacked { layer, n_ended: 0 })
    }

    pub(super) fn is_packed(&self) -> bool {
        !matches!(self.layer, Layer::Plain(_))
    }

    /// How many members were read to their end and had the right checksum.
    pub(super) fn n_ended(&self) -> u64 {
        self.n_ended
    }

    /// At the end of the stream: whether the file goes on with something that is no member.
    pub(super) fn has_waste(&self) -> bool {
        matches!(self.layer, Layer::Waste(_))
    }

    /// After an error: whether unpacking may have run over the start of another member.
    pub(super) fn may_hide_member(&self) -> bool {
        match &self.layer {
            Layer::Gzip(member) => member.get_ref().get_ref().has_read_magic(),
            _ => false,
        }
    }

    /// After an error, or at waste: go on at what looks like the next member. Says whether there is one.
    pub(super) fn next_member(&mut self) -> io::Result<bool> {
        let Some(mut raw) = self.leave_member() else { return Ok(false) };
        raw.go_back();
        let is_found = raw.skip_to_magic()?;
        if is_found {
            self.layer = member(raw);
        }
        Ok(is_found)
    }

    fn leave_member(&mut self) -> Option<Raw> {
        match std::mem::replace(&mut self.layer, Layer::Spent) {
            Layer::Gzip(member) => Some(member.into_inner().into_inner()),
            Layer::Waste(raw) => Some(raw),
            Layer::Plain(_) | Layer::Spent => None,
        }
    }

    /// Go over the ends of members, so that there is something to read unless the stream ends.
    fn pass_ends(&mut self) -> io::Result<()> {
        while let Layer::Gzip(decoder) = &mut self.layer {
            if !decoder.fill_buf()?.is_empty() {
                return Ok(());
            }
            self.n_ended += 1;
            if let Some(raw) = self.leave_member() {
                self.layer = behind_member(raw)?;
            }
        }
        Ok(())
    }
}

fn member(mut raw: Raw) -> Layer {
    raw.mark();
    Layer::Gzip(Box::new(BufReader::with_capacity(BUFFER_LEN, GzDecoder::new(raw))))
}

fn behind_member(mut raw: Raw) -> io::Result<Layer> {
    raw.skip_padding()?;
    let next = raw.peek(MAGIC.len())?;
    let next = &next[..next.len().min(MAGIC.len())];
    if next.is_empty() {
        return Ok(Layer::Spent);
    }
    // A file may be cut within the magic.
    if MAGIC.starts_with(next) {
        return Ok(member(raw));
    }
    raw.mark();
    Ok(Layer::Waste(raw))
}

/// The raw bytes of a file, with a way back to the start of the current member.
struct Raw {
    file: File,
    /// What was taken from the file last.
    kept: Vec<u8>,
    /// Where in `kept` the member starts, or as much of it as can be gone back to.
    start: usize,
    /// Where in `kept` reading is. What lies behind is read before the file.
    position: usize,
    n_taken: u64,
    n_again: u64,
}

impl Raw {
    fn new(file: Box<dyn Read + Send>) -> Raw {
        let file = BufReader::with_capacity(BUFFER_LEN, file);
        Raw { file, kept: Vec::new(), start: 0, position: 0, n_taken: 0, n_again: 0 }
    }

    fn into_plain(mut self) -> Chain<Cursor<Vec<u8>>, File> {
        self.kept.drain(..self.position);
        Cursor::new(self.kept).chain(self.file)
    }

    /// The next bytes: at least this many, unless the file ends.
    fn peek(&mut self, n_bytes: usize) -> io::Result<&[u8]> {
        let n_missing = n_bytes.saturating_sub(self.kept.len() - self.position);
        let n_new = (&mut self.file).take(n_missing as u64).read_to_end(&mut self.kept)?;
        self.n_taken += n_new as u64;
        Ok(&self.kept[self.position..])
    }

    /// A member starts here.
    fn mark(&mut self) {
        self.start = self.position;
        self.forget();
    }

    fn forget(&mut self) {
        // Only where that moves fewer bytes than it drops, or many small members would make it quadratic.
        if self.start > self.kept.len() / 2 {
            self.kept.drain(..self.start);
            self.position -= self.start;
            self.start = 0;
        }
    }

    /// Go to the second byte of the member, or as near as possible.
    fn go_back(&mut self) {
        let target = (self.start + 1).min(self.position);
        let n_again = self.n_again + (self.position - target) as u64;
        // A file of nothing but starts of members would be read again and again.
        if n_again <= 2 * self.n_taken + SPARE_LEN {
            self.n_again = n_again;
            self.position = target;
        }
    }

    fn has_read_magic(&self) -> bool {
        let read = &self.kept[self.start..self.position];
        read.windows(MAGIC.len()).skip(1).any(|window| window == MAGIC)
    }

    /// Read over what some tools put behind a member: zeros and line ends.
    fn skip_padding(&mut self) -> io::Result<()> {
        loop {
            let buffer = self.fill_buf()?;
            let is_padding = |byte: &&u8| **byte == 0 || byte.is_ascii_whitespace();
            let n_padding = buffer.iter().take_while(is_padding).count();
            let is_over = n_padding < buffer.len() || buffer.is_empty();
            self.consume(n_padding);
            if is_over {
                return Ok(());
            }
        }
    }

    /// Go to the next start of a member. Says whether there is one.
    fn skip_to_magic(&mut self) -> io::Result<bool> {
        let mut n_matched = 0;
        loop {
            let buffer = self.fill_buf()?;
            if buffer.is_empty() {
                return Ok(false);
            }
            let end = buffer.iter().position(|byte| {
                n_matched = match *byte {
                    byte if byte == MAGIC[n_matched] => n_matched + 1,
                    byte if byte == MAGIC[0] => 1,
                    _ => 0,
                };
                n_matched == MAGIC.len()
            });
            let n_read = end.map_or(buffer.len(), |end| end + 1);
            self.consume(n_read);
            if end.is_some() {
                self.position -= MAGIC.len();
                return Ok(true);
            }
        }
    }
}

impl Read for Raw {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n_bytes = self.fill_buf()?.read(buffer)?;
        self.consume(n_bytes);
        Ok(n_bytes)
    }
}

impl BufRead for Raw {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.position < self.kept.len() {
            return Ok(&self.kept[self.position..]);
        }
        self.file.fill_buf()
    }

    fn consume(&mut self, n_bytes: usize) {
        if self.position < self.kept.len() {
            self.position += n_bytes;
            return;
        }
        self.kept.extend_from_slice(&self.file.buffer()[..n_bytes]);
        self.file.consume(n_bytes);
        self.n_taken += n_bytes as u64;
        self.position = self.kept.len();
        self.start = self.start.max(self.position.saturating_sub(WINDOW_LEN));
        self.forget();
    }
}

impl Read for Unpacked {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.pass_ends()?;
        match &mut self.layer {
            Layer::Plain(raw) => raw.read(buffer),
            Layer::Gzip(decoder) => decoder.read(buffer),
            Layer::Waste(_) | Layer::Spent => Ok(0),
        }
    }
}

impl BufRead for Unpacked {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.pass_ends()?;
        match &mut self.layer {
            Layer::Plain(raw) => raw.fill_buf(),
            Layer::Gzip(decoder) => decoder.fill_buf(),
            Layer::Waste(_) | Layer::Spent => Ok(&[]),
        }
    }

    fn consume(&mut self, n_bytes: usize) {
        match &mut self.layer {
            Layer::Plain(raw) => raw.consume(n_bytes),
            Layer::Gzip(decoder) => decoder.consume(n_bytes),
            Layer::Waste(_) | Layer::Spent => {}
        }
    }
}
