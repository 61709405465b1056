//! Sites: pages of one template, cut into columns by a wrapper, and named by a model.
//!
//! A model alone judges each leaf by itself. Where several pages of a site are at hand, its wrapper is learnt first, and the model
//! judges whole columns: what all pages have in one place. What comes out is a wrapper with the names of the model's schema.

#[cfg(test)]
mod tests;

use crate::input::InputPage;
use crate::pipeline::Annotator;
use crate::pool::Pool;
use annotate::{
    Cell, Choice, Column, ColumnModel, Element, Example, Labels, Lesson, Model, Score, Site,
    Target, TrainConfig,
};
use page::Page;
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use wrapper::{
    ActiveConfig, Data, Edit, EditError, Extractor, Field, LearnError, Reads, Schema, Value,
    Wrapper, active, templates,
};

/// Pages of one template, with the wrapper that was learnt from them.
pub struct Cut<'p> {
    /// What extracts such pages.
    pub wrapper: Wrapper,
    /// Some of the pages, and their columns.
    pub site: Site<'p>,
    /// Which pages these are.
    pub numbers: Vec<usize>,
}

/// So many pages tell what columns are like.
const MAX_PAGES: usize = 40;
/// From so many pages on, a site is worth a wrapper.
pub const MIN_PAGES: usize = 5;

/// Learn the wrapper of some pages of one template, and cut them into columns.
pub fn cut<'p>(pages: &[&'p Page], n_threads: NonZeroUsize) -> Result<Cut<'p>, LearnError> {
    let config = ActiveConfig::default().with_threads(n_threads);
    let trained = active::train(pages.len(), |number| pages[number], &config, |_| ())?;
    let wrapper = trained.learnt.wrapper;
    let step = pages.len().div_ceil(MAX_PAGES).max(1);
    let numbers: Vec<usize> = (0..pages.len()).step_by(step).collect();
    let pages: Vec<&Page> = numbers.iter().map(|number| pages[*number]).collect();
    let columns = columns(&wrapper, &pages);
    Ok(Cut { wrapper, site: Site { pages, columns }, numbers })
}

/// What some pages have in each column of a wrapper.
fn columns(wrapper: &Wrapper, pages: &[&Page]) -> Vec<Column> {
    let mut columns = Vec::new();
    list(&wrapper.schema().fields, "", &mut columns);
    let numbers: BTreeMap<String, usize> =
        columns.iter().enumerate().map(|(nth, it)| (it.path.clone(), nth)).collect();
    let mut extractor = Extractor::new(wrapper);
    for (number, page) in pages.iter().enumerate() {
        for value in extractor.trace(page).values {
            let Some(nth) = numbers.get(&value.field.columns()) else { continue };
            let leaves = value.sources.iter().map(|source| source.leaf);
            let (Some(first), Some(last)) = (leaves.clone().min(), leaves.max()) else { continue };
            columns[*nth].cells.push(Cell {
                page: number,
                leaves: first..last + 1,
                intro: value.prefix,
                text: value.value,
            });
        }
    }
    columns.retain(|column| !column.cells.is_empty());
    columns
}

/// The columns that may be an element: texts that are not the same everywhere.
fn list(fields: &[Field], within: &str, columns: &mut Vec<Column>) {
    for field in fields {
        let path = format!("{within}{}", field.name());
        match field {
            Field::Column(column) if column.is_template || column.reads == Reads::Link => {}
            Field::Column(column) => columns.push(Column {
                path,
                label: column.label.clone(),
                is_in_set: !within.is_empty(),
                cells: Vec::new(),
            }),
            Field::Set(set) => list(&set.fields, &format!("{path}."), columns),
        }
    }
}

/// Learn from labelled pages: from each page, and from the columns of each site that has several.
pub fn train(
    target: &Target,
    examples: &[Example<'_>],
    config: &TrainConfig,
    n_threads: NonZeroUsize,
) -> Model {
    let model = annotate::train(target, examples, config);
    let sites = by_site(examples.iter());
    let n_sites = sites.len();
    let lesson = |numbers: Vec<usize>| {
        let pages: Vec<&Example<'_>> = numbers.into_iter().map(|it| &examples[it]).collect();
        lesson(target, &pages, n_threads)
    };
    let lessons: Vec<Lesson> = sites.into_values().filter_map(lesson).collect();
    // Where most sites have a page or two, these have more to tell.
    if lessons.is_empty() || lessons.len() * 2 < n_sites {
        return model;
    }
    let columns = ColumnModel::train(target, &lessons.iter().collect::<Vec<_>>());
    model.with_columns(columns)
}

/// How well a model does on sites that it has not seen, where their pages are judged together, column by column. None if no site has
/// enough pages for that. Else see [`annotate::cross_validate`].
pub fn cross_validate(
    target: &Target,
    examples: &[Example<'_>],
    config: &TrainConfig,
    n_folds: usize,
    n_threads: NonZeroUsize,
) -> Option<Vec<Score>> {
    let sites = by_site(examples.iter());
    sites.values().any(|pages| pages.len() >= MIN_PAGES).then(|| {
        annotate::cross_validate_by(target, examples, n_folds, |others, held| {
            values(&train(target, others, config, n_threads), held, n_threads)
        })
    })
}

/// The numbers of examples, by their sites.
fn by_site<'e, 'p: 'e>(
    examples: impl Iterator<Item = &'e Example<'p>>,
) -> BTreeMap<&'e str, Vec<usize>> {
    let mut sites: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (number, example) in examples.enumerate() {
        sites.entry(&example.site).or_default().push(number);
    }
    sites
}

/// By page: its values, by the wrapper of its site where that has enough pages.
fn values(
    model: &Model,
    held: &[&Example<'_>],
    n_threads: NonZeroUsize,
) -> Vec<Vec<(usize, String)>> {
    let mut values = vec![Vec::new(); held.len()];
    for numbers in by_site(held.iter().copied()).into_values() {
        let pages: Vec<&Page> = numbers.iter().map(|number| held[*number].page).collect();
        let named = (pages.len() >= MIN_PAGES).then(|| cut(&pages, n_threads).ok()?.named(model));
        let sites: Vec<NamedWrapper> = named.flatten().into_iter().collect();
        let mut annotator = Annotator::new(model, &sites);
        for (number, page) in numbers.into_iter().zip(pages) {
            values[number] = annotator.values(page);
        }
    }
    values
}

/// What the columns of a site teach, if it has enough pages and any of its columns is known.
fn lesson(target: &Target, examples: &[&Example<'_>], n_threads: NonZeroUsize) -> Option<Lesson> {
    if examples.len() < MIN_PAGES {
        return None;
    }
    let pages: Vec<&Page> = examples.iter().map(|example| example.page).collect();
    let cut = cut(&pages, n_threads).ok()?;
    let labels: Vec<Labels> =
        cut.numbers.iter().map(|number| examples[*number].labels.clone()).collect();
    Some(Lesson::new(target, &cut.site, &labels)).filter(|lesson| lesson.n_known() > 0)
}

/// Templates are learnt from pages of so many bytes at most, a sample of what is there.
const MAX_HELD: usize = 64 << 20;

/// The same, of pages as they come.
pub fn wrappers_of(
    model: &Model,
    pages: impl Iterator<Item = InputPage>,
    n_threads: NonZeroUsize,
) -> Vec<NamedWrapper> {
    let mut pool = Pool::default().with_max_bytes(MAX_HELD);
    pages.for_each(|page| pool.add(page));
    let pages: Vec<Page> = pool.into_pages().iter().map(InputPage::parse).collect();
    wrappers(model, &pages, n_threads)
}

/// Learn and name the wrappers of some pages: one for each template that enough of them share, the most frequent first. None if
/// the model knows nothing of columns.
pub fn wrappers(model: &Model, pages: &[Page], n_threads: NonZeroUsize) -> Vec<NamedWrapper> {
    if model.columns().is_none() {
        return Vec::new();
    }
    let groups = templates(pages.len(), |number| &pages[number], n_threads);
    let large = groups.into_iter().filter(|group| group.len() >= MIN_PAGES);
    large
        .filter_map(|group| {
            let pages: Vec<&Page> = group.iter().map(|number| &pages[*number]).collect();
            cut(&pages, n_threads).ok()?.named(model)
        })
        .collect()
}

/// A wrapper with the names of a schema.
#[derive(Clone, Debug)]
pub struct NamedWrapper {
    /// It extracts what the schema asks for, and nothing else.
    pub wrapper: Wrapper,
    /// By element of the schema: where it is, and how sure that is.
    pub elements: Vec<Option<NamedColumn>>,
}

/// A column that is an element of a schema.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedColumn {
    /// Where it is now.
    pub path: String,
    /// What it was called before.
    pub was: String,
    /// How sure it is.
    pub probability: f32,
}

/// An element that should be there is the likeliest column, unless that is hardly likely; one that may be missing has to be
/// likelier.
const LIKELY: f32 = 0.3;
const HARDLY: f32 = 0.05;

impl Cut<'_> {
    /// Name the columns by a model. None if it knows nothing of columns, or finds none.
    pub fn named(&self, model: &Model) -> Option<NamedWrapper> {
        let elements = model.target().elements();
        let choices: Vec<Choice> = model.columns()?.choose(&self.site);
        let is_likely = |choice: &Choice| {
            let is_required = elements[choice.element].cardinality.is_required();
            choice.probability > if is_required { HARDLY } else { LIKELY }
        };
        let choices: Vec<Choice> = choices.into_iter().filter(is_likely).collect();
        if choices.is_empty() {
            return None;
        }
        self.rename(model.target(), &choices).ok()
    }

    fn rename(&self, target: &Target, choices: &[Choice]) -> Result<NamedWrapper, EditError> {
        let was = |choice: &Choice| self.site.columns[choice.column].path.as_str();
        let kept: Vec<&str> = choices.iter().map(was).collect();
        let mut wrapper = self.wrapper.clone();
        for path in others(wrapper.schema(), &kept) {
            wrapper.edit(Edit::drop(path))?;
        }
        let mut elements: Vec<Option<NamedColumn>> = vec![None; target.elements().len()];
        // First to names that none has, because a column may be called what another is to be called.
        for (nth, choice) in choices.iter().enumerate() {
            wrapper
                .edit(Edit::rename(was(choice), format!("element_{nth}_of_{}", choices.len())))?;
        }
        for (nth, choice) in choices.iter().enumerate() {
            let path = was(choice);
            let within = path.rsplit_once('.').map(|(within, _)| format!("{within}."));
            let within = within.unwrap_or_default();
            let name = name_of(&target.elements()[choice.element]);
            let held = format!("{within}element_{nth}_of_{}", choices.len());
            wrapper.edit(Edit::rename(held, &name))?;
            elements[choice.element] = Some(NamedColumn {
                path: format!("{within}{name}"),
                was: path.to_owned(),
                probability: choice.probability,
            });
        }
        Ok(NamedWrapper { wrapper, elements })
    }
}

/// What a column is called that is an element of a schema.
fn name_of(element: &Element) -> String {
    element.full_name().replace(['.', '/'], "_")
}

/// The columns and sets of a schema that hold none of some columns, and what others in the same sets do.
fn others(schema: &Schema, kept: &[&str]) -> Vec<String> {
    fn walk(fields: &[Field], within: &str, kept: &[&str], others: &mut Vec<String>) {
        for field in fields.iter().filter(|field| !field.is_template()) {
            let path = format!("{within}{}", field.name());
            let inside = format!("{path}.");
            match field {
                Field::Set(set) if kept.iter().any(|it| it.starts_with(&inside)) => {
                    walk(&set.fields, &inside, kept, others);
                }
                _ if kept.contains(&path.as_str()) => {}
                _ => others.push(path),
            }
        }
    }
    let mut found = Vec::new();
    walk(&schema.fields, "", kept, &mut found);
    found
}

impl NamedWrapper {
    /// What some data of its pages has of an element.
    pub(crate) fn texts<'d>(&self, element: usize, data: &'d Data) -> Vec<&'d str> {
        let mut texts = Vec::new();
        if let Some(column) = &self.elements[element] {
            collect(data, &column.path.split('.').collect::<Vec<_>>(), &mut texts);
        }
        texts
    }
}

/// The texts at the end of a path. Recursion is bounded by the path's length.
fn collect<'d>(data: &'d Data, path: &[&str], texts: &mut Vec<&'d str>) {
    let Some((name, rest)) = path.split_first() else { return };
    match data.get(name) {
        Some(Value::Text(text)) if rest.is_empty() => texts.push(text),
        Some(Value::Records(records)) => {
            records.iter().for_each(|record| collect(record, rest, texts));
        }
        _ => {}
    }
}
