//! What a page lists, as JSON lines and as tables.

use super::record_sets;
use super::safe::safe;
use super::table::{GAP, Style, cut_end, width};
use pagemill::regions::{Field, Person, RecordSet, Unit, UnitKind};
use pagemill::{InputPage, Leaves, Page};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::ops::Range;
use unicode_width::UnicodeWidthStr;

/// What was found on one page; none of what was not asked for.
pub(crate) struct Found<'p> {
    pub(crate) input: &'p InputPage,
    pub(crate) page: &'p Page,
    pub(crate) leaves: &'p Leaves,
    pub(crate) people: Option<Vec<Person>>,
    pub(crate) units: Option<Vec<Unit>>,
    /// The main one first.
    pub(crate) sets: Option<Vec<RecordSet>>,
}

impl Found<'_> {
    pub(crate) fn len(&self) -> usize {
        let records = self.sets.iter().flatten().map(|set| set.records.len());
        self.people.as_ref().map_or(0, Vec::len)
            + self.units.as_ref().map_or(0, Vec::len)
            + records.sum::<usize>()
    }

    /// Leaves of people and units.
    fn told(&self) -> impl Iterator<Item = (usize, &'static str)> {
        let people = self.people.iter().flatten().map(|it| (it.leaf, "people"));
        people.chain(self.units.iter().flatten().map(|it| (it.leaf, "units")))
    }

    /// Whether the records of a set are told already, as people or as units.
    pub(crate) fn has_told(&self, set: &RecordSet) -> bool {
        let mut told: Vec<usize> = self.told().map(|(leaf, _)| leaf).collect();
        told.sort_unstable();
        let has_one = |leaves: &&Range<usize>| {
            let next = told.partition_point(|it| *it < leaves.start);
            told.get(next).is_some_and(|it| leaves.contains(it))
        };
        set.leaves.iter().filter(has_one).count() * 2 >= set.leaves.len()
    }

    /// What each leaf is part of, for a picture. Records that follow each other have different marks.
    pub(crate) fn marks(&self) -> Vec<Option<String>> {
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

/// One line of JSON for a page.
pub(crate) fn json_line(found: &Found<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut data = Map::new();
    if let Some(people) = &found.people {
        data.insert("people".to_owned(), people.iter().map(person_json).collect());
    }
    if let Some(units) = &found.units {
        data.insert("units".to_owned(), units.iter().map(unit_json).collect());
    }
    if let Some(sets) = &found.sets {
        record_sets::add_json(sets, found.page, &mut data);
    }
    let line = json!({ "page": found.input.id, "data": data });
    serde_json::to_writer(&mut *out, &line)?;
    writeln!(out)
}

fn person_json(person: &Person) -> Value {
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
    Value::Object(all)
}

fn unit_json(unit: &Unit) -> Value {
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
    Value::Object(all)
}

fn kind_name(kind: UnitKind) -> &'static str {
    match kind {
        UnitKind::College => "college",
        UnitKind::Department => "department",
        UnitKind::Other => "other",
    }
}

/// Three digits: the others differ with the weather.
fn score_json(score: f64) -> Value {
    json!((score * 1000.0).round() / 1000.0)
}

/// Shows what pages list, set by set.
pub(crate) struct RegionTable {
    width: usize,
    style: Style,
    n_rows: usize,
    is_first: bool,
}

/// One set of a page: what it is, and its rows.
struct Set {
    kind: String,
    score: f64,
    why: String,
    rows: Vec<Vec<String>>,
}

impl RegionTable {
    pub(crate) fn new(n_rows: usize) -> RegionTable {
        RegionTable { width: width(), style: Style::new(), n_rows, is_first: true }
    }

    pub(crate) fn show(&mut self, found: &Found<'_>, out: &mut dyn Write) -> io::Result<()> {
        if !std::mem::take(&mut self.is_first) {
            writeln!(out)?;
        }
        let Style { bold, plain, .. } = self.style;
        let sets = sets(found);
        let nothing = if sets.is_empty() { "nothing that repeats" } else { "" };
        writeln!(out, "{bold}{}{plain}{GAP}{nothing}", safe(&found.input.id))?;
        sets.iter().try_for_each(|set| self.set(set, out))
    }

    fn set(&self, set: &Set, out: &mut dyn Write) -> io::Result<()> {
        let Style { dim, plain, .. } = self.style;
        let (kind, n_rows, score, why) = (safe(&set.kind), set.rows.len(), set.score, &set.why);
        writeln!(out, "{kind}{GAP}{n_rows}{GAP}{score:.2}{GAP}{dim}{}{plain}", safe(why))?;
        let shown = &set.rows[..n_rows.min(self.n_rows)];
        let widths = widths(shown);
        for row in shown {
            let mut line = String::new();
            for (cell, width) in row.iter().zip(&widths) {
                let gap = width.saturating_sub(cell.width());
                line.push_str(GAP);
                line.push_str(cell);
                line.extend(std::iter::repeat_n(' ', gap));
            }
            writeln!(out, "{}", cut_end(line.trim_end().to_owned(), self.width))?;
        }
        match n_rows - shown.len() {
            0 => Ok(()),
            n_more => writeln!(out, "{GAP}{dim}and {n_more} more{plain}"),
        }
    }
}

fn widths(rows: &[Vec<String>]) -> Vec<usize> {
    const WIDEST: usize = 40;
    let n_columns = rows.iter().map(Vec::len).max().unwrap_or_default();
    let widest = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.width()).max()
    };
    (0..n_columns).map(|column| widest(column).unwrap_or_default().min(WIDEST)).collect()
}

fn sets(found: &Found<'_>) -> Vec<Set> {
    let people = by_group(found.people.as_deref().unwrap_or_default(), |person| person.group);
    let units = by_group(found.units.as_deref().unwrap_or_default(), |unit| unit.group);
    let people = people.iter().map(|set| people_set(set, found.leaves));
    let units = units.iter().map(|set| unit_set(set, found.leaves));
    people.chain(units).chain(found.sets.iter().flatten().map(record_set)).collect()
}

fn record_set(set: &RecordSet) -> Set {
    Set { kind: set.name.clone(), score: set.score, why: set.why(), rows: record_sets::rows(set) }
}

fn by_group<T>(items: &[T], group: impl Fn(&T) -> usize) -> Vec<Vec<&T>> {
    let mut groups: BTreeMap<usize, Vec<&T>> = BTreeMap::new();
    for item in items {
        groups.entry(group(item)).or_default().push(item);
    }
    groups.into_values().collect()
}

fn people_set(people: &[&Person], leaves: &Leaves) -> Set {
    let mean = people.iter().map(|person| person.score).sum::<f64>() / people.len().max(1) as f64;
    let n_titles = people.iter().filter(|person| person.title.is_some()).count();
    let n_emails = people.iter().filter(|person| person.email.is_some()).count();
    let place = place(leaves, people.first().map(|person| person.leaf));
    let row = |person: &&Person| {
        let text = |field: &Option<Field>| {
            field.as_ref().map_or(String::new(), |field| shown(&field.text))
        };
        vec![shown(&person.name), text(&person.title), text(&person.email), text(&person.homepage)]
    };
    Set {
        kind: "people".to_owned(),
        score: mean,
        why: format!(
            "names at {place}; {n_titles} with a title, {n_emails} with an e-mail address"
        ),
        rows: people.iter().map(row).collect(),
    }
}

fn unit_set(units: &[&Unit], leaves: &Leaves) -> Set {
    let place = place(leaves, units.first().map(|unit| unit.leaf));
    let row =
        |unit: &&Unit| vec![shown(&unit.name), unit.url.as_deref().map(shown).unwrap_or_default()];
    Set {
        kind: "units".to_owned(),
        score: units.first().map_or(0.0, |unit| unit.score),
        why: format!("words of fields of study at {place}"),
        rows: units.iter().map(row).collect(),
    }
}

fn place(leaves: &Leaves, leaf: Option<usize>) -> String {
    leaf.map_or(String::new(), |leaf| leaves.paths().display(leaves.get(leaf).path).to_string())
}

/// A cell: harmless, and no longer than anyone reads.
fn shown(text: &str) -> String {
    const LONGEST: usize = 60;
    let head: String = text.chars().take(LONGEST).collect();
    safe(&head).into_owned()
}
