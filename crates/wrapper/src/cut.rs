//! Records that somebody else found, cut into columns.
//!
//! In come a page and the nodes that each record on it is made of; out come columns with names, and the data of each record. Records are
//! to this what pages are to [`learn`](fn@crate::learn): instances of one place, compared with each other.

use crate::columns;
use crate::data::Data;
use crate::induce::{Context, Forest, induce};
use crate::journal::Journal;
use crate::name;
use crate::schema::{self, Field, Hints, Schema, Set};
use crate::twig::{Bough, Symbols, TwigId};
use page::{Leaves, NodeId, Page};
use std::ops::Range;

/// Cuts records of one page.
///
/// ```
/// let page = page::parse(b"<ul><li><b>Dune</b> <i class=price>$9</i><li><b>Emma</b> <i class=price>$7</i></ul>");
/// let list = page.find(page.document(), "ul").unwrap();
/// let records: Vec<_> = page.children(list).map(|item| vec![item]).collect();
/// let leaves = page.leaves();
/// let all = 0..leaves.len();
/// let cut = wrapper::Cutter::new(&page, leaves, &[all]).cut(&records);
/// assert_eq!(cut.records[1]["price"], "$7");
/// ```
pub struct Cutter {
    /// One.
    boughs: Vec<Bough>,
    symbols: Symbols,
    /// By the number of a node, its twig.
    twigs: Vec<Option<TwigId>>,
}

/// Records as a table.
#[derive(Clone, Debug)]
pub struct Cut {
    /// What the page calls them, or what they are: `books`, `rows`.
    pub name: String,
    /// What records have, in their order.
    pub fields: Vec<Field>,
    /// The data of each, in the order in which they were given.
    pub records: Vec<Data>,
}

impl Cutter {
    /// For records of a page with these leaves, all of them within `ranges`, which are in order and do not overlap.
    pub fn new(page: &Page, leaves: Leaves, ranges: &[Range<usize>]) -> Cutter {
        let mut symbols = Symbols::default();
        let n_leaves = leaves.len();
        let ranges = ranges.iter().map(|it| it.start.min(n_leaves)..it.end.min(n_leaves));
        let bough = Bough::of_some(page, leaves, ranges, &mut symbols);
        let mut twigs = vec![None; page.n_nodes()];
        for (index, twig) in bough.twigs.iter().enumerate().skip(1) {
            let node = twig.leaf.map_or(twig.element, |leaf| bough.leaf(leaf).node);
            // An element comes before what its attributes show.
            let known: &mut Option<TwigId> = &mut twigs[node.index()];
            known.get_or_insert(TwigId(u32::try_from(index).unwrap_or(u32::MAX)));
        }
        Cutter { boughs: vec![bough], symbols, twigs }
    }

    /// Cut some records, each the nodes that it is made of. What all of them say is kept: with nothing but one page, nobody can
    /// tell whether that is the template or the data.
    pub fn cut(&self, records: &[Vec<NodeId>]) -> Cut {
        let journal = Journal::new(false);
        let context =
            Context { boughs: &self.boughs, symbols: &self.symbols, journal: &journal, depth: 0 };
        let mut built = induce(context, &self.forests(records));
        schema::number(&mut built.slots, 1);
        let (schema, data) = columns::finish(&context, &built.slots, &built.values, true);
        Cut { name: self.name(records), fields: schema.fields, records: data }
    }

    fn name(&self, records: &[Vec<NodeId>]) -> String {
        let mut firsts = records
            .iter()
            .filter_map(|nodes| self.twig(*nodes.first()?))
            .map(|twig| self.boughs[0].twig(twig));
        let Some(first) = firsts.next() else { return name::of_set_of("") };
        // What names them is what all are called.
        let (is_class_common, is_id_common) = firsts.fold((true, true), |(class, id), twig| {
            (class && twig.class == first.class, id && twig.id == first.id)
        });
        let text = |symbol, is_common: bool| match is_common {
            true => self.symbols.name(symbol).to_owned(),
            false => String::new(),
        };
        let one = Hints {
            class: text(first.class, is_class_common),
            id: text(first.id, is_id_common),
            ..Hints::default()
        };
        let tag = self.symbols.name(first.tag);
        name::of_set(&one, None).unwrap_or_else(|| name::of_set_of(tag))
    }

    fn twig(&self, node: NodeId) -> Option<TwigId> {
        self.twigs.get(node.index()).copied().flatten()
    }

    fn forests(&self, records: &[Vec<NodeId>]) -> Vec<Forest> {
        let twig = |node: &NodeId| self.twig(*node);
        let mut forests: Vec<Forest> = records
            .iter()
            .map(|nodes| Forest { page: 0, twigs: nodes.iter().filter_map(twig).collect() })
            .collect();
        if !self.are_called_the_same(&forests) {
            for forest in &mut forests {
                self.open(forest);
            }
        }
        forests
    }

    /// Whether all records are one element with one name.
    fn are_called_the_same(&self, forests: &[Forest]) -> bool {
        let called = |forest: &Forest| match forest.twigs[..] {
            [only] => Some(self.boughs[0].twig(only)).map(|twig| (twig.tag, twig.class)),
            _ => None,
        };
        let first = forests.first().and_then(called);
        first.is_some() && forests.iter().all(|it| called(it) == first)
    }

    /// Look at what is inside of a record that is one element: which records these are is told already.
    fn open(&self, forest: &mut Forest) {
        if let [only] = forest.twigs[..]
            && self.boughs[0].twig(only).leaf.is_none()
        {
            forest.twigs = self.boughs[0].twig(only).children.clone();
        }
    }
}

impl Cut {
    /// As the data of a page that has these records and nothing else, under their name.
    pub fn into_page(self) -> (Schema, Data) {
        let name = self.name;
        let set = Set {
            name: name.clone(),
            density: 1000,
            n_records: self.records.len(),
            usual: None,
            as_read: None,
            slots: Vec::new(),
            fields: self.fields,
            either: Vec::new(),
        };
        let mut data = Data::new();
        data.insert(&*name, self.records);
        (Schema { fields: vec![Field::Set(set)], either: Vec::new(), unfit: 0 }, data)
    }
}
