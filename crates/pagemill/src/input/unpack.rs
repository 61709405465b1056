//! Bytes of a file, unpacked if they are gzip.
//!
//! A file of several gzip members, as archives are, reads as one stream. Where a member is damaged, reading fails, and
//! [`Unpacked::next_member`] goes on behind it.

use flate2::bufread::GzDecoder;
use std::io::{self, BufRead, BufReader, Chain, Cursor, Read};

/// Identification and the one compression method there is.
const MAGIC: [u8; 3] = [0x1F, 0x8B, 8];
/// Enough to tell gzip by, and an archive.
const PEEK_LEN: u64 = 8;
const BUFFER_LEN: usize = 32 << 10;

/// What was read ahead, then the rest.
type Raw = Chain<Cursor<Vec<u8>>, BufReader<Box<dyn Read + Send>>>;

pub(super) struct Unpacked {
    layer: Layer,
    n_ended: u64,
}

enum Layer {
    Plain(Raw),
    /// The current member.
    Gzip(Box<BufReader<GzDecoder<Raw>>>),
    /// Read to the end, or given up on.
    Spent,
}

impl Unpacked {
    pub(super) fn new(mut file: impl Read + Send + 'static) -> io::Result<Unpacked> {
        let mut head = Vec::new();
        file.by_ref().take(PEEK_LEN).read_to_end(&mut head)?;
        let is_packed = head.starts_with(&MAGIC);
        let file: Box<dyn Read + Send> = Box::new(file);
        let raw = Cursor::new(head).chain(BufReader::with_capacity(BUFFER_LEN, file));
        let layer = if is_packed { member(raw) } else { Layer::Plain(raw) };
        Ok(Unpacked { layer, n_ended: 0 })
    }

    pub(super) fn is_packed(&self) -> bool {
        matches!(self.layer, Layer::Gzip(_))
    }

    /// How many members were read to their end and had the right checksum.
    pub(super) fn n_ended(&self) -> u64 {
        self.n_ended
    }

    /// After an error: go on at what looks like the next member. Says whether there is one.
    pub(super) fn next_member(&mut self) -> io::Result<bool> {
        let Some(mut raw) = self.leave_member() else { return Ok(false) };
        let is_found = skip_to_magic(&mut raw)?;
        if is_found {
            let (old_head, file) = raw.into_inner();
            let mut head = MAGIC.to_vec();
            head.extend(old_head.bytes().map_while(Result::ok));
            self.layer = member(Cursor::new(head).chain(file));
        }
        Ok(is_found)
    }

    fn leave_member(&mut self) -> Option<Raw> {
        match std::mem::replace(&mut self.layer, Layer::Spent) {
            Layer::Gzip(member) => Some(member.into_inner().into_inner()),
            _ => None,
        }
    }

    /// Go over the ends of members, so that there is something to read unless the file ends.
    fn pass_ends(&mut self) -> io::Result<()> {
        while let Layer::Gzip(decoder) = &mut self.layer {
            if !decoder.fill_buf()?.is_empty() {
                return Ok(());
            }
            self.n_ended += 1;
            let Some(mut raw) = self.leave_member() else { return Ok(()) };
            if skip_zeros(&mut raw)? {
                self.layer = member(raw);
            }
        }
        Ok(())
    }
}

fn member(raw: Raw) -> Layer {
    Layer::Gzip(Box::new(BufReader::with_capacity(BUFFER_LEN, GzDecoder::new(raw))))
}

/// Read over the zeros that some tools pad a file with. Says whether something follows.
fn skip_zeros(raw: &mut Raw) -> io::Result<bool> {
    loop {
        let buffer = raw.fill_buf()?;
        if buffer.is_empty() {
            return Ok(false);
        }
        let n_zeros = buffer.iter().take_while(|byte| **byte == 0).count();
        let is_over = n_zeros < buffer.len();
        raw.consume(n_zeros);
        if is_over {
            return Ok(true);
        }
    }
}

/// Read up to and with the next start of a member. Says whether there is one.
fn skip_to_magic(raw: &mut Raw) -> io::Result<bool> {
    let mut n_matched = 0;
    loop {
        let buffer = raw.fill_buf()?;
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
        raw.consume(n_read);
        if end.is_some() {
            return Ok(true);
        }
    }
}

impl Read for Unpacked {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.pass_ends()?;
        match &mut self.layer {
            Layer::Plain(raw) => raw.read(buffer),
            Layer::Gzip(decoder) => decoder.read(buffer),
            Layer::Spent => Ok(0),
        }
    }
}

impl BufRead for Unpacked {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.pass_ends()?;
        match &mut self.layer {
            Layer::Plain(raw) => raw.fill_buf(),
            Layer::Gzip(decoder) => decoder.fill_buf(),
            Layer::Spent => Ok(&[]),
        }
    }

    fn consume(&mut self, n_bytes: usize) {
        match &mut self.layer {
            Layer::Plain(raw) => raw.consume(n_bytes),
            Layer::Gzip(decoder) => decoder.consume(n_bytes),
            Layer::Spent => {}
        }
    }
}
