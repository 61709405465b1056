//! Reading texts of the language, character by character.
//!
//! There are no tokens: a name may hold blanks, dots and words that mean something elsewhere, so only the grammar knows where it
//! ends. A `--` at the start of a line or after a blank begins a comment.

use crate::error::Error;
use std::cell::Cell;
use std::fmt;

/// Deeper brackets are refused: what reads them calls itself.
const MAX_DEPTH: usize = 64;
/// What an error shows of the text.
const MAX_SHOWN: usize = 24;

/// A place in a text, both from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The line.
    pub line: u32,
    /// The character in it.
    pub column: u32,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// A name and where it stands. Names are the same wherever they stand.
#[derive(Clone, Debug)]
pub struct Word {
    /// The name, with single blanks.
    pub text: String,
    /// Where it starts.
    pub at: Position,
    /// Whether it stood in quotes, and so means nothing else.
    pub is_quoted: bool,
}

impl PartialEq for Word {
    fn eq(&self, other: &Word) -> bool {
        self.text == other.text
    }
}

impl Eq for Word {}

impl Word {
    /// A name that comes from nowhere.
    pub fn new(text: impl Into<String>) -> Word {
        Word { text: text.into(), at: Position { line: 1, column: 1 }, is_quoted: false }
    }
}

#[derive(Clone)]
pub(crate) struct Reader<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
    /// A place before, and where that is: counted on from there, so that all places together cost one look at the text.
    known: Cell<(usize, Position)>,
}

impl<'t> Reader<'t> {
    pub(crate) fn new(text: &'t str) -> Reader<'t> {
        let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
        let start = Position { line: 1, column: 1 };
        Reader { text, at: 0, depth: 0, known: Cell::new((0, start)) }
    }

    pub(crate) fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    pub(crate) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(crate) fn position(&self) -> Position {
        let (known, mut place) = self.known.get();
        for next in self.text[known.min(self.at)..self.at].chars() {
            match next {
                '\n' => place = Position { line: place.line.saturating_add(1), column: 1 },
                _ => place.column = place.column.saturating_add(1),
            }
        }
        self.known.set((self.at, place));
        place
    }

    /// Over blanks and comments.
    pub(crate) fn skip(&mut self) {
        loop {
            let trimmed = self.rest().trim_start();
            self.at = self.text.len() - trimmed.len();
            if !self.is_comment() {
                return;
            }
            self.at += self.rest().find('\n').unwrap_or(self.rest().len());
        }
    }

    fn is_comment(&self) -> bool {
        let before = self.text[..self.at].chars().next_back();
        self.rest().starts_with("--") && before.is_none_or(char::is_whitespace)
    }

    pub(crate) fn is_at_end(&mut self) -> bool {
        self.skip();
        self.at == self.text.len()
    }

    /// Whether this is next, after blanks.
    pub(crate) fn sees(&mut self, mark: &str) -> bool {
        self.skip();
        self.rest().starts_with(mark)
    }

    /// Over this, if it is next.
    pub(crate) fn takes(&mut self, mark: &str) -> bool {
        let is_there = self.sees(mark);
        if is_there {
            self.at += mark.len();
        }
        is_there
    }

    pub(crate) fn expect(&mut self, mark: &str, what: &str) -> Result<(), Error> {
        match self.takes(mark) {
            true => Ok(()),
            false => Err(self.expected(what)),
        }
    }

    /// Over a word of the language, in any case, if it is next as a whole word.
    pub(crate) fn takes_word(&mut self, word: &str) -> bool {
        let is_there = self.sees_word(word);
        if is_there {
            self.at += word.len();
        }
        is_there
    }

    pub(crate) fn sees_word(&mut self, word: &str) -> bool {
        self.skip();
        let rest = self.rest();
        let is_word = rest.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
        is_word
            && !rest[word.len()..].starts_with(|next: char| next.is_alphanumeric() || next == '_')
    }

    /// What was expected here, and what is here.
    pub(crate) fn expected(&mut self, what: &str) -> Error {
        self.skip();
        let found: String =
            self.rest().chars().take(MAX_SHOWN).take_while(|c| *c != '\n').collect();
        let found = match found.trim_end() {
            "" => "the text ends".to_owned(),
            found => format!("found {found:?}"),
        };
        self.wrong(format!("expected {what}, but {found}"))
    }

    pub(crate) fn wrong(&self, message: String) -> Error {
        Error::Syntax { at: self.position(), message }
    }

    /// What is in quotes, with `""` for a quote; none if no quote is next.
    pub(crate) fn quoted(&mut self) -> Result<Option<Word>, Error> {
        if !self.sees("\"") {
            return Ok(None);
        }
        let (at, mut text) = (self.position(), String::new());
        let mut rest = self.rest()[1..].char_indices().peekable();
        while let Some((idx, next)) = rest.next() {
            match next {
                '"' if rest.peek().is_some_and(|(_, after)| *after == '"') => {
                    rest.next();
                    text.push('"');
                }
                '"' => {
                    self.at += idx + 2;
                    return Ok(Some(Word { text, at, is_quoted: true }));
                }
                other => text.push(other),
            }
        }
        Err(Error::Syntax { at, message: "expected a closing quote, but the text ends".to_owned() })
    }

    /// Text up to a character at which it stops, a comment or the end; with single blanks.
    pub(crate) fn bare(&mut self, stops: impl Fn(char) -> bool) -> Word {
        self.bare_before(stops, &[])
    }

    /// The same, up to one of some words too.
    pub(crate) fn bare_before(&mut self, stops: impl Fn(char) -> bool, words: &[&str]) -> Word {
        self.skip();
        let (at, start) = (self.position(), self.at);
        let mut text = String::new();
        let ends = |reader: &Self| reader.is_comment() || reader.rest().starts_with("->");
        while let Some(next) = self.peek().filter(|next| !stops(*next) && !ends(self)) {
            if next.is_whitespace() {
                self.skip();
                if words.iter().any(|word| self.sees_word(word)) {
                    break;
                }
                text.push(' ');
            } else {
                self.at += next.len_utf8();
                text.push(next);
            }
        }
        if self.at == start {
            return Word { text, at, is_quoted: false };
        }
        text.truncate(text.trim_end().len());
        Word { text, at, is_quoted: false }
    }

    /// A name, in quotes or bare.
    pub(crate) fn name(&mut self, stops: impl Fn(char) -> bool, what: &str) -> Result<Word, Error> {
        if let Some(word) = self.quoted()? {
            return match word.text.trim().is_empty() {
                true => Err(Error::Syntax {
                    at: word.at,
                    message: format!("expected {what}, but it is empty"),
                }),
                false => Ok(word),
            };
        }
        let word = self.bare(|next| next == '"' || stops(next));
        match word.text.is_empty() {
            true => Err(self.expected(what)),
            false => Ok(word),
        }
    }

    /// A number of decimal digits.
    pub(crate) fn digits(&mut self) -> Option<u32> {
        self.skip();
        let n_digits = self.rest().bytes().take_while(u8::is_ascii_digit).count();
        let number = self.rest()[..n_digits].parse().ok()?;
        self.at += n_digits;
        Some(number)
    }

    /// Go on further ahead.
    pub(crate) fn go(&mut self, n_bytes: usize) {
        self.at += n_bytes;
    }

    /// Read what is in brackets, unless they are too deep.
    pub(crate) fn deeper<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, Error>,
    ) -> Result<T, Error> {
        if self.depth == MAX_DEPTH {
            return Err(self.wrong(format!("brackets are more than {MAX_DEPTH} deep")));
        }
        self.depth += 1;
        let read = read(self);
        self.depth -= 1;
        read
    }

    /// Things with commas between them, up to a closing bracket, which is read over.
    pub(crate) fn list<T>(
        &mut self,
        close: &str,
        mut one: impl FnMut(&mut Self) -> Result<T, Error>,
    ) -> Result<Vec<T>, Error> {
        self.deeper(|reader| {
            let mut all = Vec::new();
            while !reader.takes(close) {
                if !all.is_empty() {
                    reader.expect(",", &format!("\",\" or {close:?}"))?;
                    // A comma after the last is no mistake.
                    if reader.takes(close) {
                        break;
                    }
                }
                all.push(one(reader)?);
            }
            Ok(all)
        })
    }
}

/// A name as it is written: bare, or in quotes where it would be read as something else.
pub(crate) fn write_name(out: &mut String, name: &str, is_plain: impl Fn(&str) -> bool) {
    if is_plain(name) {
        out.push_str(name);
        return;
    }
    out.push('"');
    out.push_str(&name.replace('"', "\"\""));
    out.push('"');
}

/// Whether a name is read back as it is wherever names may stand: no marks of the language, single blanks.
pub(crate) fn is_simple(name: &str) -> bool {
    let is_mark = |c: char| {
        matches!(
            c,
            '[' | ']'
                | '{'
                | '}'
                | '('
                | ')'
                | ','
                | ';'
                | ':'
                | '"'
                | '$'
                | '<'
                | '>'
                | '='
                | '!'
                | '#'
                | '\u{FEFF}'
        )
    };
    let is_blank_odd = |c: char| (c.is_whitespace() && c != ' ') || c.is_control();
    !name.is_empty()
        && name.trim() == name
        && !name.contains("  ")
        && !name.contains(|c| is_mark(c) || is_blank_odd(c))
        && !name.contains("->")
        && !name.starts_with("--")
        && !name.contains(" --")
        && !name.starts_with('@')
        && name != "…"
        && name != "..."
}
