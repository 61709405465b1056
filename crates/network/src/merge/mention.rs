//! What comes in: pages, and what was read off them.

use std::ops::Range;

/// All pages of a crawl, in the order in which they were met: a page stands after the one that led to it.
#[derive(Debug, Clone, Default)]
pub struct Evidence {
    /// What everything is in.
    pub root: Root,
    /// The pages.
    pub pages: Vec<PageFacts>,
}

/// The object that contains all others.
#[derive(Debug, Clone, Default)]
pub struct Root {
    /// Its class.
    pub class: String,
    /// Its name.
    pub name: String,
    /// Its home page.
    pub url: String,
}

/// A page.
#[derive(Debug, Clone, Default)]
pub struct PageFacts {
    /// Where it is.
    pub url: String,
    /// What it says it is about: its main heading, its title; the one that says most first.
    pub headings: Vec<String>,
    /// The page that led here.
    pub found_on: Option<usize>,
    /// Whether a heading of its own may name an object that nothing else names.
    pub names_itself: bool,
    /// Objects that are in what the page is about.
    pub parts: Vec<Part>,
    /// Those who have a role in what the page is about.
    pub players: Vec<Player>,
    /// When it was fetched, in milliseconds since 1970.
    pub at: i64,
}

/// An object that is in another, as a page names it.
#[derive(Debug, Clone, Default)]
pub struct Part {
    /// Its class.
    pub class: String,
    /// Its name.
    pub name: String,
    /// Its own page, if the entry links to it.
    pub url: Option<String>,
    /// Which of the page's lists it stands in.
    pub list: usize,
    /// All places that its entry links to.
    pub links: Vec<String>,
    /// Where it stands.
    pub place: Place,
    /// How sure it is that it is one.
    pub confidence: f64,
}

/// Someone in a role, as a page names them.
#[derive(Debug, Clone, Default)]
pub struct Player {
    /// The class of those who play.
    pub class: String,
    /// The name.
    pub name: String,
    /// The role.
    pub role: String,
    /// The most specific role, where the schema has one.
    pub specific: Option<String>,
    /// What is true in this role: title, e-mail.
    pub context: Vec<(String, String)>,
    /// What tells this one from another of the same name: e-mail and home page.
    pub marks: Vec<String>,
    /// Where the name stands.
    pub place: Place,
    /// How sure it is that it is one.
    pub confidence: f64,
}

/// Where something stands.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Place {
    /// The page.
    pub url: String,
    /// The bytes of its source.
    pub span: Range<usize>,
    /// When the page was fetched, in milliseconds since 1970.
    pub at: i64,
}

/// What is particular to a field.
#[derive(Debug, Clone, Default)]
pub struct Rules {
    /// Words that the heading of a page has beside the name of what it is about: `faculty`, `our team`.
    pub page_words: Vec<String>,
    /// Words that a name has here and lacks there: `department of`.
    pub loose_words: Vec<String>,
    /// Which class words in a name tell; the first that fits.
    pub classes: Vec<(String, Vec<String>)>,
    /// Which class may contain which.
    pub nesting: Vec<(String, String)>,
    /// The share of a list that is most of it.
    pub most: f64,
    /// The share of a list that is hardly any of it.
    pub few: f64,
}

impl Rules {
    /// Whether something of a class may contain something of another.
    pub(super) fn may_contain(&self, class: &str, part: &str) -> bool {
        self.nesting.iter().any(|(outer, inner)| outer == class && inner == part)
    }
}
