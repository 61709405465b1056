//! What a block of text is like: what it says of itself, what is beside it, what it is part of, where on the page it stands.

mod course;
mod kin;

use super::block::{Text, texts};
use super::crumb::Crumbs;
use crate::sheet::Sheet;
use course::Course;
use kin::Kin;

/// How many features there are.
pub(super) const N_FEATURES: usize = NAMES.len();

/// What features are called, in their order.
pub(super) const NAMES: [&str; 41] = [
    "words",
    "links",
    "marks",
    "ends a sentence",
    "capitals",
    "digits",
    "bold",
    "heading",
    "names a time",
    "mail address",
    "copyright",
    "words before",
    "links before",
    "words after",
    "links after",
    "called furniture",
    "called body",
    "called comments",
    "prose in parent",
    "prose in grandparent",
    "links in parent",
    "in region",
    "repeats above",
    "prose of its kind",
    "kind is prose",
    "prose of its kind before",
    "kind starts",
    "prose before",
    "prose after",
    "run of prose",
    "from last prose",
    "to next prose",
    "from first paragraph",
    "words from first paragraph",
    "after first paragraph",
    "from title",
    "after title",
    "times so far",
    "times near",
    "comments announced",
    "prose before comments",
];

/// The place of "comments announced".
pub(super) const ANNOUNCED: usize = N_FEATURES - 2;

/// All blocks of text of a page.
pub(super) struct Portraits<'s, 'p> {
    pub(super) sheet: &'s Sheet<'p>,
    pub(super) crumbs: Crumbs,
    pub(super) texts: Vec<Text>,
}

impl<'s, 'p> Portraits<'s, 'p> {
    pub(super) fn of(sheet: &'s Sheet<'p>) -> Portraits<'s, 'p> {
        let crumbs = Crumbs::of(sheet.page);
        let texts = texts(sheet, &crumbs);
        Portraits { sheet, crumbs, texts }
    }

    /// What each block is like.
    pub(super) fn iter(&self) -> impl Iterator<Item = [f32; N_FEATURES]> {
        let course = Course::of(self.sheet, &self.texts);
        let mut kin = Kin::of(self.sheet, &self.crumbs, &self.texts, course.first);
        (0..self.texts.len()).map(move |nth| {
            let mut values = Vec::with_capacity(N_FEATURES);
            self.own(nth, &mut values);
            kin.push(nth, &mut values);
            course.push(nth, &mut values);
            let mut portrait = [0.0; N_FEATURES];
            for (place, value) in portrait.iter_mut().zip(values) {
                *place = value;
            }
            portrait
        })
    }

    fn own(&self, nth: usize, values: &mut Vec<f32>) {
        let text = &self.texts[nth];
        let crumb = self.crumbs.get(text.element);
        let share = |part: usize, all: usize| part as f32 / all.max(1) as f32;
        let tag = self.sheet.page.tag(text.element);
        let is_heading = matches!(tag, Some("h1" | "h2" | "h3" | "h4" | "h5" | "h6"));
        // Before the first and after the last there is nothing to read.
        let beside = |at: Option<usize>| {
            at.and_then(|at| self.texts.get(at))
                .map_or((0.0, 1.0), |it| (ln(it.n_words), it.links()))
        };
        let (before, after) = (beside(nth.checked_sub(1)), beside(Some(nth + 1)));
        values.extend([
            ln(text.n_words),
            text.links(),
            ln(text.n_marks),
            flag(text.ends_sentence),
            share(text.n_upper, text.n_words),
            share(text.n_digits, text.n_chars),
            share(text.n_bold, text.n_words),
            flag(is_heading),
            flag(text.names_time),
            flag(text.has_mail),
            flag(text.has_copyright),
            before.0,
            before.1,
            after.0,
            after.1,
            flag(crumb.is_furniture),
            flag(crumb.is_body),
            flag(crumb.is_comment),
        ]);
    }
}

pub(super) fn ln(n: usize) -> f32 {
    (n as f32).ln_1p()
}

fn flag(is_so: bool) -> f32 {
    f32::from(u8::from(is_so))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(html: &str, text: &str, name: &str) -> f32 {
        let page = page::parse(html.as_bytes());
        let sheet = Sheet::new(&page, &crate::text::Introductions::default());
        let portraits = Portraits::of(&sheet);
        let feature = NAMES.iter().position(|it| *it == name).unwrap();
        let found = portraits.texts.iter().zip(portraits.iter()).find(|(it, _)| {
            it.shown(&sheet).any(|leaf| sheet.leaves.get(leaf).text.contains(text))
        });
        found.unwrap().1[feature]
    }

    #[test]
    fn blocks_are_seen_where_they_stand() {
        let paragraph = "<p>The council met on Monday evening and, after some hours, decided that the old bridge will be closed for repair in the spring.</p>";
        let html = format!(
            "<title>Old bridge to be closed</title><body><ul class=nav><li><a href=/>Home</a></ul>
            <h1>Old bridge to be closed</h1><div class=story>{paragraph}{paragraph}<p>Short one.</p>{paragraph}</div>
            <h3>Comments</h3><div class=comments><p>Ann, 3:05 PM</p></div>"
        );
        let of = |text: &str, name: &str| values(&html, text, name);
        assert_eq!(of("Home", "links"), 1.0);
        assert_eq!(of("Home", "called furniture"), 1.0);
        assert_eq!(of("Short one", "prose in parent"), 1.0);
        assert_eq!(of("Short one", "in region"), 1.0);
        assert_eq!(of("Home", "in region"), 0.0);
        assert_eq!(of("Short one", "from first paragraph"), 2.0);
        assert_eq!((of("Home", "after title"), of("Short one", "after title")), (0.0, 1.0));
        assert_eq!(
            (of("Short", "comments announced"), of("Ann", "comments announced")),
            (0.0, 1.0)
        );
        assert_eq!(NAMES[ANNOUNCED], "comments announced");
        assert_eq!((of("Ann", "names a time"), of("Ann", "called comments")), (1.0, 1.0));
        assert!(of("Short one", "prose before") > 0.6 && of("Short one", "prose after") > 0.3);
    }

    #[test]
    fn pages_without_text_have_no_portraits() {
        for html in ["", "<img src=a>", "<title>Only this</title>"] {
            let page = page::parse(html.as_bytes());
            let sheet = Sheet::new(&page, &crate::text::Introductions::default());
            assert_eq!(Portraits::of(&sheet).iter().count(), 0);
        }
    }
}
