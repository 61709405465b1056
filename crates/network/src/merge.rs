//! What many pages say, made into one object for each thing.
//!
//! Pages come in, each with what was read off it and the page that led there; objects come out, each with the places where it was
//! read, its container, its roles, and a list of what is doubtful. Follow the data:
//!
//! - `mention` is what comes in.
//! - `name` says which names are the same: `Chemistry`, `Department of Chemistry` and `Chemistry, Dept. of`.
//! - `subject` says which object each page is about: the one whose entry links to it, the one that its heading names, the one
//!   below whose address it stands, the one that the page before it is about.
//! - `parts` makes objects that contain each other, `players` those that have roles in them.
//! - `things` does the same for records and pages of their own, which have addresses that tell them apart.
//!
//! Nothing here is special to a field: the words that pages of units have in their headings, and those that a name has here and
//! lacks there, come with the [`Rules`].

mod mention;
mod name;
mod parts;
mod players;
mod subject;
mod things;

pub use mention::{Evidence, PageFacts, Part, Place, Player, Root, Rules};
pub use players::{PlayerObject, RoleFact};
pub use things::{Mention, Same, Thing, ThingRules, things};

/// What came of all pages.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Merged {
    /// Objects that contain each other; the first is the root. A container stands before what it contains.
    pub parts: Vec<PartObject>,
    /// Objects that play roles.
    pub players: Vec<PlayerObject>,
    /// Who has which role where.
    pub roles: Vec<RoleFact>,
    /// What may be wrong.
    pub doubts: Vec<Doubt>,
}

/// An object in the tree of containers.
#[derive(Debug, Clone, PartialEq)]
pub struct PartObject {
    /// Its class.
    pub class: String,
    /// The name that most places have.
    pub name: String,
    /// Its other names.
    pub aliases: Vec<String>,
    /// Its own page.
    pub url: Option<String>,
    /// The object it is in; none for the root.
    pub container: Option<usize>,
    /// Where it was read.
    pub places: Vec<Place>,
    /// How sure it is that it is one.
    pub confidence: f64,
}

/// Something that a person should look at.
#[derive(Debug, Clone, PartialEq)]
pub struct Doubt {
    /// What kind of doubt.
    pub kind: DoubtKind,
    /// The name of the one.
    pub one: String,
    /// The name of the other, where there are two.
    pub other: Option<String>,
    /// Why.
    pub reason: String,
    /// How likely it is what was taken for it.
    pub confidence: f64,
}

/// What may be wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DoubtKind {
    /// Two objects that may be one.
    MaybeSame,
    /// One object that may be two.
    MaybeTwo,
    /// An object that may be none of its class.
    MaybeNone,
    /// An object that may belong elsewhere.
    MaybeElsewhere,
}

impl DoubtKind {
    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            DoubtKind::MaybeSame => "maybe the same",
            DoubtKind::MaybeTwo => "maybe two",
            DoubtKind::MaybeNone => "maybe none",
            DoubtKind::MaybeElsewhere => "maybe elsewhere",
        }
    }
}

/// One object for each thing that pages speak of.
pub fn merge(evidence: &Evidence, rules: &Rules) -> Merged {
    let about = subject::Reader::new(evidence, rules).read();
    let parts = parts::finish(about, evidence, rules);
    let (players, roles, mut doubts) = players::merge(evidence, &parts.subjects);
    doubts.splice(0..0, parts.doubts);
    let mut merged = Merged { parts: parts.objects, players, roles, doubts };
    parts::doubt_the_barren(&mut merged, &parts.lists, &parts.subjects, rules);
    merged
}

#[cfg(test)]
mod tests;
