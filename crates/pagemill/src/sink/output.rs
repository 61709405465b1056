//! Where bytes go: a file, packed or not, or a stream that is not ours to close.

use super::whole::WholeFile;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::{self, Write};

pub(super) enum Output {
    File(WholeFile),
    Gzip(Box<GzEncoder<WholeFile>>),
    Stream(Box<dyn Write + Send>),
}

impl Output {
    pub(super) fn gzip(file: WholeFile) -> Output {
        Output::Gzip(Box::new(GzEncoder::new(file, Compression::default())))
    }

    pub(super) fn finish(self) -> io::Result<()> {
        match self {
            Output::File(file) => file.finish(),
            Output::Gzip(packed) => packed.finish()?.finish(),
            Output::Stream(mut stream) => stream.flush(),
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Output::File(file) => file.write(bytes),
            Output::Gzip(packed) => packed.write(bytes),
            Output::Stream(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Output::File(file) => file.flush(),
            Output::Gzip(packed) => packed.flush(),
            Output::Stream(stream) => stream.flush(),
        }
    }
}
