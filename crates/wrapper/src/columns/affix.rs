//! What the texts of a column all start or end with: words of the template, written into the leaf of the value.

use page::DataType;

/// The words around a column's values, blanks included.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Affixes {
    pub(crate) prefix: String,
    pub(crate) suffix: String,
}

/// Below this many different texts, a word that all share may be chance; a label with its colon never is.
const MIN_TEXTS: usize = 4;
/// Longer ones are sentences with a gap, in which nobody looks for a value.
const MAX_AFFIX: usize = 80;

impl Affixes {
    /// What some texts share; nothing if they are values as a whole.
    pub(crate) fn of<'a>(texts: impl Iterator<Item = &'a str>, whole: DataType) -> Affixes {
        if !may_have_words_around(whole) {
            return Affixes::default();
        }
        let texts: Vec<&str> = texts.collect();
        let n_different = n_different(&texts);
        if n_different < 2 {
            return Affixes::default();
        }
        let prefix = common_prefix(&texts);
        let rests: Vec<&str> = texts.iter().map(|text| &text[prefix.len()..]).collect();
        let suffix = common_suffix(&rests);
        let is_sure =
            |affix: &str| n_different >= MIN_TEXTS || affix.trim_end().ends_with([':', '：']);
        let keep = |affix: &str| {
            let is_kept = affix.len() <= MAX_AFFIX && is_sure(affix);
            if is_kept { affix.to_owned() } else { String::new() }
        };
        Affixes { prefix: keep(prefix), suffix: keep(suffix) }
    }

    pub(crate) fn are_none(&self) -> bool {
        self.prefix.is_empty() && self.suffix.is_empty()
    }

    pub(crate) fn strip<'a>(&self, text: &'a str) -> &'a str {
        strip(text, &self.prefix, &self.suffix)
    }

    /// What the words before the value call it.
    pub(crate) fn label(&self) -> Option<&str> {
        let label = self.prefix.trim_end().strip_suffix([':', '：'])?.trim();
        (!label.is_empty()).then_some(label)
    }
}

/// The value within a text; the whole of one that is built otherwise.
pub(crate) fn strip<'a>(text: &'a str, prefix: &str, suffix: &str) -> &'a str {
    // Most have neither, and to compare nothing with nothing takes longer than one would think.
    let rest = if prefix.is_empty() { Some(text) } else { text.strip_prefix(prefix) };
    let inner =
        if suffix.is_empty() { rest } else { rest.and_then(|rest| rest.strip_suffix(suffix)) };
    inner.map(str::trim).filter(|inner| !inner.is_empty()).unwrap_or(text)
}

/// The year that all dates share is part of the date; the `reviews` that all counts share are not part of the count.
fn may_have_words_around(whole: DataType) -> bool {
    matches!(whole, DataType::String | DataType::Number | DataType::Quantity)
}

/// How many different texts there are; [`MIN_TEXTS`] are as good as more.
fn n_different(texts: &[&str]) -> usize {
    let mut different: [&str; MIN_TEXTS] = [""; MIN_TEXTS];
    let mut n = 0;
    for text in texts {
        if !different[..n].contains(text) {
            different[n] = text;
            n += 1;
        }
        if n == MIN_TEXTS {
            break;
        }
    }
    n
}

/// The longest start of all texts that ends between words and leaves something of each.
fn common_prefix<'a>(texts: &[&'a str]) -> &'a str {
    let first = texts[0];
    let shared = texts.iter().fold(first.len(), |shared, text| n_shared(&first[..shared], text));
    let mut end = 0;
    for (index, character) in first[..shared].char_indices() {
        let after = index + character.len_utf8();
        let is_edge = character.is_whitespace() || matches!(character, ':' | '：');
        if is_edge && texts.iter().all(|text| text[after..].chars().any(char::is_alphanumeric)) {
            end = after;
        }
    }
    &first[..end]
}

/// How many bytes of characters two texts start with alike.
fn n_shared(left: &str, right: &str) -> usize {
    let bytes = left.bytes().zip(right.bytes());
    let n_bytes = bytes.take_while(|(left, right)| left == right).count();
    (0..=n_bytes).rev().find(|end| left.is_char_boundary(*end)).unwrap_or(0)
}

/// The longest end of all texts that starts between words and leaves something of each.
fn common_suffix<'a>(texts: &[&'a str]) -> &'a str {
    let first = texts[0];
    let mut len = first.len();
    for text in &texts[1..] {
        if len == 0 {
            return "";
        }
        len = first
            .chars()
            .rev()
            .zip(text.chars().rev())
            .take_while(|(left, right)| left == right)
            .map(|(character, _)| character.len_utf8())
            .sum::<usize>()
            .min(len);
    }
    let mut start = first.len();
    for (index, character) in first.char_indices().rev() {
        if first.len() - index > len {
            break;
        }
        let kept = first.len() - index;
        let leaves_something =
            texts.iter().all(|text| text[..text.len() - kept].chars().any(char::is_alphanumeric));
        if character.is_whitespace() && is_word(&first[index..]) && leaves_something {
            start = index;
        }
    }
    &first[start..]
}

/// A unit belongs to its number: `254 g` is not 254.
fn is_word(suffix: &str) -> bool {
    let first = suffix.split_whitespace().next().unwrap_or_default();
    first.chars().filter(|it| it.is_alphabetic()).count() > 2
        || !first.chars().any(char::is_alphabetic)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(texts: &[&str], prefix: &str, suffix: &str) {
        let whole = DataType::classify(texts[0]);
        let affixes = Affixes::of(texts.iter().copied(), whole);
        assert_eq!((&*affixes.prefix, &*affixes.suffix), (prefix, suffix));
    }

    #[test]
    fn words_that_all_share_are_around_the_value() {
        check(&["Price: £5", "Price: £7"], "Price: ", "");
        check(&["Price:5 crowns", "Price:7 crowns"], "Price:", "");
        check(&["12 reviews", "3 reviews", "40 reviews", "7 reviews"], "", " reviews");
        check(&["4 out of 5", "2 out of 5", "3 out of 5", "1 out of 5"], "", " out of 5");
        check(&["Dune | Shop", "Emma | Shop", "She | Shop", "Kim | Shop"], "", " | Shop");
        check(&["by A. Quill", "by B. Inkwell", "by C. Pen", "by D. Foolscap"], "by ", "");
    }

    #[test]
    fn what_belongs_to_the_value_stays() {
        check(&["1 May 2024", "2 May 2024", "3 May 2024", "4 May 2024"], "", "");
        check(&["£10", "£12", "£13", "£14"], "", "");
        check(&["254 g", "100 g", "90 g", "1,040 g"], "", "");
        check(&["The Hobbit", "The Shining"], "", "");
        check(&["same", "same"], "", "");
    }

    #[test]
    fn a_text_built_otherwise_is_its_own_value() {
        let affixes = Affixes { prefix: "by ".into(), suffix: String::new() };
        assert_eq!(
            ["by Ada", "Anonymous", "by "].map(|it| affixes.strip(it)),
            ["Ada", "Anonymous", "by "]
        );
        assert_eq!(affixes.label(), None);
        assert_eq!(Affixes { prefix: "Price: ".into(), suffix: "".into() }.label(), Some("Price"));
    }
}
