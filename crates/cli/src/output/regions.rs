//! What a page lists, as tables.

use super::record_sets;
use super::safe::safe;
use super::table::{GAP, Style, cut_end, width};
use pagemill::Leaves;
use pagemill::listing::Listing;
use pagemill::regions::{Field, Person, RecordSet, Unit};
use std::collections::BTreeMap;
use std::io::{self, Write};
use unicode_width::UnicodeWidthStr;

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

    pub(crate) fn show(&mut self, found: &Listing<'_>, out: &mut dyn Write) -> io::Result<()> {
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

fn sets(found: &Listing<'_>) -> Vec<Set> {
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
