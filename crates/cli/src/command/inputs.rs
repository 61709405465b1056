//! The flags of every command that reads pages.

use crate::output::talk;
use clap::Args;
use pagemill::input::{self, InputError, InputPage};
use std::ffi::{OsStr, OsString};
use std::io::{self, Read};

#[derive(Debug, Args)]
pub(super) struct Inputs {
    /// Files, folders, patterns, addresses (https://…), web archives, stores, or - for a list of them on stdin
    #[arg(value_name = "INPUT", required = true)]
    inputs: Vec<OsString>,

    #[command(flatten)]
    reading: Reading,
}

/// How pages are read, whatever they are.
#[derive(Clone, Debug, Default, Args)]
pub(super) struct Reading {
    /// Read pages as this encoding (such as windows-1252), whatever they or HTTP say; only a byte order mark is
    /// stronger
    #[arg(long, value_name = "LABEL", value_parser = charset)]
    charset: Option<String>,

    /// Leave out pages with more bytes than this (such as 500K or 1G; if not given, 64M)
    #[arg(long, value_name = "SIZE", value_parser = size)]
    max_bytes: Option<u64>,
}

/// Pages and those that cannot be read, as they come.
pub(super) struct Pages {
    pages: input::Pages,
    charset: Option<String>,
}

/// Pages and how many could not be read so far.
pub(super) struct Reader {
    pages: Pages,
    pub(super) n_failed: usize,
}

impl Reading {
    pub(super) fn read(&self, inputs: &[OsString]) -> Pages {
        let mut pages = input::pages(inputs);
        if let Some(max_bytes) = self.max_bytes {
            pages = pages.with_max_bytes(max_bytes);
        }
        Pages { pages, charset: self.charset.clone() }
    }

    pub(super) fn pages(&self, inputs: &[OsString]) -> Reader {
        Reader { pages: self.read(inputs), n_failed: 0 }
    }
}

impl Inputs {
    pub(super) fn read(&self) -> Pages {
        self.reading.read(&self.inputs)
    }

    pub(super) fn pages(&self) -> Reader {
        self.reading.pages(&self.inputs)
    }

    /// The first of them, as the user named it.
    pub(super) fn first(&self) -> &OsStr {
        // There is one at least.
        self.inputs.first().map_or(OsStr::new(""), OsString::as_os_str)
    }

    /// As a user would type them.
    pub(super) fn shown(&self) -> String {
        let is_plain = |c: char| c.is_alphanumeric() || "-_./~+=:,@%".contains(c);
        let shown = |input: &OsString| match input.to_string_lossy() {
            text if !text.is_empty() && text.chars().all(is_plain) => text.into_owned(),
            text => format!("'{}'", text.replace('\'', "'\\''")),
        };
        match self.inputs.as_slice() {
            few @ ([] | [_] | [_, _] | [_, _, _]) => {
                few.iter().map(shown).collect::<Vec<String>>().join(" ")
            }
            many => format!("{} … {}", shown(&many[0]), shown(&many[many.len() - 1])),
        }
    }
}

/// Inputs that can be read more than once, though a list on stdin cannot.
pub(super) struct Rereadable<'f> {
    inputs: &'f Inputs,
    list: Vec<u8>,
    web: input::Web,
}

impl Inputs {
    /// Read the list on stdin, if there is one, so that it can be gone through again.
    pub(super) fn rereadable(&self) -> io::Result<Rereadable<'_>> {
        let mut list = Vec::new();
        if self.inputs.iter().any(|input| input == "-") {
            io::stdin().read_to_end(&mut list)?;
        }
        Ok(Rereadable { inputs: self, list, web: input::Web::default() })
    }
}

impl Rereadable<'_> {
    pub(super) fn read(&self) -> Pages {
        let mut pages = self.inputs.read();
        let list = io::Cursor::new(self.list.clone());
        pages.pages = pages.pages.with_list(list).with_web(self.web.clone());
        pages
    }

    pub(super) fn pages(&self) -> Reader {
        Reader { pages: self.read(), n_failed: 0 }
    }
}

impl Iterator for Pages {
    type Item = Result<InputPage, InputError>;

    fn next(&mut self) -> Option<Self::Item> {
        let page = self.pages.next()?;
        Some(page.map(|mut page| {
            page.charset = self.charset.clone().or(page.charset);
            page
        }))
    }
}

impl Reader {
    /// The next page that can be read. Of those that cannot, the user is told.
    pub(super) fn next(&mut self) -> Option<InputPage> {
        loop {
            match self.pages.next()? {
                Ok(page) => return Some(page),
                Err(error) => {
                    self.n_failed += 1;
                    tell(&error);
                }
            }
        }
    }
}

/// The library knows what is wrong, but not our flags.
pub(super) fn tell(error: &InputError) {
    match error {
        InputError::TooLarge { .. } => {
            talk::say(format_args!("{error}; raise it with --max-bytes"));
        }
        _ => talk::say(error),
    }
}

/// A label that some encoding has.
fn charset(label: &str) -> Result<String, String> {
    match pagemill::page::is_charset(label) {
        true => Ok(label.to_owned()),
        false => {
            Err("no encoding of the web has this label; try utf-8, windows-1252, shift_jis".into())
        }
    }
}

/// A number of bytes, with or without a unit. Units are powers of 1024, as in our messages.
fn size(text: &str) -> Result<u64, String> {
    let unit_start = text.find(|character: char| !character.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(unit_start);
    let unit: Option<u64> = match unit.to_ascii_lowercase().as_str() {
        "" | "b" => Some(1),
        "k" | "kb" | "kib" => Some(1 << 10),
        "m" | "mb" | "mib" => Some(1 << 20),
        "g" | "gb" | "gib" => Some(1 << 30),
        _ => None,
    };
    let size = number.parse().ok().zip(unit).and_then(|(number, unit)| unit.checked_mul(number));
    size.ok_or_else(|| "a size is a whole number of bytes, K, M or G, such as 64M".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read() {
        let check = |text, expected| assert_eq!(size(text).ok(), expected, "{text}");
        check("0", Some(0));
        check("4096", Some(4096));
        check("500k", Some(500 << 10));
        check("64M", Some(64 << 20));
        check("64MiB", Some(64 << 20));
        check("1G", Some(1 << 30));
        for text in ["", "M", "-1", "+1", "1.5G", "1T", "1 M", "99999999999G", "1M1"] {
            check(text, None);
        }
    }
}
