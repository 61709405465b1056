//! A list of inputs, one a line.

use super::error::{InputError, ListProblem};
use super::sniff::without_mark;
use std::ffi::OsString;
use std::io::{BufRead, Read};

/// Longer lines are no paths on any system.
const MAX_LINE: u64 = 32 << 10;

pub(super) struct List {
    /// None when there is no more to read.
    lines: Option<Box<dyn BufRead + Send>>,
    n_lines: u64,
    n_inputs: u64,
}

impl List {
    pub(super) fn new(lines: Box<dyn BufRead + Send>) -> List {
        List { lines: Some(lines), n_lines: 0, n_inputs: 0 }
    }

    pub(super) fn next(&mut self) -> Option<Result<OsString, InputError>> {
        self.next_input().transpose().map(|input| input.map_err(InputError::List))
    }

    fn next_input(&mut self) -> Result<Option<OsString>, ListProblem> {
        while let Some(line) = self.next_line()? {
            if line.is_empty() {
                continue;
            }
            self.n_inputs += 1;
            return self.input(line).map(Some);
        }
        if self.n_inputs == 0 {
            self.n_inputs = 1;
            return Err(ListProblem::Empty);
        }
        Ok(None)
    }

    fn input(&mut self, line: Vec<u8>) -> Result<OsString, ListProblem> {
        // Who pipes a page in would otherwise see every line of it as a missing file.
        let text = if self.n_lines == 1 { without_mark(&line) } else { &line };
        if self.n_inputs == 1 && text.trim_ascii_start().starts_with(b"<") {
            self.lines = None;
            return Err(ListProblem::IsPage);
        }
        if line == b"-" {
            return Err(ListProblem::Itself);
        }
        Ok(os_string(line))
    }

    /// A line without its end; none at the end of the list.
    fn next_line(&mut self) -> Result<Option<Vec<u8>>, ListProblem> {
        let Some(lines) = &mut self.lines else { return Ok(None) };
        let mut line = Vec::new();
        self.n_lines += 1;
        match lines.take(MAX_LINE).read_until(b'\n', &mut line) {
            Ok(0) => {
                self.lines = None;
                return Ok(None);
            }
            Ok(_) => {}
            Err(cause) => {
                self.lines = None;
                self.n_inputs += 1;
                return Err(ListProblem::Unreadable(cause));
            }
        }
        if line.len() as u64 == MAX_LINE && line.last() != Some(&b'\n') {
            self.n_inputs += 1;
            lines.skip_until(b'\n').map_err(ListProblem::Unreadable)?;
            return Err(ListProblem::LongLine(self.n_lines));
        }
        let n_end = line.iter().rev().take_while(|byte| matches!(byte, b'\n' | b'\r')).count();
        line.truncate(line.len() - n_end);
        Ok(Some(line))
    }
}

#[cfg(unix)]
fn os_string(line: Vec<u8>) -> OsString {
    std::os::unix::ffi::OsStringExt::from_vec(line)
}

#[cfg(not(unix))]
fn os_string(line: Vec<u8>) -> OsString {
    String::from_utf8_lossy(&line).into_owned().into()
}
