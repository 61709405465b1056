//! Where every value of a page comes from, and why it was read there.
//!
//! A trace is made apart from extraction, from the same states: it costs more, and most pages need none.

use crate::columns::affix;
use crate::extract::{Extraction, Extractor, Status};
use crate::machine::{self, Absence, Cell, Chooser, Plan, Reader};
use crate::schema::{Column, Field, FieldPath, Reads};
use crate::text;
use page::{Address, Addresses, Leaf, LeafKind, Leaves, NodeId, Page, Span};

/// What was found on a page, and where each value of it comes from.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Trace {
    /// What [`Extractor::extract`] gives.
    pub extraction: Extraction,
    /// All values, in the order of the data. None of a page that failed.
    pub values: Vec<Traced>,
}

/// A value, and where it comes from.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Traced {
    /// Which value.
    pub field: FieldPath,
    /// The value as it is in the data.
    pub value: String,
    /// What of its place it is.
    pub reads: Reads,
    /// The words of the template that stood around it in its own text and were left out.
    pub prefix: String,
    /// See [`prefix`](Traced::prefix).
    pub suffix: String,
    /// Where it stands in the page's [source](Page::source), from its first byte to its last. Empty where that cannot be told.
    pub span: Span,
    /// What it was read from, in the order of the page; there is at least one.
    pub sources: Vec<Source>,
    /// The place of the template that it was found to be.
    pub state: TracedState,
}

/// A leaf or an attribute of a page that a value was read from.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Source {
    /// The number of the leaf.
    pub leaf: usize,
    /// What is written there.
    pub text: String,
    /// Where it stands in the page's [source](Page::source); [`Page::raw_map`] leads on to the bytes as they came.
    pub span: Span,
    /// Where it is in the page's tree.
    pub address: Address,
}

/// Which place of the template a leaf is, and why that.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct TracedState {
    /// Its number in the wrapper.
    pub number: usize,
    /// What it is called: a column's name, or what is written there, in quotes.
    pub name: String,
    /// How it was found.
    pub how: How,
    /// What speaks for it, in logarithms: the larger, the better. Good only to be compared with its rivals'.
    pub score: f32,
    /// The other places that it could have been, the best first.
    pub rivals: Vec<Rival>,
}

/// A place of the template that a leaf could have been, and was found not to be.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Rival {
    /// Its number in the wrapper.
    pub number: usize,
    /// What it is called.
    pub name: String,
    /// How it was found.
    pub how: How,
    /// What speaks for it.
    pub score: f32,
    /// What spoke most against it.
    pub loss: Loss,
}

/// How a leaf was found to be of a place of the template, the best way first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum How {
    /// It stands in elements of the same tags and classes.
    Exactly,
    /// It stands in elements of the same tags, but of other classes.
    ByTags,
    /// It stands within prose.
    InProse,
    /// It stands somewhere else, and was taken for what the page would lack otherwise.
    Elsewhere,
}

impl How {
    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            How::Exactly => "exactly",
            How::ByTags => "by_tags",
            How::InProse => "in_prose",
            How::Elsewhere => "elsewhere",
        }
    }

    /// In words.
    pub fn describe(self) -> &'static str {
        match self {
            How::Exactly => "its elements have the tags and classes that they have there",
            How::ByTags => "its elements have the tags that they have there, but other classes",
            How::InProse => "it stands within a stretch of prose",
            How::Elsewhere => "the page would lack it otherwise",
        }
    }
}

/// What spoke most against a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Loss {
    /// It seldom or never stands between what comes before and after.
    Order,
    /// It says something else.
    Words,
    /// Its values are of another type.
    DataType,
    /// It stands in other elements.
    Markup,
    /// Leaves of such elements are seldom it.
    Rare,
    /// It fits as well here, but then other leaves would fit worse.
    Elsewhere,
}

impl Loss {
    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Loss::Order => "order",
            Loss::Words => "words",
            Loss::DataType => "type",
            Loss::Markup => "markup",
            Loss::Rare => "rare",
            Loss::Elsewhere => "elsewhere",
        }
    }

    /// In words.
    pub fn describe(self) -> &'static str {
        match self {
            Loss::Order => "it fits worse between what comes before and after",
            Loss::Words => "other words stand there",
            Loss::DataType => "its values are of another type",
            Loss::Markup => "it stands in other elements",
            Loss::Rare => "it is seldom in such elements",
            Loss::Elsewhere => "other leaves would fit worse",
        }
    }
}

/// A column or set that a page, or a record, has nothing for.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Absent {
    /// What is absent.
    pub field: FieldPath,
    /// The share of pages or records that have it, in thousandths.
    pub density: u32,
    /// The places of the wrapper that it is read from, by number.
    pub states: Vec<usize>,
    /// What it usually comes right after, the most frequent first; none if it comes first.
    pub usually_after: Vec<String>,
    /// What usually comes right after it.
    pub usually_before: Vec<String>,
    /// What it would come after on this page, if that is there.
    pub previous: Option<Neighbour>,
    /// What stands there instead.
    pub instead: Option<Neighbour>,
}

/// A leaf beside the place where something is absent.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Neighbour {
    /// What the leaf is in the template; none if it fits nowhere.
    pub name: Option<String>,
    /// The leaf.
    pub source: Source,
}

/// So many neighbours are told of.
const MAX_NEIGHBOURS: usize = 3;

impl Extractor<'_> {
    /// The data of a page with where each value comes from, and why it was read there.
    ///
    /// ```
    /// use wrapper::{Extractor, How, learn};
    ///
    /// let html = |title: &str, price: &str| format!("<h1>{title}</h1><p>Price: <b>{price}</b></p>");
    /// let pages = [("Dune", "$9"), ("Emma", "$7"), ("Kim", "$5"), ("Ubik", "$8")];
    /// let pages = pages.map(|(title, price)| page::parse(html(title, price).as_bytes()));
    /// let wrapper = learn(pages.into(), &Default::default())?.wrapper;
    ///
    /// let page = page::parse(html("She", "$4").as_bytes());
    /// let trace = Extractor::new(&wrapper).trace(&page);
    /// let price = trace.values.iter().find(|it| it.field.to_string() == "price").unwrap();
    /// assert_eq!(&page.source()[price.span.range()], "$4");
    /// assert_eq!(price.sources[0].address.xpath, "/html/body/p/b/text()");
    /// assert_eq!(price.state.how, How::Exactly);
    /// # Ok::<(), wrapper::LearnError>(())
    /// ```
    pub fn trace(&mut self, page: &Page) -> Trace {
        let leaves = page.leaves();
        let assigned = self.assign(page, &leaves);
        let extraction = self.finish(&leaves, &assigned);
        let mut values = Vec::new();
        if extraction.status != Status::Failed {
            let schema = self.wrapper().schema();
            let places = Places { page, leaves: &leaves, addresses: page.addresses(&leaves) };
            let labelled = self.labelled(&leaves, &assigned);
            let chooser = Chooser { page: labelled };
            Reader::default().visit(
                &labelled,
                &Plan::of(&schema.fields),
                &mut |field, of, cell, _| {
                    if let (Field::Column(column), Some(cell)) = (of, cell) {
                        let cell = places.shown(cell);
                        let state = self.state(&chooser, &cell);
                        values.push(places.traced(field, column, cell, state));
                    }
                },
            );
        }
        Trace { extraction, values }
    }

    /// Where columns and sets stand that a page has nothing for, of those that a path means, and what is there instead. Of a
    /// page that failed nothing is known.
    ///
    /// ```
    /// use wrapper::{Extractor, learn};
    ///
    /// let html = |title: &str, rest: &str| format!("<h1>{title}</h1>{rest}<p>Made by hand</p>");
    /// let pages = [("Dune", "<b>$9</b>"), ("Emma", "<b>$7</b>"), ("Kim", "<b>$5</b>"), ("Ubik", "")];
    /// let pages = pages.map(|(title, price)| page::parse(html(title, price).as_bytes()));
    /// let wrapper = learn(pages.into(), &Default::default())?.wrapper;
    ///
    /// let page = page::parse(html("She", "").as_bytes());
    /// let absent = Extractor::new(&wrapper).absent(&page, &"money".parse()?);
    /// assert_eq!((absent[0].density, &*absent[0].usually_after), (750, &["title".to_owned()][..]));
    /// assert_eq!(absent[0].instead.as_ref().unwrap().source.text, "Made by hand");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn absent(&mut self, page: &Page, field: &FieldPath) -> Vec<Absent> {
        let leaves = page.leaves();
        let assigned = self.assign(page, &leaves);
        if self.finish(&leaves, &assigned).status == Status::Failed {
            return Vec::new();
        }
        let (schema, machine) = (self.wrapper().schema(), self.wrapper().machine());
        let places = Places { page, leaves: &leaves, addresses: page.addresses(&leaves) };
        let name = |slot: usize| self.names().of(machine, slot);
        let mut absent = Vec::new();
        let labelled = self.labelled(&leaves, &assigned);
        Reader::default().visit(
            &labelled,
            &Plan::of(&schema.fields),
            &mut |path, of, cell, within| {
                // Of a set without records, nothing of a record can be there.
                if cell.is_some() || !(field.matches(&path) || path.matches(field)) {
                    return;
                }
                let slots = match of {
                    Field::Column(column) => &column.slots,
                    Field::Set(set) => &set.slots,
                };
                let absence = Absence::new(machine, slots, &assigned, within);
                let named = |slots: &[usize]| -> Vec<String> {
                    slots
                        .iter()
                        .filter(|slot| **slot != 0)
                        .take(MAX_NEIGHBOURS)
                        .map(|it| name(*it))
                        .collect()
                };
                let neighbour = |leaf: usize| Neighbour {
                    name: assigned.labels[leaf].as_ref().map(|label| name(label.slot)),
                    source: places.leaf(&leaves.get(leaf)),
                };
                absent.push(Absent {
                    field: path,
                    density: of.density(),
                    usually_after: named(&absence.before),
                    usually_before: named(&absence.after),
                    previous: absence.previous.map(neighbour),
                    instead: absence.instead.map(neighbour),
                    states: absence.states,
                });
            },
        );
        absent
    }

    fn state(&self, chooser: &Chooser<'_>, cell: &Cell<'_>) -> TracedState {
        let machine = self.wrapper().machine();
        let name = |slot: usize| self.names().of(machine, slot);
        let choices = cell.leaves.first().and_then(|leaf| chooser.choices(leaf));
        let Some((chosen, rivals)) = choices else {
            // A state that no element leads to cannot be explained; it came all the same.
            let (number, how) = (cell.slot, How::Elsewhere);
            let name = name(number);
            return TracedState { number, name, how, score: 0.0, rivals: Vec::new() };
        };
        let rival = |rival: machine::Choice| Rival {
            number: rival.slot,
            name: name(rival.slot),
            how: rival.how,
            score: rival.score(),
            loss: rival.loss_to(&chosen),
        };
        TracedState {
            number: chosen.slot,
            name: name(chosen.slot),
            how: chosen.how,
            score: chosen.score(),
            rivals: rivals.into_iter().map(rival).collect(),
        }
    }
}

/// Where things are on one page.
struct Places<'p> {
    page: &'p Page,
    leaves: &'p Leaves,
    addresses: Addresses<'p>,
}

impl Places<'_> {
    fn traced(
        &self,
        field: FieldPath,
        column: &Column,
        cell: Cell<'_>,
        state: TracedState,
    ) -> Traced {
        let sources: Vec<Source> = cell
            .leaves
            .iter()
            .map(|leaf| self.source(&self.leaves.get(leaf), column.reads))
            .collect();
        // A link or a picture's address is that of the first leaf.
        let n_sources = if column.reads == Reads::Link { 1 } else { sources.len() };
        let sources = sources[..n_sources.min(sources.len())].to_vec();
        let (prefix, suffix) = self.stripped(column, &cell);
        let written = sources.iter().map(|source| source.span).filter(|span| !span.is_empty());
        let span = written.reduce(Span::hull).unwrap_or_default();
        let has_words_around = !prefix.is_empty() || !suffix.is_empty();
        let span = if has_words_around { self.within(span, &cell.value) } else { span };
        Traced {
            field,
            value: cell.value.into_owned(),
            reads: column.reads,
            prefix,
            suffix,
            span,
            sources,
            state,
        }
    }

    /// What was read, without values for machines beside the text for people, which its text leaves out.
    fn shown<'c>(&self, mut cell: Cell<'c>) -> Cell<'c> {
        if cell.leaves.len() > 1 {
            let is_shown = |leaf: &usize| self.leaves.get(*leaf).kind != LeafKind::Value;
            let shown = cell.leaves.iter().filter(is_shown).collect();
            cell.leaves = machine::CellLeaves::Many(shown);
        }
        cell
    }

    /// The words around a value that were left out.
    fn stripped(&self, column: &Column, cell: &Cell<'_>) -> (String, String) {
        if !matches!(column.reads, Reads::Value | Reads::Whole) {
            return Default::default();
        }
        let whole = text::joined(cell.leaves.iter().map(|leaf| self.leaves.get(leaf)));
        match affix::strip(&whole, &column.prefix, &column.suffix) {
            value if value == whole => Default::default(),
            _ => (column.prefix.clone(), column.suffix.clone()),
        }
    }

    /// The part of a span that a value is, without the words around it, if it is written there as it is read.
    fn within(&self, span: Span, value: &str) -> Span {
        match self.page.source()[span.range()].find(value) {
            Some(head) => {
                let start = span.start + u32::try_from(head).unwrap_or_default();
                Span { start, end: start + u32::try_from(value.len()).unwrap_or_default() }
            }
            None => span,
        }
    }

    fn source(&self, leaf: &Leaf<'_>, reads: Reads) -> Source {
        match reads {
            Reads::Link => self.link(leaf).unwrap_or_else(|| self.leaf(leaf)),
            Reads::Alt => self.attribute(leaf, leaf.element, "alt"),
            Reads::Value | Reads::Whole => self.leaf(leaf),
        }
    }

    fn leaf(&self, leaf: &Leaf<'_>) -> Source {
        let is_image = leaf.kind == LeafKind::Image;
        let text = leaf.src.filter(|_| is_image).unwrap_or(leaf.text).to_owned();
        let address = self.addresses.of(leaf);
        Source { leaf: leaf.position, text, span: leaf.span, address }
    }

    /// The link that a leaf is inside of.
    fn link(&self, leaf: &Leaf<'_>) -> Option<Source> {
        let href = leaf.link?;
        let around = std::iter::once(leaf.element).chain(self.page.ancestors(leaf.element));
        let is_link =
            |node: &NodeId| self.page.attr(*node, "href").is_some_and(|it| it.trim() == href);
        let element = around.into_iter().find(is_link)?;
        Some(self.attribute(leaf, element, "href"))
    }

    fn attribute(&self, leaf: &Leaf<'_>, element: NodeId, name: &str) -> Source {
        Source {
            leaf: leaf.position,
            text: self.page.attr(element, name).unwrap_or_default().to_owned(),
            span: self.page.attr_span(element, name).unwrap_or_default(),
            address: self.addresses.of_attribute(element, name),
        }
    }
}
