//! A short text as folded characters, and a cursor over them.
//!
//! Folding takes away what differs between keyboards and countries but means the same: kinds of
//! blanks, dashes, quotes and digits. Case stays, since `5G` is no weight; the word tables compare
//! without it.

use super::words::{Words, compare};

/// Longer texts are not read as values. The longest dates with weekday, time and zone stay below.
pub(super) const MAX_CHARS: usize = 64;

/// The folded characters of the text, without doubled blanks; none if they are too many.
pub(super) fn fold<'b>(text: &str, buffer: &'b mut [char; MAX_CHARS]) -> Option<&'b [char]> {
    let mut len = 0;
    for c in text.chars().filter_map(fold_char) {
        if c == ' ' && (len == 0 || buffer[len - 1] == ' ') {
            continue;
        }
        *buffer.get_mut(len)? = c;
        len += 1;
    }
    Some(&buffer[..len])
}

/// One character in its plain form; none for marks that show nothing.
fn fold_char(c: char) -> Option<char> {
    if matches!(c, ' '..='~') {
        return Some(c);
    }
    Some(match c {
        '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}' | '\u{FEFF}' | '\u{AD}' => {
            return None;
        }
        '\u{2010}'..='\u{2015}' | '−' | '～' | '〜' => '-',
        '‘' | '’' | 'ʼ' | '′' => '\'',
        '“' | '”' | '″' => '"',
        '×' | '✕' => 'x',
        '٪' => '%',
        '٫' => '.',
        '٬' => ',',
        '￥' => '¥',
        '￡' => '£',
        '０'..='９' | '！'..='｝' => shifted(c, '！', '!'),
        '٠'..='٩' => shifted(c, '٠', '0'),
        '۰'..='۹' => shifted(c, '۰', '0'),
        c if c.is_whitespace() => ' ',
        c => c,
    })
}

fn shifted(c: char, from: char, to: char) -> char {
    char::from_u32(c as u32 - from as u32 + to as u32).unwrap_or(c)
}

/// The text without separators at its ends and without one pair of brackets around it.
pub(super) fn undecorated(chars: &[char]) -> &[char] {
    trim(unbracketed(trim(chars)))
}

fn trim(mut chars: &[char]) -> &[char] {
    while let [' ' | ':' | ';' | ',' | '|' | '·' | '•', rest @ ..] = chars {
        chars = rest;
    }
    while let [rest @ .., ' ' | ':' | ';' | ',' | '|' | '·' | '•' | '*'] = chars {
        chars = rest;
    }
    if let [rest @ .., ' ', '-'] = chars { rest } else { chars }
}

fn unbracketed(chars: &[char]) -> &[char] {
    match chars {
        ['(', inner @ .., ')'] | ['[', inner @ .., ']']
            if !inner.iter().any(|c| matches!(c, '(' | ')' | '[' | ']')) =>
        {
            inner
        }
        _ => chars,
    }
}

/// A run of ASCII digits.
#[derive(Clone, Copy)]
pub(super) struct Digits {
    pub(super) value: u32,
    pub(super) len: usize,
}

/// A cursor. Every reading method either takes what it asks for or leaves the cursor where it was.
#[derive(Clone, Copy)]
pub(super) struct Scan<'t> {
    rest: &'t [char],
}

impl<'t> Scan<'t> {
    pub(super) fn new(chars: &'t [char]) -> Self {
        Scan { rest: chars }
    }

    pub(super) fn rest(&self) -> &'t [char] {
        self.rest
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest.first().copied()
    }

    /// Whether nothing is left but perhaps a full stop.
    pub(super) fn is_done(&self) -> bool {
        matches!(self.rest, [] | ['.'])
    }

    /// Runs the reader, and goes back to where it started if that gives nothing.
    pub(super) fn attempt<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let start = *self;
        let result = read(self);
        if result.is_none() {
            *self = start;
        }
        result
    }

    pub(super) fn eat(&mut self, c: char) -> bool {
        self.eat_if(|next| next == c).is_some()
    }

    pub(super) fn eat_any(&mut self, set: &str) -> Option<char> {
        self.eat_if(|next| set.chars().any(|c| c == next))
    }

    pub(super) fn eat_if(&mut self, test: impl FnOnce(char) -> bool) -> Option<char> {
        let (&next, rest) = self.rest.split_first()?;
        test(next).then(|| self.rest = rest)?;
        Some(next)
    }

    /// A blank if there is one; folding leaves no two together.
    pub(super) fn blank(&mut self) -> bool {
        self.eat(' ')
    }

    pub(super) fn digits(&mut self) -> Option<Digits> {
        let len = self.rest.iter().take_while(|c| c.is_ascii_digit()).count();
        let (run, rest) = self.rest.split_at(len);
        let value = run.iter().filter_map(|c| c.to_digit(10));
        let value = value.fold(0u32, |sum, digit| sum.saturating_mul(10).saturating_add(digit));
        self.rest = rest;
        (len > 0).then_some(Digits { value, len })
    }

    /// At most so many digits, and no more of them after.
    pub(super) fn digits_up_to(&mut self, max_len: usize) -> Option<Digits> {
        self.attempt(|s| s.digits().filter(|digits| digits.len <= max_len))
    }

    /// The letters ahead, perhaps none.
    pub(super) fn peek_letters(&self) -> &'t [char] {
        let len = self.rest.iter().take_while(|c| c.is_alphabetic()).count();
        &self.rest[..len]
    }

    /// Goes on by so many characters, at most to the end.
    pub(super) fn skip(&mut self, n_chars: usize) {
        self.rest = self.rest.get(n_chars..).unwrap_or_default();
    }

    /// The whole run of letters ahead, if it is in the ordered table.
    pub(super) fn eat_listed(&mut self, table: &Words) -> bool {
        let letters = self.peek_letters();
        let found = table.contain(letters);
        if found {
            self.skip(letters.len());
        }
        found
    }

    /// The whole run of letters ahead, if it is one of a few words.
    pub(super) fn eat_word(&mut self, words: &[&str]) -> bool {
        let letters = self.peek_letters();
        let is_same = |word: &&str| word.len() >= letters.len() && compare(word, letters).is_eq();
        let found = !letters.is_empty() && words.iter().any(is_same);
        if found {
            self.skip(letters.len());
        }
        found
    }

    /// The characters as they are, letters before or after them or not.
    pub(super) fn eat_exact(&mut self, text: &str) -> bool {
        let mut ahead = self.rest.iter();
        let found = text.chars().all(|c| ahead.next() == Some(&c));
        if found {
            self.rest = ahead.as_slice();
        }
        found
    }
}
