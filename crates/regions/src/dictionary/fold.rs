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

#[derive(Clone, Debug)]
struct Word {
    folded: Range<usize>,
    place: Range<usize>,
}

impl Folded {
    pub(crate) fn len(&self) -> usize {
        self.words.len()
    }

    pub(crate) fn word(&self, index: usize) -> &str {
        &self.text[self.words[index].folded.clone()]
    }

    pub(crate) fn words(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map(|index| self.word(index))
    }

    /// Some words in a row, with blanks between.
    pub(crate) fn slice(&self, start: usize, end: usize) -> &str {
        match end.checked_sub(1).filter(|last| *last >= start) {
            Some(last) => &self.text[self.words[start].folded.start..self.words[last].folded.end],
            None => "",
        }
    }

    /// Where a word stands in the text as it was.
    pub(crate) fn place(&self, index: usize) -> Range<usize> {
        self.words[index].place.clone()
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
    let mut is_open = false;
    let mut place = 0;
    while let Some(byte) = text.as_bytes().get(place) {
        if byte.is_ascii_alphanumeric() {
            let n_bytes = n_plain(&text.as_bytes()[place..]);
            folded.push_plain(&text[place..place + n_bytes], place, is_open);
            (place, is_open) = (place + n_bytes, true);
            continue;
        }
        let letter = text[place..].chars().next().unwrap_or(' ');
        if !byte.is_ascii() && (is_letter(letter) || letter.is_numeric()) {
            folded.push_letter(letter, place, is_open);
            is_open = true;
        } else {
            is_open = is_open && is_joint(text, place, letter);
        }
        place += letter.len_utf8();
    }
}

/// How many letters and digits of ASCII come first.
fn n_plain(bytes: &[u8]) -> usize {
    bytes.iter().position(|byte| !byte.is_ascii_alphanumeric()).unwrap_or(bytes.len())
}

impl Folded {
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
        let start = self.text.len();
        self.words.push(Word { folded: start..start, place: place..place });
    }

    fn close(&mut self, end: usize) {
        if let Some(word) = self.words.last_mut() {
            (word.folded.end, word.place.end) = (self.text.len(), end);
        }
    }
}

/// Letters, and the marks that scripts write their vowels with.
pub(crate) fn is_letter(letter: char) -> bool {
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
