//! Which columns are which properties of a class.
//!
//! A plan says what pages call a property, the surest word first, and of which type its values are. Columns have the names that
//! pages give them, so a column is a property whose words are its name or its label and whose values are of its type. Each column is
//! one property at most; a property may have several columns, of which a page has the one or the other.

use super::recipe::ObjectWords;
use page::DataType;
use std::collections::{BTreeMap, BTreeSet};
use wrapper::{Column, Field, Reads};

/// The columns of a page, or of a record, by property.
#[derive(Debug, Clone, Default)]
pub(super) struct Mapping {
    /// By property: paths of columns within the page or record, the best first.
    pub(super) columns: BTreeMap<String, Vec<Vec<String>>>,
    /// What speaks for it: the sum of what speaks for the best column of each property.
    pub(super) score: f64,
}

/// A column that may be a property.
struct Candidate<'f> {
    path: Vec<String>,
    column: &'f Column,
    /// What it is called: by its name, by the label beside it, and by the set it is in if its own name says nothing.
    names: Vec<Vec<String>>,
    has_link: bool,
}

/// What a property that has a name exactly is worth, and less of one that ends with it, starts with it, or has it inside.
const EXACT: f64 = 1.0;
const ENDS: f64 = 0.6;
const STARTS: f64 = 0.5;
const INSIDE: f64 = 0.4;
/// The type alone.
const BY_TYPE: f64 = 0.3;
/// Less is chance.
const MIN_SCORE: f64 = 0.28;
/// Each word is less sure than the one before by this much.
const STEP: f64 = 0.04;
/// Other columns of a property are nearly as good as the best.
const NEARLY: f64 = 0.85;
/// Columns of sets have to be called what the property is, or to end with it.
const IN_SET: f64 = 0.55;
/// A word of so few letters is chance where it is not all that a column is called.
const SHORT: usize = 3;
/// What names of records have and other texts lack: a link.
const LINKED: f64 = 0.1;

/// The property that every object has.
pub(super) const NAME: &str = "name";

impl Mapping {
    /// Which fields are which properties. `may_be_in_set` says of which properties the columns of sets are values.
    pub(super) fn new(
        fields: &[Field],
        object: &ObjectWords,
        may_be_in_set: &dyn Fn(&str) -> bool,
    ) -> Mapping {
        let mut candidates = Vec::new();
        collect(fields, &[], &[], &mut candidates);
        let mut pairs: Vec<(f64, &str, usize)> = Vec::new();
        for property in object.properties() {
            for (number, candidate) in candidates.iter().enumerate() {
                let is_in_set = candidate.path.len() > 1;
                if is_in_set && !may_be_in_set(property) {
                    continue;
                }
                let score = candidate.score(object, property);
                // Sets are mostly about something else: those who bought this, and what they said.
                if is_in_set && score < IN_SET {
                    continue;
                }
                if score >= MIN_SCORE {
                    pairs.push((score, property, number));
                }
            }
        }
        // Of equals, what an object cannot be without, then what stands first on the page.
        let is_spare = |property: &str| !object.needs.iter().any(|it| it == property);
        let key = |pair: &(f64, &str, usize)| (is_spare(pair.1), pair.2);
        pairs.sort_by(|a, b| {
            b.0.total_cmp(&a.0).then_with(|| key(a).cmp(&key(b))).then(a.1.cmp(b.1))
        });
        let mut mapping = Mapping::default();
        let mut best: BTreeMap<&str, f64> = BTreeMap::new();
        let mut taken: BTreeSet<usize> = BTreeSet::new();
        for (score, property, number) in pairs {
            // What is another property already is no measure for the rest.
            if taken.contains(&number) || score < NEARLY * *best.entry(property).or_insert(score) {
                continue;
            }
            taken.insert(number);
            let columns = mapping.columns.entry(property.to_owned()).or_default();
            if columns.is_empty() {
                mapping.score += score;
            }
            columns.push(candidates[number].path.clone());
        }
        mapping
    }

    /// Whether all that an object needs is there.
    pub(super) fn has_all(&self, needs: &[String]) -> bool {
        needs.iter().all(|property| self.columns.contains_key(property))
    }
}

/// All columns that hold data, with those of sets within.
fn collect<'f>(
    fields: &'f [Field],
    within: &[String],
    called: &[String],
    candidates: &mut Vec<Candidate<'f>>,
) {
    let link_of = |name: &str| format!("{name}{LINK}");
    for field in fields.iter().filter(|field| !field.is_template()) {
        let path = [within, &[field.name().to_owned()]].concat();
        match field {
            Field::Set(set) if path.len() < MAX_SETS => {
                collect(&set.fields, &path, &words(&set.name), candidates);
            }
            Field::Set(_) => {}
            Field::Column(column) if column.reads == Reads::Link => {}
            Field::Column(column) => {
                let mut names = vec![words(&column.name)];
                names.extend(column.label.as_deref().map(words));
                if !called.is_empty() && is_plain(&column.name) {
                    names.push(called.to_vec());
                }
                let link = link_of(&column.name);
                let has_link = fields.iter().any(|it| it.name() == link);
                candidates.push(Candidate { path, column, names, has_link });
            }
        }
    }
}

/// Sets in sets in sets are no values of anything.
const MAX_SETS: usize = 3;
/// What the column is called that has the link of another.
pub(super) const LINK: &str = "_url";

/// Names that columns get which the pages call nothing.
fn is_plain(name: &str) -> bool {
    const PLAIN: [&str; 6] = ["link", "text", "string", "value", "item", "number"];
    words(name).first().is_some_and(|it| PLAIN.contains(&it.as_str()))
}

impl Candidate<'_> {
    fn score(&self, object: &ObjectWords, property: &str) -> f64 {
        let wanted = object.types.get(property).and_then(|name| DataType::from_name(name));
        if wanted.is_some_and(|wanted| !self.is_of(wanted)) {
            return 0.0;
        }
        // `1.` is the number of an item, whatever the column is called.
        if property == NAME && !self.has_letters() {
            return 0.0;
        }
        let phrases = object.words.get(property).map_or(&[][..], Vec::as_slice);
        let by_words = phrases.iter().enumerate().map(|(nth, phrase)| {
            let phrase = words(phrase);
            let fit = self.names.iter().map(|name| fit(name, &phrase)).fold(0.0, f64::max);
            fit * (1.0 - STEP * nth as f64).max(0.5)
        });
        let by_words = by_words.fold(0.0, f64::max);
        let linked = if property == NAME && self.has_link { LINKED } else { 0.0 };
        match by_words {
            0.0 if wanted.is_some_and(tells) => BY_TYPE,
            0.0 if linked > 0.0 && self.column.data_type == DataType::String => BY_TYPE,
            // What few have is not what all are known by.
            score => (score + linked) * (0.5 + f64::from(self.column.density) / 2000.0),
        }
    }

    fn has_letters(&self) -> bool {
        self.column.examples.iter().any(|it| it.contains(char::is_alphabetic))
    }

    /// Whether its values are of a type, for the most part.
    fn is_of(&self, wanted: DataType) -> bool {
        let examples = &self.column.examples;
        let n_fit = examples.iter().filter(|it| DataType::classify(it).is_a(wanted)).count();
        self.column.data_type.is_a(wanted) || n_fit * 2 > examples.len()
    }
}

/// Types whose values are seldom anything else.
fn tells(of: DataType) -> bool {
    matches!(of, DataType::Money | DataType::Isbn | DataType::Email)
}

fn fit(name: &[String], phrase: &[String]) -> f64 {
    match () {
        () if phrase.is_empty() => 0.0,
        () if name == phrase => EXACT,
        () if phrase.iter().all(|word| word.chars().count() <= SHORT) => 0.0,
        () if name.ends_with(phrase) => ENDS,
        () if name.starts_with(phrase) => STARTS,
        () if name.windows(phrase.len()).any(|it| it == phrase) => INSIDE,
        () => 0.0,
    }
}

/// The words of a name, each as if there were one of it, without the numbers at its end.
pub(super) fn words(name: &str) -> Vec<String> {
    let small = name.to_lowercase();
    let parts = small.split(|c: char| !c.is_alphanumeric()).filter(|it| !it.is_empty());
    let mut words: Vec<String> = parts.map(singular).collect();
    while words.len() > 1 && words.last().is_some_and(|it| it.bytes().all(|b| b.is_ascii_digit())) {
        words.pop();
    }
    words
}

fn singular(word: &str) -> String {
    let is_many = word.len() > 3 && word.ends_with('s') && !word.ends_with("ss");
    if is_many { word[..word.len() - 1].to_owned() } else { word.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shop() -> ObjectWords {
        let text = r#"
            class = "Product"
            needs = ["name", "price"]
            words = { name = ["title", "name"], price = ["price", "now"], old = ["old price", "was"], author = ["author", "by"] }
            types = { price = "money", old = "money" }
        "#;
        toml::from_str(text).unwrap()
    }

    fn mapped(record: &str) -> Vec<String> {
        let pages: Vec<page::Page> = (1..=4)
            .map(|n| {
                let record = |m: usize| {
                    record
                        .replace("{n}", &format!("{n}{m}"))
                        .replace("{w}", ["Sea", "Ice", "Tar", "Fog"][(n + m) % 4])
                };
                let records: String = (1..=2 + n).map(record).collect();
                page::parse(format!("<h1>Page {n}</h1><ul>{records}</ul>").as_bytes())
            })
            .collect();
        let learnt = wrapper::learn(pages, &Default::default()).unwrap();
        let set = learnt.schema().fields.iter().find_map(|field| match field {
            Field::Set(set) => Some(set),
            Field::Column(_) => None,
        });
        let mapping = Mapping::new(&set.unwrap().fields, &shop(), &|it| it == "author");
        let line = |(property, columns): (&String, &Vec<Vec<String>>)| {
            format!(
                "{property}: {}",
                columns.iter().map(|it| it.join(".")).collect::<Vec<_>>().join(", ")
            )
        };
        mapping.columns.iter().map(line).collect()
    }

    #[test]
    fn columns_are_known_by_what_pages_call_them() {
        let record = "<li><h3 class=title><a href=/{n}>{w} {n}</a></h3> <p class=by>{w}</p><b class=price>${n}</b> <del class=old-price>$9{n}</del>";
        assert_eq!(mapped(record), ["author: by", "name: title", "old: old_price", "price: price"]);
    }

    #[test]
    fn types_and_links_tell_where_words_do_not() {
        assert_eq!(
            mapped("<li><a href=/{n}>{w} of {n} wolds</a> <i>${n}</i>"),
            ["name: link", "price: money"]
        );
    }

    #[test]
    fn numbers_of_items_are_no_names() {
        assert_eq!(
            mapped("<li><p class=item-name>{n}.</p> <a href=/{n}>{w} of {n} wolds</a> <i>${n}</i>"),
            ["name: link", "price: money"]
        );
    }

    #[test]
    fn a_column_of_another_property_does_not_keep_others_out() {
        let record = "<li><a href=/{n}>{w} {n}</a> <i>${n}</i> <b class=old-price>$9{n}</b>";
        assert_eq!(mapped(record), ["name: link", "old: old_price", "price: money"]);
    }

    #[test]
    fn words_are_compared_without_endings() {
        assert_eq!(words("book_authors_2"), ["book", "author"]);
        assert_eq!(fit(&words("old_price"), &words("price")), ENDS);
    }
}
