//! Things that pages list in records, or are about: from the columns of templates to mentions.

use super::mapping::{LINK, Mapping, NAME, words};
use super::recipe::{Gives, Recipe};
use super::stored::{StoredPage, input, said};
use super::template::{Reading, Template, learn_all};
use super::{GatherError, Watch, go_on};
use crate::pool::Pool;
use crawl::Pages;
use network::Schema;
use network::merge::{Mention, Root};
use network::schema::{Kind, ValueType};
use page::DataType;
use regions::SetConfig;
use std::collections::BTreeMap;
use std::ops::Range;
use wrapper::{Data, Extractor, Status, Value};

/// More bytes of pages than these are sampled to learn from.
const MAX_BYTES: usize = 64 << 20;
/// How sure it is what a page says that fits its template, one that does so in part, and one that has none.
const VERIFIED: f64 = 0.95;
const PARTIAL: f64 = 0.8;
const ALONE: f64 = 0.6;
/// What a trail says of where something belongs, beside what a list says.
const BY_TRAIL: u32 = 2;
const BY_LIST: u32 = 1;

/// A value of a page: the names that lead to it, with the numbers of records, and where it stands.
struct Cell {
    steps: Vec<(String, Option<usize>)>,
    text: String,
    span: Range<usize>,
}

/// Read all pages of a store that give things.
pub(super) fn read(
    store: &mut dyn Pages,
    recipe: &Recipe,
    schema: &Schema,
    root: &Root,
    watch: &mut Watch<'_>,
) -> Result<Vec<Mention>, GatherError> {
    let has_kinds = store.has_kinds()?;
    let is_wanted =
        |kind: Option<&str>| !has_kinds || recipe.gives(kind).is_some_and(Gives::has_things);
    let mut pool = Pool::default().with_max_bytes(MAX_BYTES);
    let mut kinds: BTreeMap<String, String> = BTreeMap::new();
    let mut last = i64::MIN;
    while let Some(row) = store.page_after(last)? {
        last = row.id;
        if is_wanted(row.kind.as_deref()) && !row.is_gone {
            kinds.extend(row.kind.clone().map(|kind| (row.url.clone(), kind)));
            pool.add(input(row));
        }
    }
    let inputs = pool.into_pages();
    let learnt = learn_all(&inputs, &kinds, recipe, schema);
    let of_template: BTreeMap<&str, usize> = learnt
        .iter()
        .enumerate()
        .flat_map(|(nth, (_, pages))| pages.iter().map(move |page| (*page, nth)))
        .map(|(page, nth)| (inputs[page].id.as_str(), nth))
        .collect();
    let templates: Vec<&Template<'_>> = learnt.iter().map(|(template, _)| template).collect();
    let mut extractors: Vec<Extractor<'_>> =
        templates.iter().map(|template| Extractor::new(&template.wrapper)).collect();
    let mut reader = Reader { recipe, schema, root, mentions: Vec::new() };
    let (mut last, mut n_read) = (i64::MIN, 0);
    while let Some(row) = store.page_after(last)? {
        last = row.id;
        if !is_wanted(row.kind.as_deref()) || row.is_gone {
            continue;
        }
        let own = of_template.get(row.url.as_str()).copied();
        let Some(page) = StoredPage::parse(row) else { continue };
        let order = own.into_iter().chain((0..templates.len()).filter(|it| Some(*it) != own));
        let best = fitting(order, &mut extractors, &page);
        match best {
            Some((nth, cells, confidence)) => {
                reader.take(&page, &templates[nth].reading, &cells, confidence);
            }
            None => reader.take_alone(&page),
        }
        n_read += 1;
        go_on(watch, n_read)?;
    }
    Ok(reader.mentions)
}

/// The template that a page fits, the first of those that it does, with its values.
fn fitting(
    order: impl Iterator<Item = usize>,
    extractors: &mut [Extractor<'_>],
    page: &StoredPage,
) -> Option<(usize, Vec<Cell>, f64)> {
    let mut partial = None;
    for nth in order {
        let trace = extractors[nth].trace(&page.page);
        let cells = || {
            let cell = |value: wrapper::Traced| Cell {
                steps: value.field.steps().map(|(name, at)| (name.to_owned(), at)).collect(),
                text: value.value,
                span: value.span.range(),
            };
            trace.values.into_iter().map(cell).collect()
        };
        match trace.extraction.status {
            Status::Verified => return Some((nth, cells(), VERIFIED)),
            Status::Partial if partial.is_none() => partial = Some((nth, cells(), PARTIAL)),
            _ => {}
        }
    }
    partial
}

struct Reader<'a> {
    recipe: &'a Recipe,
    schema: &'a Schema,
    root: &'a Root,
    mentions: Vec<Mention>,
}

/// Cells of one record or page, seen from within it.
type Row<'c> = Vec<(&'c [(String, Option<usize>)], &'c Cell)>;

impl Reader<'_> {
    /// Take in a page of a template.
    fn take(&mut self, page: &StoredPage, reading: &Reading<'_>, cells: &[Cell], confidence: f64) {
        let own: Row<'_> = cells.iter().map(|cell| (&cell.steps[..], cell)).collect();
        let Some(subject) = self.subject(page, reading.gives, &reading.own, &own, confidence)
        else {
            return;
        };
        let (Some(class), Some((set, mapping))) = (&reading.gives.records, &reading.listed) else {
            return;
        };
        for (_, record) in records(cells, set) {
            self.record(page, class, mapping, &record, subject, confidence);
        }
    }

    /// Take in a page that is like no other: what it lists, by itself.
    fn take_alone(&mut self, page: &StoredPage) {
        let gives = self.recipe.gives(page.kind.as_deref());
        let Some(gives) = gives.filter(|it| it.records.is_some()) else { return };
        let sets = regions::record_sets(&page.page, &page.leaves, None, &SetConfig::default());
        for set in sets {
            let spans: Vec<Range<usize>> = set.leaves.iter().map(|it| span(page, it)).collect();
            let name = set.name.clone();
            let (schema, data) = set.into_page();
            let Some(reading) =
                Reading::best(&schema.fields, Some(&gives.kind), self.recipe, self.schema)
            else {
                continue;
            };
            let mut cells = Vec::new();
            flatten(&data, &[], &spans, &mut cells);
            debug_assert!(cells.iter().all(|cell| cell.steps[0].0 == name));
            self.take(page, &reading, &cells, ALONE);
            return;
        }
    }

    /// What a page is about.
    fn subject(
        &mut self,
        page: &StoredPage,
        gives: &Gives,
        mapping: &Mapping,
        cells: &Row<'_>,
        confidence: f64,
    ) -> Option<usize> {
        let class = gives.object.as_deref()?;
        // The home page is about the root.
        if page.address() == self.root.url || !self.is_one(gives, mapping, cells, confidence) {
            return None;
        }
        let by_column = || self.text(mapping, cells, NAME).map(|(text, _)| text);
        let by_heading = page.heading.as_deref().map(|heading| name_in(heading, cells));
        let name = by_heading.or_else(by_column).or_else(|| page.title.clone())?;
        let trail = gives.trail.as_deref();
        let within = trail.and_then(|class| self.trail(page, class, cells, &name, confidence));
        let mut mention = self.mention(page, class, mapping, cells, &name, confidence);
        mention.url = Some(page.address());
        mention.is_own = true;
        mention.within = within.map(|it| (it, BY_TRAIL));
        self.mentions.push(mention);
        Some(self.mentions.len() - 1)
    }

    /// Whether a page that fits a template in part only is of what others of it are about: it has what these need.
    fn is_one(&self, gives: &Gives, mapping: &Mapping, cells: &Row<'_>, confidence: f64) -> bool {
        let object = gives.object.as_deref().and_then(|class| self.recipe.object(class));
        let needs = object.map_or(&[][..], |object| object.needs.as_slice());
        let mut others = needs.iter().filter(|it| *it != NAME);
        confidence >= VERIFIED
            || gives.records.is_some()
            || others.all(|it| self.text(mapping, cells, it).is_some())
    }

    fn record(
        &mut self,
        page: &StoredPage,
        class: &str,
        mapping: &Mapping,
        cells: &Row<'_>,
        within: usize,
        confidence: f64,
    ) {
        let Some((name, path)) = self.text(mapping, cells, NAME) else { return };
        let needs = self.recipe.object(class).map_or(&[][..], |it| it.needs.as_slice());
        if needs.iter().any(|it| self.text(mapping, cells, it).is_none()) {
            return;
        }
        let link = link_of(cells, &path, &[]).and_then(|link| page.absolute(link));
        let mut mention = self.mention(page, class, mapping, cells, &name, confidence);
        mention.url = link;
        mention.within = Some((within, BY_LIST));
        self.mentions.push(mention);
    }

    /// A mention with all that its columns say of it.
    fn mention(
        &mut self,
        page: &StoredPage,
        class: &str,
        mapping: &Mapping,
        cells: &Row<'_>,
        name: &str,
        confidence: f64,
    ) -> Mention {
        let mut mention = Mention {
            class: class.to_owned(),
            name: name.to_owned(),
            place: page.place(hull(cells)),
            confidence,
            ..Mention::default()
        };
        let Some(id) = self.schema.class_named(class) else { return mention };
        for (property, columns) in mapping.columns.iter().filter(|(it, _)| *it != NAME) {
            let Some(definition) = self.schema.property_named(id, property) else { continue };
            // A page has the one column or the other.
            let values = columns.iter().map(|path| values_at(cells, path));
            let fitting = values.map(|all| {
                let is_name = self.schema.relationship(definition).is_some();
                let fits = |it: &&(Vec<usize>, &Cell)| {
                    let text = &it.1.text;
                    // A picture names nobody.
                    self.fits(class, property, text)
                        && !(is_name && DataType::classify(text) == DataType::Url)
                };
                all.into_iter().filter(|it| fits(&it)).collect::<Vec<_>>()
            });
            let Some((path, values)) = columns.iter().zip(fitting).find(|(_, all)| !all.is_empty())
            else {
                continue;
            };
            match &self.schema.property(definition).kind {
                Kind::Attribute { value: of, .. } => {
                    let n = if self.schema.property(definition).is_many { values.len() } else { 1 };
                    let values = values.iter().take(n);
                    mention.values.extend(values.filter_map(|(_, cell)| {
                        let text = self.without_label(class, property, &cell.text);
                        let value = value_of(page, *of, text)?;
                        Some((property.clone(), value, page.place(cell.span.clone())))
                    }));
                }
                Kind::Relationship(relationship) => {
                    let target = self.schema.class(relationship.target).name.clone();
                    for (numbers, cell) in values {
                        let url = link_of(cells, path, &numbers).and_then(|it| page.absolute(it));
                        let text = self.without_label(class, property, &cell.text);
                        let Some(name) = said(text) else { continue };
                        self.mentions.push(Mention {
                            class: target.clone(),
                            name,
                            url,
                            place: page.place(cell.span.clone()),
                            confidence,
                            ..Mention::default()
                        });
                        let place = page.place(cell.span.clone());
                        mention.relations.push((property.clone(), self.mentions.len() - 1, place));
                    }
                }
            }
        }
        mention
    }

    /// Whether a text is of the type that a plan wants for a property.
    fn fits(&self, class: &str, property: &str, text: &str) -> bool {
        let types = self.recipe.object(class).map(|object| &object.types);
        let wanted = types.and_then(|types| types.get(property));
        let wanted = wanted.and_then(|name| DataType::from_name(name));
        // Where something leads is whatever stands there.
        wanted.is_none_or(|it| it == DataType::Url || DataType::classify(text).is_a(it))
    }

    /// A text without what the property is called: `Publisher: Vintage` is Vintage.
    fn without_label<'t>(&self, class: &str, property: &str, text: &'t str) -> &'t str {
        let Some((label, rest)) = text.split_once(':') else { return text };
        let label = words(label);
        let phrases = self.recipe.object(class).and_then(|object| object.words.get(property));
        let is_label = phrases.into_iter().flatten().any(|phrase| label.ends_with(&words(phrase)));
        if is_label && !rest.trim().is_empty() { rest } else { text }
    }

    /// The first value of a property, and the path of its column.
    fn text(
        &self,
        mapping: &Mapping,
        cells: &Row<'_>,
        property: &str,
    ) -> Option<(String, Vec<String>)> {
        let columns = mapping.columns.get(property)?;
        columns.iter().find_map(|path| {
            let values = values_at(cells, path);
            Some((said(&values.first()?.1.text)?, path.clone()))
        })
    }

    /// The way from the home page to this one, as pages show it above their heading: each step is in the one before. Gives the
    /// last.
    fn trail(
        &mut self,
        page: &StoredPage,
        class: &str,
        cells: &Row<'_>,
        own_name: &str,
        confidence: f64,
    ) -> Option<usize> {
        let is_trail = |name: &str| TRAIL.contains(&words(name).join(" ").as_str());
        let steps = cells.iter().filter(|(steps, cell)| {
            is_trail(&cell.steps[0].0)
                && !steps.last().is_some_and(|(name, _)| name.ends_with(LINK))
        });
        let mut within: Option<usize> = None;
        for (steps, cell) in steps {
            let Some(name) = said(&cell.text) else { continue };
            let path: Vec<String> = steps.iter().map(|(name, _)| name.clone()).collect();
            let numbers: Vec<usize> = steps.iter().filter_map(|(_, number)| *number).collect();
            let url = link_of(cells, &path, &numbers).and_then(|link| page.absolute(link));
            let is_home = url.as_deref() == Some(&*self.root.url)
                || name == self.root.name
                || HOME.contains(&name.to_lowercase().as_str());
            if is_home || name == own_name || url.as_deref() == Some(&*page.address()) {
                continue;
            }
            self.mentions.push(Mention {
                class: class.to_owned(),
                name,
                url,
                within: within.map(|it| (it, BY_TRAIL)),
                place: page.place(cell.span.clone()),
                confidence,
                ..Mention::default()
            });
            within = Some(self.mentions.len() - 1);
        }
        within
    }
}

/// The name in a heading that says more: the text that it starts with, `Dune` of `Dune [Paperback]`. A heading that was cut is what
/// starts with it.
fn name_in(heading: &str, cells: &Row<'_>) -> String {
    let texts = || cells.iter().filter_map(|(_, cell)| Some((said(&cell.text)?, &cell.span)));
    let whole = texts()
        .find(|(text, _)| text == heading || heading.len() >= CUT && text.starts_with(heading));
    let Some((whole, place)) = whole else { return heading.to_owned() };
    let is_start = |text: &str, span: &Range<usize>| {
        let rest = whole.strip_prefix(text).unwrap_or("");
        span.start == place.start && rest.starts_with(|c: char| !c.is_alphanumeric())
    };
    let starts = texts().filter(|(text, span)| is_start(text, span));
    starts.map(|(text, _)| text).max_by_key(String::len).unwrap_or(whole)
}

/// Headings are cut about here.
const CUT: usize = 180;

/// What sites call the way to a page, where they tell those who cannot see it or their own style sheets.
const TRAIL: [&str; 5] = ["breadcrumb", "breadcrumb list", "trail", "you are here", "path"];
/// What the first step of it is called.
const HOME: [&str; 8] =
    ["home", "home page", "homepage", "start", "startseite", "accueil", "inicio", "main page"];

/// The records of a set, by number.
fn records<'c>(cells: &'c [Cell], set: &str) -> BTreeMap<usize, Row<'c>> {
    let mut records: BTreeMap<usize, Row<'c>> = BTreeMap::new();
    for cell in cells {
        if let [(name, Some(number)), rest @ ..] = &cell.steps[..]
            && name == set
        {
            records.entry(*number).or_default().push((rest, cell));
        }
    }
    records
}

/// The values of a column, each with the numbers of the records it is in.
fn values_at<'c>(cells: &Row<'c>, path: &[String]) -> Vec<(Vec<usize>, &'c Cell)> {
    let is_there = |steps: &[(String, Option<usize>)]| {
        steps.len() == path.len()
            && steps.iter().zip(path).all(|((name, _), wanted)| name == wanted)
    };
    let found = cells.iter().filter(|(steps, _)| is_there(steps));
    found
        .map(|(steps, cell)| (steps.iter().filter_map(|(_, number)| *number).collect(), *cell))
        .collect()
}

/// Where the value of a column links to.
fn link_of<'c>(cells: &Row<'c>, path: &[String], numbers: &[usize]) -> Option<&'c str> {
    let mut path = path.to_vec();
    path.last_mut()?.push_str(LINK);
    let links = values_at(cells, &path).into_iter();
    let mut same = links.filter(|(at, _)| at == numbers);
    same.next().map(|(_, cell)| cell.text.as_str())
}

/// From the first value of a record to its last.
fn hull(cells: &Row<'_>) -> Range<usize> {
    let spans = cells.iter().map(|(_, cell)| &cell.span).filter(|span| !span.is_empty());
    let start = spans.clone().map(|span| span.start).min().unwrap_or(0);
    start..spans.map(|span| span.end).max().unwrap_or(start)
}

/// From the first leaf of a record to its last.
fn span(page: &StoredPage, leaves: &Range<usize>) -> Range<usize> {
    match leaves.is_empty() || leaves.end > page.leaves.len() {
        true => 0..0,
        false => {
            let (first, last) = (page.leaves.get(leaves.start), page.leaves.get(leaves.end - 1));
            first.span.hull(last.span).range()
        }
    }
}

/// The cells of data that has no trace: each stands where its record does. Data is as deep as its schema.
fn flatten(
    data: &Data,
    above: &[(String, Option<usize>)],
    spans: &[Range<usize>],
    cells: &mut Vec<Cell>,
) {
    for (name, value) in data.iter() {
        let step = |number: Option<usize>| [above, &[(name.to_string(), number)]].concat();
        match value {
            Value::Text(text) => {
                let nth = above.first().and_then(|(_, number)| *number).unwrap_or(0);
                let span = spans.get(nth).cloned().unwrap_or(0..0);
                cells.push(Cell { steps: step(None), text: text.to_string(), span });
            }
            Value::Records(records) => {
                for (number, record) in records.iter().enumerate() {
                    flatten(record, &step(Some(number)), spans, cells);
                }
            }
        }
    }
}

/// A text as a value of a type; none if it is none.
fn value_of(page: &StoredPage, of: ValueType, text: &str) -> Option<String> {
    let text = said(text)?;
    let value = match of {
        ValueType::Url => page.absolute(&text)?,
        ValueType::Int | ValueType::Number => number_in(&text)?,
        _ => text,
    };
    of.accepts(&value).then_some(value)
}

/// The first number of a text: `4.5 out of 5` is 4.5.
fn number_in(text: &str) -> Option<String> {
    let start = text.find(|c: char| c.is_ascii_digit())?;
    let rest = &text[start..];
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',');
    let number =
        rest[..rest.find(|c| !is_part(c)).unwrap_or(rest.len())].trim_end_matches(['.', ',']);
    let digits = |text: &str| text.replace(['.', ','], "");
    Some(match decimal_mark(number) {
        Some(place) => format!("{}.{}", digits(&number[..place]), &number[place + 1..]),
        None => digits(number),
    })
}

/// Where the fraction of a number starts: at its last mark, unless that parts thousands. A mark that comes several times does, and so
/// does a lone comma before three digits.
fn decimal_mark(number: &str) -> Option<usize> {
    let place = number.rfind(['.', ','])?;
    let mark = &number[place..place + 1];
    let parts_thousands = number[..place].contains(mark)
        || mark == "," && number.len() - place == 4 && !number[..place].contains('.');
    (!parts_thousands).then_some(place)
}

#[cfg(test)]
mod tests {
    use super::number_in;

    #[test]
    fn numbers_are_found_in_what_is_said_around_them() {
        let check =
            |text: &str, expected: &str| assert_eq!(number_in(text).as_deref(), Some(expected));
        check("4.5 out of 5", "4.5");
        check("Note: 4,5 von 5", "4.5");
        check("1,204 reviews", "1204");
        check("1,204.50 each", "1204.50");
        check("1.204,50 €", "1204.50");
        check("1.204.000 Stück", "1204000");
        check("1,204,000", "1204000");
        check("2.125", "2.125");
        check("3.", "3");
        assert_eq!(number_in("none"), None);
    }
}
