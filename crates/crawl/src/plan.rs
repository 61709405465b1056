//! Which pages a crawl is after, and what leads to them.
//!
//! A plan names kinds of pages. Each says on which other kinds the links to it stand, the words that such links have, and how
//! a page shows that it is of the kind: by a set of things of the same make. Nothing in it is special to a field; see `plans/`.

use crate::sets::Likeness;
use serde::Deserialize;
use std::collections::BTreeMap;
use thiserror::Error;

/// Kinds of pages, and the ways between them.
#[derive(Debug, Clone)]
pub struct Plan {
    pub(crate) about: String,
    pub(crate) kinds: Vec<Kind>,
    /// The kind of the seeds.
    pub(crate) start: usize,
    /// What is to be made of the pages, which is not the crawler's business.
    network: Option<toml::Table>,
}

/// A kind of page.
#[derive(Debug, Clone)]
pub(crate) struct Kind {
    pub(crate) name: String,
    /// The kinds of pages that lead to it; any, if there are none.
    pub(crate) from: Vec<usize>,
    /// The kinds whose sets it is a member of.
    pub(crate) members_of: Vec<usize>,
    /// What links to it say, and how much that says.
    pub(crate) words: Vec<(Vec<String>, f64)>,
    /// What links to it do not say.
    pub(crate) not: Vec<Vec<String>>,
    /// How much it says that a link is the name of a person.
    pub(crate) named: f64,
    pub(crate) confirm: Option<Confirm>,
    /// How much a page of this kind is wanted.
    pub(crate) worth: f64,
}

/// What a page of a kind has.
#[derive(Debug, Clone)]
pub(crate) struct Confirm {
    pub(crate) likeness: Likeness,
    /// So many of them, at least.
    pub(crate) at_least: usize,
}

/// Why a plan cannot be followed.
#[derive(Debug, Error)]
pub enum PlanError {
    /// It is no TOML, or says something that plans do not say.
    #[error("{0}")]
    Toml(#[from] toml::de::Error),
    /// A kind is named that is not there.
    #[error("kind {kind:?} names {name:?}, which is no kind of the plan")]
    Unknown {
        /// The kind that names it.
        kind: String,
        /// The name.
        name: String,
    },
    /// Two kinds have one name.
    #[error("there are two kinds {0:?}")]
    Twice(String),
    /// A kind that nothing leads to.
    #[error("nothing leads to kind {0:?}: it needs words, or to be a member of another kind's set")]
    Unreachable(String),
    /// There is no kind to be found.
    #[error("the plan has no kinds")]
    Empty,
    /// A kind that wants members of a set that nothing tells.
    #[error("kind {kind:?} is a member of {of:?}, which has no confirm test that would find a set")]
    NoSet {
        /// The kind.
        kind: String,
        /// The other.
        of: String,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlanFile {
    #[serde(default)]
    about: String,
    start: String,
    #[serde(default)]
    kind: Vec<KindFile>,
    network: Option<toml::Table>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct KindFile {
    name: String,
    #[serde(default)]
    from: Vec<String>,
    #[serde(default)]
    members_of: Vec<String>,
    #[serde(default)]
    words: BTreeMap<String, f64>,
    #[serde(default)]
    not: Vec<String>,
    #[serde(default)]
    named: f64,
    confirm: Option<ConfirmFile>,
    worth: Option<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ConfirmFile {
    #[serde(default = "few")]
    at_least: usize,
    /// People.
    #[serde(default)]
    people: bool,
    /// Colleges, departments and the like.
    #[serde(default)]
    units: bool,
    /// Texts with one of these words.
    #[serde(default)]
    words: Vec<String>,
    /// Sums of money.
    #[serde(default)]
    prices: bool,
    /// Days.
    #[serde(default)]
    dates: bool,
}

fn few() -> usize {
    3
}

impl Plan {
    /// Read a plan.
    pub fn parse(text: &str) -> Result<Plan, PlanError> {
        let file: PlanFile = toml::from_str(text)?;
        if file.kind.is_empty() {
            return Err(PlanError::Empty);
        }
        for (nth, kind) in file.kind.iter().enumerate() {
            if file.kind[..nth].iter().any(|other| other.name == kind.name) {
                return Err(PlanError::Twice(kind.name.clone()));
            }
        }
        let number = |kind: &str, name: &String| {
            let unknown = || PlanError::Unknown { kind: kind.to_owned(), name: name.clone() };
            file.kind.iter().position(|it| it.name == *name).ok_or_else(unknown)
        };
        let start = number("start", &file.start)?;
        let n_kinds = file.kind.len();
        let mut kinds = Vec::with_capacity(n_kinds);
        for (nth, kind) in file.kind.iter().enumerate() {
            let has_way = !kind.words.is_empty() || !kind.members_of.is_empty() || kind.named > 0.0;
            if nth != start && !has_way {
                return Err(PlanError::Unreachable(kind.name.clone()));
            }
            let all = |names: &[String]| -> Result<Vec<usize>, PlanError> {
                names.iter().map(|it| number(&kind.name, it)).collect()
            };
            let members_of: Vec<usize> = all(&kind.members_of)?;
            if let Some(of) = members_of.iter().find(|of| file.kind[**of].confirm.is_none()) {
                let of = file.kind[*of].name.clone();
                return Err(PlanError::NoSet { kind: kind.name.clone(), of });
            }
            let weighed = |(text, weight): (&String, &f64)| (words(text), *weight);
            kinds.push(Kind {
                name: kind.name.clone(),
                from: all(&kind.from)?,
                members_of,
                words: kind.words.iter().map(weighed).collect(),
                not: kind.not.iter().map(|it| words(it)).collect(),
                named: kind.named,
                confirm: kind.confirm.as_ref().map(ConfirmFile::confirm),
                // Kinds stand in the order of the way; what stands later is nearer to what is wanted.
                worth: kind.worth.unwrap_or((nth + 1) as f64 / n_kinds as f64),
            });
        }
        Ok(Plan { about: file.about, kinds, start, network: file.network })
    }

    /// What it is for.
    pub fn about(&self) -> &str {
        &self.about
    }

    /// The names of its kinds of pages.
    pub fn kinds(&self) -> impl Iterator<Item = &str> {
        self.kinds.iter().map(|kind| kind.name.as_str())
    }

    /// What is to be made of the pages: its part `[network]`, as it stands.
    pub fn network(&self) -> Option<&toml::Table> {
        self.network.as_ref()
    }
}

impl ConfirmFile {
    fn confirm(&self) -> Confirm {
        let likeness = Likeness {
            is_person: self.people,
            is_unit: self.units,
            is_price: self.prices,
            is_date: self.dates,
            words: self.words.iter().map(|it| words(it)).collect(),
        };
        Confirm { likeness, at_least: self.at_least }
    }
}

/// The words of a text: letters and digits, in lower case.
pub(crate) fn words(text: &str) -> Vec<String> {
    let parts = text.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty());
    parts.map(str::to_lowercase).collect()
}
