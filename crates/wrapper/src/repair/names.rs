//! Old names for what was learnt anew: sets first, then the columns within each.

use super::assignment::assign;
use super::evidence::Side;
use super::score::{MIN_SCORE, MIN_SET_SCORE, MIN_SURE, Unit, of_sets, of_units, units};
use crate::schema::{Column, Field, Reads, Schema, Set, SlotId};
use page::DataType;
use std::collections::{BTreeMap, BTreeSet};

/// A schema with the names it is to have.
pub(super) struct Given {
    pub(super) schema: Schema,
    /// The slots of what is called so with little reason.
    pub(super) doubtful: Vec<Vec<SlotId>>,
}

/// What was learnt anew, under the old names. Nothing new gets a reserved name.
pub(super) fn give(old: &Side<'_>, new: &Side<'_>, reserved: &[String]) -> Given {
    let mut giver = Giver { old, new, reserved, doubtful: Vec::new() };
    let (was, is) = (&old.schema.fields, &new.schema.fields);
    let matched = giver.matched(was, is, ("", ""));
    let (fields, either) = giver.level(was, is, &new.schema.either, &matched);
    let schema = Schema { fields, either, unfit: new.schema.unfit };
    Given { schema, doubtful: giver.doubtful }
}

struct Giver<'a> {
    old: &'a Side<'a>,
    new: &'a Side<'a>,
    reserved: &'a [String],
    doubtful: Vec<Vec<SlotId>>,
}

/// Which fields of a page or record go together.
struct Matched {
    /// How well, in all.
    score: f64,
    /// Sets, by their places among the sets of either side.
    sets: Vec<(usize, usize, Matched)>,
    /// Units, by their places, and how well.
    units: Vec<(usize, usize, f64)>,
}

type Either = Vec<Vec<Vec<String>>>;

impl Giver<'_> {
    fn matched(&self, was: &[Field], is: &[Field], within: (&str, &str)) -> Matched {
        let sets = self.matched_sets(was, is, within);
        let (left, right) = (units(was), units(is));
        let left_data: Vec<usize> = (0..left.len()).filter(|it| !left[*it].is_template()).collect();
        let row = |index: &usize| -> Vec<Option<f64>> {
            let score = |it| of_units(self.old, self.new, within, (&left[*index], it));
            right.iter().map(|it| score(it).map(|score| score - MIN_SCORE)).collect()
        };
        let scores: Vec<Vec<Option<f64>>> = left_data.iter().map(row).collect();
        let of_row = assign(&scores, right.len());
        let mut found = Vec::new();
        for (row, column) in of_row.iter().enumerate() {
            if let Some(column) = column
                && let Some(score) = scores[row][*column]
            {
                found.push((left_data[row], *column, score + MIN_SCORE));
            }
        }
        let score = found.iter().map(|it| it.2).sum::<f64>()
            + sets.iter().map(|it| it.2.score).sum::<f64>();
        Matched { score, sets, units: found }
    }

    fn matched_sets(
        &self,
        was: &[Field],
        is: &[Field],
        within: (&str, &str),
    ) -> Vec<(usize, usize, Matched)> {
        let (left, right) = (sets(was), sets(is));
        let mut inner: BTreeMap<(usize, usize), Matched> = BTreeMap::new();
        let mut scores = vec![vec![None; right.len()]; left.len()];
        for (i, a) in left.iter().enumerate() {
            for (j, b) in right.iter().enumerate() {
                let paths =
                    (format!("{}{}.", within.0, a.name), format!("{}{}.", within.1, b.name));
                let matched = self.matched(&a.fields, &b.fields, (&paths.0, &paths.1));
                // A set of many columns must not be taken for one that has but a few of them.
                let n = |set: &Set| set.fields.iter().filter(|field| field.is_data()).count();
                let mean = matched.score / n(a).max(n(b)).max(1) as f64;
                let places = (share(i, left.len()), share(j, right.len()));
                scores[i][j] = Some(of_sets(a, b, places) + mean - MIN_SET_SCORE);
                inner.insert((i, j), matched);
            }
        }
        let of_row = assign(&scores, right.len());
        let pairs = of_row.into_iter().enumerate().filter_map(|(i, j)| Some((i, j?)));
        pairs.filter_map(|(i, j)| Some((i, j, inner.remove(&(i, j))?))).collect()
    }

    /// The new fields of a page or record with the names of the old ones that they go with.
    fn level(
        &mut self,
        was: &[Field],
        is: &[Field],
        either: &Either,
        matched: &Matched,
    ) -> (Vec<Field>, Either) {
        let mut level = Level::reserving(was, self.reserved);
        let (old_units, new_units) = (units(was), units(is));
        for (i, j, score) in &matched.units {
            if *score < MIN_SURE {
                self.doubtful.push(new_units[*j].slots.to_vec());
            }
            level.take(&old_units[*i], &new_units[*j]);
        }
        let (old_sets, new_sets) = (sets(was), sets(is));
        for (i, j, inner) in &matched.sets {
            let (a, b) = (old_sets[*i], new_sets[*j]);
            let (fields, either) = self.level(&a.fields, &b.fields, &b.either, inner);
            let set = Set { name: a.name.clone(), fields, either, slots: b.slots.clone(), ..*b };
            level.put(&b.name, vec![Field::Set(set)]);
        }
        level.finish(is, either)
    }
}

fn sets(fields: &[Field]) -> Vec<&Set> {
    let mut sets = Vec::new();
    for field in fields {
        if let Field::Set(set) = field {
            sets.push(set);
        }
    }
    sets
}

fn share(index: usize, n: usize) -> f64 {
    index as f64 / n.max(1) as f64
}

/// The fields of a page or record while they get their names.
struct Level {
    taken: BTreeSet<String>,
    /// By the name that was learnt, what comes in its place.
    given: BTreeMap<String, Vec<Field>>,
}

impl Level {
    fn reserving(was: &[Field], reserved: &[String]) -> Level {
        let old = was.iter().filter(|field| !field.is_template()).map(|field| field.name());
        let taken = old.chain(reserved.iter().map(String::as_str)).map(str::to_owned).collect();
        Level { taken, given: BTreeMap::new() }
    }

    fn put(&mut self, learnt: &str, fields: Vec<Field>) {
        self.given.insert(learnt.to_owned(), fields);
    }

    /// Give the columns of a place the names of those of another.
    fn take(&mut self, was: &Unit<'_>, is: &Unit<'_>) {
        let affixes = affixes(was, is);
        for column in &is.columns {
            let twin = was.reading(column.reads);
            let mut taken = (*column).clone();
            if column.reads == Reads::Value {
                (taken.prefix, taken.suffix) = affixes.clone();
            }
            let mut fields = Vec::new();
            match twin {
                Some(twin) => {
                    taken.name.clone_from(&twin.name);
                    // It was seen to differ.
                    taken.is_template &= twin.is_template;
                    fields.push(Field::Column(taken));
                }
                None => {
                    taken.name = self.free_name(&column.name);
                    fields.push(Field::Column(taken));
                }
            }
            if column.reads == Reads::Value {
                fields.extend(whole_beside(was, is, column).map(Field::Column));
            }
            self.put(&column.name, fields);
        }
    }

    fn free_name(&mut self, name: &str) -> String {
        let mut names =
            std::iter::once(name.to_owned()).chain((2..).map(|n| format!("{name}_{n}")));
        let free = names.find(|name| !self.taken.contains(name)).unwrap_or_default();
        self.taken.insert(free.clone());
        free
    }

    /// All fields in the order in which they were learnt. What goes with nothing has what name is left.
    fn finish(mut self, is: &[Field], either: &Either) -> (Vec<Field>, Either) {
        let mut fields = Vec::new();
        let mut names: BTreeMap<&str, String> = BTreeMap::new();
        let mut rest: Vec<(usize, Field)> = Vec::new();
        for field in is {
            match self.given.remove(field.name()) {
                Some(given) => {
                    names.insert(field.name(), given[0].name().to_owned());
                    fields.extend(given);
                }
                None => rest.push((fields.len(), field.clone())),
            }
        }
        // Data comes first, as when names are learnt.
        rest.sort_by_key(|(_, field)| field.is_template());
        let mut named = Vec::new();
        for (at, mut field) in rest {
            let name = self.free_name(field.name());
            let learnt = is.iter().find(|it| it.name() == field.name());
            if let Some(learnt) = learnt {
                names.insert(learnt.name(), name.clone());
            }
            match &mut field {
                Field::Column(column) => column.name = name,
                Field::Set(set) => set.name = name,
            }
            named.push((at, field));
        }
        named.sort_by_key(|(at, _)| *at);
        for (at, field) in named.into_iter().rev() {
            fields.insert(at, field);
        }
        let rename = |name: &String| names.get(name.as_str()).unwrap_or(name).clone();
        let branch = |branch: &Vec<String>| branch.iter().map(rename).collect();
        let either = either.iter().map(|it| it.iter().map(branch).collect()).collect();
        (fields, either)
    }
}

/// The words to take off the texts of a place: those that were, if they still stand there.
fn affixes(was: &Unit<'_>, is: &Unit<'_>) -> (String, String) {
    let of = |unit: &Unit<'_>| {
        unit.reading(Reads::Value)
            .map(|it| (it.prefix.clone(), it.suffix.clone()))
            .unwrap_or_default()
    };
    let (old, new) = (of(was), of(is));
    let texts = &is.reading(Reads::Whole).unwrap_or(is.main()).examples;
    let has = |(prefix, suffix): &(String, String)| {
        texts
            .iter()
            .any(|text| text.starts_with(prefix.as_str()) && text.ends_with(suffix.as_str()))
    };
    let is_none = |(prefix, suffix): &(String, String)| prefix.is_empty() && suffix.is_empty();
    let old_texts = &was.main().examples;
    let were_values = |(prefix, suffix): &(String, String)| {
        old_texts.iter().any(|it| it.starts_with(prefix.as_str()) && it.ends_with(suffix.as_str()))
    };
    match (is_none(&old), is_none(&new)) {
        (false, _) if has(&old) => old,
        // What all texts share by chance was part of the values.
        (true, false) if were_values(&new) => old,
        _ => new,
    }
}

/// The whole text beside a value, where there was one and none was learnt.
fn whole_beside(was: &Unit<'_>, is: &Unit<'_>, value: &Column) -> Option<Column> {
    let old = was.reading(Reads::Whole)?;
    if is.reading(Reads::Whole).is_some() {
        return None;
    }
    Some(Column {
        name: old.name.clone(),
        label: None,
        data_type: DataType::String,
        reads: Reads::Whole,
        prefix: String::new(),
        suffix: String::new(),
        ..value.clone()
    })
}
