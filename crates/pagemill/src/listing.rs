//! What a single page lists, without any other of its site: people, units, and records of any kind.
//!
//! In comes a page; out comes a [`Listing`], with what was asked for by [`Kind`], and as JSON for programs. What is told as people or
//! units is not told again as records.

use crate::input::InputPage;
use page::{LeafKind, Leaves, Page};
use regions::{Boxes, Config, Field, Person, RecordSet, SetConfig, Unit, UnitKind};
use serde_json::{Map, Value as Json, json};
use std::ops::Range;

/// What to look for on a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// Names of people, with what is said beside them.
    People,
    /// Departments, colleges and the like.
    Units,
    /// Whatever repeats: rows, cards, lines.
    Records,
    /// All of these.
    #[default]
    Any,
}

/// From so many people on, a page lists people.
const MANY_PEOPLE: usize = 4;
/// Letters before a name that a form of address or a number may take.
const ADDRESS: usize = 12;

/// What was found on one page; none of what was not asked for.
pub struct Listing<'p> {
    /// The page as it came.
    pub input: &'p InputPage,
    /// Its tree.
    pub page: &'p Page,
    /// Its leaves.
    pub leaves: &'p Leaves,
    /// People by name.
    pub people: Option<Vec<Person>>,
    /// Departments, colleges and the like.
    pub units: Option<Vec<Unit>>,
    /// Record sets, the main one first.
    pub sets: Option<Vec<RecordSet>>,
}

impl<'p> Listing<'p> {
    /// Look at a page. Where boxes say how it is laid out, they are taken into account.
    pub fn new(
        input: &'p InputPage,
        page: &'p Page,
        leaves: &'p Leaves,
        kind: Kind,
        config: &Config,
        boxes: Option<&Boxes>,
    ) -> Listing<'p> {
        let wants = |wanted: Kind| kind == wanted || kind == Kind::Any;
        let people = wants(Kind::People).then(|| regions::people_in(page, leaves, config));
        let mut units = wants(Kind::Units).then(|| regions::units_in(page, leaves, config));
        // A page is a list of one or the other: beside many people, units are menus and fields of research.
        if let (Some(people), Some(units)) = (&people, &mut units)
            && people.len() >= MANY_PEOPLE
            && (people.len() > units.len() || !units.iter().any(|unit| unit.people_url.is_some()))
        {
            units.clear();
        }
        let mut found = Listing { input, page, leaves, people, units, sets: None };
        if wants(Kind::Records) {
            let sets = regions::record_sets(page, leaves, boxes, &SetConfig::default());
            found.sets = Some(sets.into_iter().filter(|set| !found.has_told(set)).collect());
        }
        found
    }

    /// How many people, units and records there are.
    pub fn len(&self) -> usize {
        let records = self.sets.iter().flatten().map(|set| set.records.len());
        self.people.as_ref().map_or(0, Vec::len)
            + self.units.as_ref().map_or(0, Vec::len)
            + records.sum::<usize>()
    }

    /// Whether the page lists nothing.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Leaves of people and units.
    fn told(&self) -> impl Iterator<Item = (usize, &'static str)> {
        let people = self.people.iter().flatten().map(|it| (it.leaf, "people"));
        people.chain(self.units.iter().flatten().map(|it| (it.leaf, "units")))
    }

    /// Whether the records of a set are told already, as people or as units: most begin with one. A book has an author, and is
    /// none.
    fn has_told(&self, set: &RecordSet) -> bool {
        let mut told: Vec<usize> = self.told().map(|(leaf, _)| leaf).collect();
        told.sort_unstable();
        let begins_with_one = |leaves: &&Range<usize>| {
            let next = told.partition_point(|it| *it < leaves.start);
            let first = told.get(next).filter(|it| leaves.contains(it));
            first.is_some_and(|it| self.n_letters(leaves.start..*it) <= ADDRESS)
        };
        set.leaves.iter().filter(begins_with_one).count() * 2 >= set.leaves.len()
    }

    /// Letters that some leaves show, pictures left out.
    fn n_letters(&self, leaves: Range<usize>) -> usize {
        let shown = leaves.map(|it| self.leaves.get(it)).filter(|it| it.kind == LeafKind::Text);
        shown.map(|it| it.text.len()).sum()
    }

    /// What each leaf is part of, for a picture. Records that follow each other have different marks.
    pub fn marks(&self) -> Vec<Option<String>> {
        let mut marks = vec![None; self.leaves.len()];
        for set in self.sets.iter().flatten() {
            for (nth, leaves) in set.leaves.iter().enumerate() {
                let name = if nth.is_multiple_of(2) {
                    set.name.clone()
                } else {
                    format!("{}, next", set.name)
                };
                marks[leaves.clone()].fill(Some(name));
            }
        }
        for (leaf, kind) in self.told() {
            marks[leaf] = Some(kind.to_owned());
        }
        marks
    }
}

impl Listing<'_> {
    /// For programs: `page` and `data`, with what was asked for.
    pub fn to_json(&self) -> Json {
        let mut data = Map::new();
        if let Some(people) = &self.people {
            data.insert("people".to_owned(), people.iter().map(person_json).collect());
        }
        if let Some(units) = &self.units {
            data.insert("units".to_owned(), units.iter().map(unit_json).collect());
        }
        if let Some(sets) = &self.sets {
            add_sets(sets, self.page, &mut data);
        }
        json!({ "page": self.input.id, "data": data })
    }
}

fn person_json(person: &Person) -> Json {
    let mut all = Map::new();
    all.insert("name".to_owned(), person.name.clone().into());
    let mut put = |name: &str, field: &Option<Field>| {
        if let Some(field) = field {
            all.insert(name.to_owned(), field.text.clone().into());
        }
    };
    put("title", &person.title);
    let rank = person.rank.map(|rank| Field { text: rank.name().to_owned(), leaf: person.leaf });
    put("rank", &rank);
    put("email", &person.email);
    put("phone", &person.phone);
    put("url", &person.homepage);
    put("photo", &person.photo);
    put("unit", &person.unit);
    put("heading", &person.heading);
    all.insert("score".to_owned(), score_json(person.score));
    all.insert("leaf".to_owned(), person.leaf.into());
    Json::Object(all)
}

fn unit_json(unit: &Unit) -> Json {
    let mut all = Map::new();
    all.insert("name".to_owned(), unit.name.clone().into());
    if let Some(url) = &unit.url {
        all.insert("url".to_owned(), url.clone().into());
    }
    if let Some(kind) = unit.kind {
        all.insert("kind".to_owned(), kind_name(kind).into());
    }
    all.insert("score".to_owned(), score_json(unit.score));
    all.insert("leaf".to_owned(), unit.leaf.into());
    Json::Object(all)
}

fn kind_name(kind: UnitKind) -> &'static str {
    match kind {
        UnitKind::College => "college",
        UnitKind::Department => "department",
        UnitKind::Other => "other",
    }
}

/// Three digits: the others differ with the weather.
fn score_json(score: f64) -> Json {
    json!((score * 1000.0).round() / 1000.0)
}

/// Add the sets of a page to its data: `main`, what the page is about, stands apart from the other `sets`, so that it is at the
/// same place for all pages.
fn add_sets(sets: &[RecordSet], page: &Page, data: &mut Map<String, Json>) {
    let mut sets = sets.iter().map(|set| set_json(set, page));
    data.insert("main".to_owned(), sets.next().unwrap_or(Json::Null));
    data.insert("sets".to_owned(), sets.collect());
}

fn set_json(set: &RecordSet, page: &Page) -> Json {
    // Three digits: the others say nothing.
    let score = (set.score * 1000.0).round() / 1000.0;
    json!({
        "kind": set.name,
        "score": score,
        "why": set.why(),
        "path": set.path(page),
        "records": set.records,
    })
}
