//! What pages of one kind have in common, learnt from all of them together.
//!
//! Pages were judged one by one when they came. Here those of one template are learnt as one, and what their columns are says what
//! the pages are: a page about a product has a price of its own, a list has many. So a page that was taken for something else alone
//! is read as what its like are.

use super::mapping::Mapping;
use super::recipe::{Gives, Recipe};
use crate::learning::Learning;
use crate::{InputPage, pipeline};
use network::Schema;
use std::collections::BTreeMap;
use wrapper::{Field, Learnt, Wrapper, templates};

/// How pages of one template are read.
pub(super) struct Template<'r> {
    pub(super) wrapper: Wrapper,
    pub(super) reading: Reading<'r>,
}

/// What pages give, and by which columns.
#[derive(Clone)]
pub(super) struct Reading<'r> {
    pub(super) gives: &'r Gives,
    /// The columns of what the page is about.
    pub(super) own: Mapping,
    /// The set of what it lists, and the columns of its records.
    pub(super) listed: Option<(String, Mapping)>,
}

/// A page alone has nothing to be compared with.
const MIN_PAGES: usize = 2;
/// What pages were taken for one by one counts as one column.
const TAKEN_FOR: f64 = 1.0;

/// The templates of some pages that give something, with the numbers of their pages; and which kind each page was taken for.
pub(super) fn learn_all<'r>(
    inputs: &[InputPage],
    kinds: &BTreeMap<String, String>,
    recipe: &'r Recipe,
    schema: &Schema,
) -> Vec<(Template<'r>, Vec<usize>)> {
    let groups = templates(inputs.len(), |number| inputs[number].parse(), pipeline::all_cores());
    let mut found = Vec::new();
    for group in groups.into_iter().filter(|group| group.len() >= MIN_PAGES) {
        let pages: Vec<&InputPage> = group.iter().map(|number| &inputs[*number]).collect();
        let Ok(Learnt { wrapper, .. }) = Learning::default().from_group(&pages) else { continue };
        let taken_for = most_frequent(group.iter().filter_map(|it| kinds.get(&inputs[*it].id)));
        if let Some(reading) = Reading::best(&wrapper.schema().fields, taken_for, recipe, schema) {
            found.push((Template { wrapper, reading }, group));
        }
    }
    found
}

fn most_frequent<'a>(names: impl Iterator<Item = &'a String>) -> Option<&'a str> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    names.for_each(|name| *counts.entry(name).or_default() += 1);
    counts.into_iter().max_by_key(|(_, n)| *n).map(|(name, _)| name)
}

impl<'r> Reading<'r> {
    /// What pages with some fields give: that of which most is there.
    pub(super) fn best(
        fields: &[Field],
        taken_for: Option<&str>,
        recipe: &'r Recipe,
        schema: &Schema,
    ) -> Option<Reading<'r>> {
        let all = recipe.gives.iter().filter(|gives| gives.object.is_some());
        let readings = all.filter_map(|gives| {
            let reading = Reading::new(fields, gives, recipe, schema)?;
            let is_taken = taken_for == Some(gives.kind.as_str());
            Some((reading.score() + if is_taken { TAKEN_FOR } else { 0.0 }, reading))
        });
        // The first of equals.
        let best = readings.reduce(|best, it| if it.0 > best.0 { it } else { best });
        best.map(|(_, reading)| reading)
    }

    fn new(
        fields: &[Field],
        gives: &'r Gives,
        recipe: &'r Recipe,
        schema: &Schema,
    ) -> Option<Reading<'r>> {
        let own = match recipe.object(gives.object.as_deref()?) {
            Some(object) => {
                let mapping = Mapping::new(fields, object, &names_others(schema, &object.class));
                // Its name is the page's heading.
                let needs: Vec<String> =
                    object.needs.iter().filter(|it| *it != super::mapping::NAME).cloned().collect();
                // What is known of an object only from lists is no page of it.
                if gives.records.is_none() && !mapping.has_all(&needs) {
                    return None;
                }
                mapping
            }
            None => Mapping::default(),
        };
        let listed = match &gives.records {
            Some(class) => Some(main_set(fields, class, recipe, schema)?),
            None => None,
        };
        Some(Reading { gives, own, listed })
    }

    fn score(&self) -> f64 {
        self.own.score + self.listed.as_ref().map_or(0.0, |(_, mapping)| mapping.score)
    }
}

/// The set whose records are most like objects of a class; of equals the larger.
fn main_set(
    fields: &[Field],
    class: &str,
    recipe: &Recipe,
    schema: &Schema,
) -> Option<(String, Mapping)> {
    let object = recipe.object(class)?;
    let sets = fields.iter().filter_map(|field| match field {
        Field::Set(set) => Some(set),
        Field::Column(_) => None,
    });
    let mapped = sets.map(|set| (set, Mapping::new(&set.fields, object, &is_many(schema, class))));
    let fitting = mapped.filter(|(_, mapping)| mapping.has_all(&object.needs));
    let best = fitting.max_by(|(set, a), (other, b)| {
        a.score.total_cmp(&b.score).then(set.n_records.cmp(&other.n_records))
    });
    best.map(|(set, mapping)| (set.name.clone(), mapping))
}

/// Which properties of a class are other objects, of which there may be several: those that a page is about something by. Other sets
/// of a page, such as pictures, are not of what it is about.
fn names_others<'s>(schema: &'s Schema, class: &str) -> impl Fn(&str) -> bool + use<'s> {
    let is_many = is_many(schema, class);
    let class = schema.class_named(class);
    move |property: &str| {
        let id = class.and_then(|class| schema.property_named(class, property));
        is_many(property) && id.is_some_and(|id| schema.relationship(id).is_some())
    }
}

/// Of which properties of a class there may be several.
fn is_many<'s>(schema: &'s Schema, class: &str) -> impl Fn(&str) -> bool + use<'s> {
    let class = schema.class_named(class);
    move |property: &str| {
        let id = class.and_then(|class| schema.property_named(class, property));
        id.is_some_and(|id| schema.property(schema.root(id)).is_many)
    }
}
