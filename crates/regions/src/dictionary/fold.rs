//! Texts as dictionaries have them: lower case, without accents, cut into words.
//!
//! A letter becomes one letter, so that `dictionaries/make.py` can do the same with a line of code.

use std::ops::Range;

/// The words of a text, folded, with their places in it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Folded {
    /// All words with a blank between.
    text: String,
    words: Vec<Word>,
}

/// Where a word stands: in the folded text and in the text as it was.
#[derive(Clone, Copy, Debug)]
struct Word {
    start: u32,
    end: u32,
    place: u32,
    place_end: u32,
}

impl Word {
    fn folded(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// Texts are leaves of pages, which are shorter than this.
fn offset(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}

impl Folded {
    pub(crate) fn len(&self) -> usize {
        self.words.len()
    }

    pub(crate) fn word(&self, index: usize) -> &str {
        &self.text[self.words[index].folded()]
    }

    pub(crate) fn words(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map(|index| self.word(index))
    }

    /// Some words in a row, with blanks between.
    pub(crate) fn slice(&self, start: usize, end: usize) -> &str {
        match end.checked_sub(1).filter(|last| *last >= start) {
            Some(last) => {
                &self.text[self.words[start].folded().start..self.words[last].folded().end]
            }
            None => "",
        }
    }

    /// Where a word stands in the text as it was.
    pub(crate) fn place(&self, index: usize) -> Range<usize> {
        let word = self.words[index];
        word.place as usize..word.place_end as usize
    }
}

/// Fold a text. Apostrophes and full stops inside a word are dropped (`O'Brien`, `Ph.D.`); hyphens part words.
pub(crate) fn fold(text: &str) -> Folded {
    let mut folded = Folded::default();
    fold_into(text, &mut folded);
    folded
}

/// The same, in the memory of another.
pub(crate) fn fold_into(text: &str, folded: &mut Folded) {
    folded.text.clear();
    folded.words.clear();
    if !folded.push_simple(text) {
        folded.text.clear();
        folded.words.clear();
        folded.push_any(text);
    }
}

/// How many letters and digits of ASCII come first.
fn n_plain(bytes: &[u8]) -> usize {
    bytes.iter().position(|byte| !byte.is_ascii_alphanumeric()).unwrap_or(bytes.len())
}

impl Folded {
    /// A text of plain words with one blank between, as most are: its words stand where they stood. Says whether it was one.
    fn push_simple(&mut self, text: &str) -> bool {
        let mut start = 0;
        for (place, byte) in text.bytes().enumerate() {
            if byte == b' ' {
                if place == start {
                    return false;
                }
                self.push_word(start, place);
                start = place + 1;
            } else if !byte.is_ascii_alphanumeric() {
                return false;
            }
        }
        if start == text.len() {
            return text.is_empty();
        }
        self.push_word(start, text.len());
        self.text.push_str(text);
        self.text.make_ascii_lowercase();
        true
    }

    fn push_word(&mut self, start: usize, end: usize) {
        let (start, end) = (offset(start), offset(end));
        self.words.push(Word { start, end, place: start, place_end: end });
    }

    fn push_any(&mut self, text: &str) {
        let mut is_open = false;
        let mut place = 0;
        while let Some(byte) = text.as_bytes().get(place) {
            if byte.is_ascii_alphanumeric() {
                let n_bytes = n_plain(&text.as_bytes()[place..]);
                self.push_plain(&text[place..place + n_bytes], place, is_open);
                (place, is_open) = (place + n_bytes, true);
                continue;
            }
            if *byte == b' ' || *byte == b',' {
                (place, is_open) = (place + 1, false);
                continue;
            }
            let letter = text[place..].chars().next().unwrap_or(' ');
            if !byte.is_ascii() && (is_letter(letter) || letter.is_numeric()) {
                self.push_letter(letter, place, is_open);
                is_open = true;
            } else {
                is_open = is_open && is_joint(text, place, letter);
            }
            place += letter.len_utf8();
        }
    }

    /// Add letters to the word that is open, or to a new one.
    fn push_plain(&mut self, letters: &str, place: usize, is_open: bool) {
        self.open(place, is_open);
        let start = self.text.len();
        self.text.push_str(letters);
        self.text[start..].make_ascii_lowercase();
        self.close(place + letters.len());
    }

    fn push_letter(&mut self, letter: char, place: usize, is_open: bool) {
        self.open(place, is_open);
        push_folded(&mut self.text, letter);
        self.close(place + letter.len_utf8());
    }

    fn open(&mut self, place: usize, is_open: bool) {
        if is_open {
            return;
        }
        if !self.text.is_empty() {
            self.text.push(' ');
        }
        let (start, place) = (offset(self.text.len()), offset(place));
        self.words.push(Word { start, end: start, place, place_end: place });
    }

    fn close(&mut self, end: usize) {
        if let Some(word) = self.words.last_mut() {
            (word.end, word.place_end) = (offset(self.text.len()), offset(end));
        }
    }
}

/// Letters, and the marks that scripts write their vowels with.
pub(crate) fn is_letter(letter: char) -> bool {
    if letter.is_ascii() {
        return letter.is_ascii_alphabetic();
    }
    letter.is_alphabetic()
        || ('\u{300}'..='\u{36f}').contains(&letter)
        || ('\u{900}'..='\u{e4f}').contains(&letter)
}

/// Whether a word goes on over an apostrophe or a full stop: `O'Brien`, `Ph.D.`, `J.R.`, but not `B.Novikov` or `Prof.dr.`
pub(crate) fn is_joint(text: &str, place: usize, joint: char) -> bool {
    let after = &text[place + joint.len_utf8()..];
    match joint {
        '\'' | '’' | '‘' | '`' | '´' | 'ʼ' => after.starts_with(is_letter),
        '.' => {
            (1..=2).contains(&n_letters(after.chars()))
                && n_letters(text[..place].chars().rev()) <= 2
        }
        _ => false,
    }
}

/// How many letters come first; more than three are as many as three.
fn n_letters(letters: impl Iterator<Item = char>) -> usize {
    letters.take(3).take_while(|letter| is_letter(*letter)).count()
}

fn push_folded(folded: &mut String, letter: char) {
    match letter {
        'a'..='z' | '0'..='9' => folded.push(letter),
        'A'..='Z' => folded.push(letter.to_ascii_lowercase()),
        '\u{300}'..='\u{36f}' => {}
        '\u{c0}'..='\u{24f}' => push_latin(folded, letter, LATIN, 0xc0),
        '\u{1e00}'..='\u{1eff}' => push_latin(folded, letter, LATIN_ADDITIONAL, 0x1e00),
        _ => folded.extend(letter.to_lowercase()),
    }
}

fn push_latin(folded: &mut String, letter: char, table: &str, first: usize) {
    match table.as_bytes().get(letter as usize - first) {
        Some(b'?') | None => folded.extend(letter.to_lowercase()),
        Some(plain) => folded.push(char::from(*plain)),
    }
}

/// The plain letter for each from U+00C0 on; `?` where there is none.
const LATIN: &str = "\
    aaaaaaaceeeeiiiidnooooo?ouuuuytsaaaaaaaceeeeiiiidnooooo?ouuuuytyaaaaaaccccccccddddeeeeeeeeeegggggggg\
    hhhhiiiiiiiiiiiijjkk?llllllllllnnnnnn?nnoooooooorrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs????????\
    ????????????????????????oo?????????????uu???????????????????dddlllnnnaaiioouuuuuuuuuu?aaaaaa??ggkkoo\
    oo??jdddgg??nnaaaaooaaaaeeeeiiiioooorrrruuuusstt??hh??????aaeeooooooooyy????????????????????????????";
/// The same from U+1E00 on.
const LATIN_ADDITIONAL: &str = "\
    aabbbbbbccddddddddddeeeeeeeeeeffgghhhhhhhhhhiiiikkkkkkllllllllmmmmmmnnnnnnnnoooooooopppprrrrrrrrssss\
    ssssssttttttttuuuuuuuuuuvvvvwwwwwwwwwwxxxxyyzzzzzzhtwyas??s?aaaaaaaaaaaaaaaaaaaaaaaaeeeeeeeeeeeeeeee\
    iiiioooooooooooooooooooooooouuuuuuuuuuuuuuyyyyyyyy??????";
