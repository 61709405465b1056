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
    let mut open: Option<Word> = None;
    for (place, letter) in text.char_indices() {
        let is_word = is_letter(letter) || letter.is_numeric();
        let is_inside = open.is_some() && is_joint(text, place, letter);
        if !is_word {
            if !is_inside && let Some(word) = open.take() {
                folded.words.push(word);
            }
            continue;
        }
        let word = open.get_or_insert_with(|| {
            if !folded.text.is_empty() {
                folded.text.push(' ');
            }
            let start = folded.text.len();
            Word { folded: start..start, place: place..place }
        });
        push_folded(&mut folded.text, letter);
        word.folded.end = folded.text.len();
        word.place.end = place + letter.len_utf8();
    }
    folded.words.extend(open);
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
