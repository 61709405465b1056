//! The pages of a crawl as a web archive that others can read.
//!
//! ISO 28500 (WARC 1.1), a gzip member for each record, as archivers expect it.

use crawl::{PageRow, StoreError};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::fmt::Write as _;
use std::io::{self, Write};
use thiserror::Error;

/// Why an archive cannot be written.
#[derive(Debug, Error)]
pub enum WarcError {
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The file.
    #[error("cannot write the archive: {0}")]
    Write(#[from] io::Error),
}

/// Write all pages of a store, each given as the next after a number; gives how many there are.
pub fn export(
    mut page_after: impl FnMut(i64) -> Result<Option<PageRow>, StoreError>,
    mut out: impl Write,
) -> Result<u64, WarcError> {
    let software = concat!(
        "software: pagemill/",
        env!("CARGO_PKG_VERSION"),
        "\r\nformat: WARC File Format 1.1\r\n"
    );
    let fields = [("WARC-Type", "warcinfo"), ("Content-Type", "application/warc-fields")];
    record(&mut out, &fields, &id(software.as_bytes()), 0, software.as_bytes())?;
    let (mut n_pages, mut last) = (0, i64::MIN);
    while let Some(page) = page_after(last)? {
        last = page.id;
        n_pages += 1;
        let block = response(&page);
        let fields = [
            ("WARC-Type", "response"),
            ("WARC-Target-URI", page.url.as_str()),
            ("Content-Type", "application/http;msgtype=response"),
        ];
        let seed = format!("{}\n{}\n{}", page.url, page.at, page.id);
        record(&mut out, &fields, &id(seed.as_bytes()), page.at, &block)?;
    }
    out.flush()?;
    Ok(n_pages)
}

/// The answer as HTTP has it. The body is unpacked, so what was said of that on the way is not there.
fn response(page: &PageRow) -> Vec<u8> {
    let mut head = format!("HTTP/1.1 {} \r\n", page.status);
    for line in page.headers.lines().filter(|line| line.contains(':')) {
        let _ = write!(head, "{line}\r\n");
    }
    let _ = write!(head, "Content-Length: {}\r\n\r\n", page.body.len());
    let mut block = head.into_bytes();
    block.extend_from_slice(&page.body);
    block
}

fn record(
    out: &mut impl Write,
    fields: &[(&str, &str)],
    id: &str,
    at: i64,
    block: &[u8],
) -> io::Result<()> {
    let mut packed = GzEncoder::new(out, Compression::new(6));
    write!(packed, "WARC/1.1\r\n")?;
    for (name, value) in fields {
        // An address has no line ends, or it would not have been one.
        write!(packed, "{name}: {}\r\n", value.replace(['\r', '\n'], ""))?;
    }
    write!(packed, "WARC-Record-ID: {id}\r\nWARC-Date: {}\r\n", date(at))?;
    write!(packed, "Content-Length: {}\r\n\r\n", block.len())?;
    packed.write_all(block)?;
    packed.write_all(b"\r\n\r\n")?;
    packed.finish()?;
    Ok(())
}

/// An id that the same record has every time: two hashes as a UUID of version 8.
fn id(seed: &[u8]) -> String {
    let hash = |start: u64| {
        seed.iter()
            .fold(start, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
    };
    let (a, b) = (hash(0xcbf2_9ce4_8422_2325), hash(0x9ae1_6a3b_2f90_404f));
    format!(
        "<urn:uuid:{:08x}-{:04x}-8{:03x}-{:04x}-{:012x}>",
        a >> 32,
        a >> 16 & 0xFFFF,
        a & 0xFFF,
        0x8000 | b >> 48 & 0x3FFF,
        b & 0xFFFF_FFFF_FFFF
    )
}

/// Milliseconds since 1970 as `2024-03-01T12:00:00Z`.
pub fn date(at: i64) -> String {
    let seconds = at.div_euclid(1000);
    let (days, rest) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    // From days to a date of the civil calendar: years that begin in March, in eras of 400.
    let shifted = days + 719_468;
    let (era, of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year + era * 400 + i64::from(month <= 2);
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// The milliseconds since 1970 of a date such as `2024-03-01T12:00:00Z`.
pub fn millis(date: &str) -> Option<i64> {
    let number = |range: std::ops::Range<usize>| date.get(range)?.parse::<i64>().ok();
    let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
    let (hour, minute, second) = (number(11..13)?, number(14..16)?, number(17..19)?);
    let (year, month) = if month <= 2 { (year - 1, month + 9) } else { (year, month - 3) };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * month + 2) / 5 + day - 1;
    let days = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468;
    Some(((days * 24 + hour) * 60 + minute) * 60_000 + second * 1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(date(0), "1970-01-01T00:00:00Z");
        assert_eq!(date(951_782_400_000), "2000-02-29T00:00:00Z");
        assert_eq!(date(1_709_294_399_999), "2024-03-01T11:59:59Z");
        for at in [0, 951_782_400_000, 1_709_294_399_000, -86_400_000, 4_102_444_799_000] {
            assert_eq!(millis(&date(at)), Some(at));
        }
        assert_eq!(millis("yesterday"), None);
    }
}
