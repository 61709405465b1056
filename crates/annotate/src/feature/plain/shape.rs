//! The shape of a text: how many words and marks it has, how it is capitalised, how it ends.

/// How a text is written.
pub(super) struct Shape {
    pub(super) n_words: usize,
    /// Marks that part sentences and what they are made of.
    pub(super) n_marks: usize,
    /// How words are capitalised: 1 as a name, 2 each word, 3 all letters, 4 as a sentence, 5 not at all.
    pub(super) capitals: f32,
    /// The kind of the last character.
    pub(super) end: f32,
}

/// Words beyond these do not change how a text is capitalised.
const MANY_WORDS: usize = 30;
const MANY_LETTERS: usize = 200;

impl Shape {
    pub(super) fn of(text: &str) -> Shape {
        let counts = Counts::of(text);
        Shape {
            n_words: counts.n_words,
            n_marks: counts.n_marks,
            capitals: capitals(text, &counts),
            end: end(text),
        }
    }
}

/// What is counted in a text.
#[derive(Default)]
struct Counts {
    n_words: usize,
    n_marks: usize,
    /// Of the first words, those that have a letter or digit, and those whose first one is a capital.
    n_firsts: usize,
    n_upper: usize,
}

impl Counts {
    fn of(text: &str) -> Counts {
        if text.is_ascii() { Counts::of_ascii(text.as_bytes()) } else { Counts::of_any(text) }
    }

    /// Most texts. Without branches, bytes are counted many at a time.
    fn of_ascii(text: &[u8]) -> Counts {
        let is_blank = |byte: u8| matches!(byte, b'\t'..=b'\r' | b' ');
        // A word starts where a blank, or nothing, stands before it.
        let later = text.get(1..).unwrap_or_default().iter().zip(text);
        let n_later = later.filter(|it| !is_blank(*it.0) & is_blank(*it.1)).count();
        let is_first = text.first().is_some_and(|it| !is_blank(*it));
        let n_marks = text.iter().filter(|it| matches!(it, b',' | b'.' | b';')).count();
        let n_words = n_later + usize::from(is_first);
        let mut counts = Counts { n_words, n_marks, ..Counts::default() };
        let words = text.split(|it| is_blank(*it)).filter(|word| !word.is_empty());
        for word in words.take(MANY_WORDS) {
            if let Some(first) = word.iter().find(|it| it.is_ascii_alphanumeric()) {
                counts.n_firsts += 1;
                counts.n_upper += usize::from(first.is_ascii_uppercase());
            }
        }
        counts
    }

    /// In one pass, because it is the letters of all scripts that cost.
    fn of_any(text: &str) -> Counts {
        let mut counts = Counts::default();
        // Whether the word at hand is one of the first, and its first letter is still to come.
        let mut is_open = false;
        let mut is_in_word = false;
        for c in text.chars() {
            if c.is_whitespace() {
                is_in_word = false;
                continue;
            }
            if !is_in_word {
                is_in_word = true;
                counts.n_words += 1;
                is_open = counts.n_words <= MANY_WORDS;
            }
            if is_open && c.is_alphanumeric() {
                is_open = false;
                counts.n_firsts += 1;
                counts.n_upper += usize::from(c.is_uppercase());
            }
            let is_mark = matches!(c, ',' | '.' | ';' | '，' | '。' | '、' | '！' | '？');
            counts.n_marks += usize::from(is_mark);
        }
        counts
    }
}

fn capitals(text: &str, counts: &Counts) -> f32 {
    let (n, n_upper) = (counts.n_firsts, counts.n_upper);
    let has_digit = || text.bytes().any(|c| c.is_ascii_digit());
    let has_lower = || {
        let mut letters = text.chars().filter(|c| c.is_alphabetic()).take(MANY_LETTERS);
        letters.any(char::is_lowercase)
    };
    match () {
        () if n == 0 => 0.0,
        () if n_upper == n && !has_lower() => 3.0,
        () if n_upper == n && (2..=4).contains(&counts.n_words) && !has_digit() => 1.0,
        () if n_upper * 4 >= n * 3 => 2.0,
        () if n_upper > 0 => 4.0,
        () => 5.0,
    }
}

fn end(text: &str) -> f32 {
    match text.chars().next_back() {
        None => 0.0,
        Some('.' | '!' | '。' | '！') => 1.0,
        Some('?' | '？') => 2.0,
        Some(':' | '：') => 3.0,
        Some('"' | '”' | '’' | '»' | '…' | '」') => 4.0,
        Some(_) => 5.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_have_a_shape() {
        let shape = |text: &str| {
            let shape = Shape::of(text);
            (shape.n_words, shape.n_marks, shape.capitals as u8, shape.end as u8)
        };
        assert_eq!(shape(""), (0, 0, 0, 0));
        assert_eq!(shape("Ann Lee"), (2, 0, 1, 5));
        assert_eq!(shape("Änn Lée"), (2, 0, 1, 5));
        assert_eq!(shape("BREAKING NEWS:"), (2, 0, 3, 3));
        assert_eq!(shape("  Storms, floods; and more. "), (4, 3, 4, 5));
        assert_eq!(shape("Is it so?"), (3, 0, 4, 2));
        assert_eq!(shape("all small"), (2, 0, 5, 5));
        assert_eq!(shape("Five Men In One Boat"), (5, 0, 2, 5));
        assert_eq!(shape("--- \u{b} …"), (2, 0, 0, 4));
        assert_eq!(shape("你好，世界。"), (1, 2, 5, 1));
    }
}
