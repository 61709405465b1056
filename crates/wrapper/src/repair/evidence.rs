//! What is known of the columns on either side: their values on the pages, and the elements they stand in.

use crate::data::{Data, Value};
use crate::machine::Machine;
use crate::schema::{SEPARATOR, Schema, SlotId};
use std::collections::BTreeMap;

/// A schema with what is known of it.
pub(super) struct Side<'a> {
    pub(super) schema: &'a Schema,
    pub(super) machine: &'a Machine,
    pub(super) elements: Elements,
    pub(super) seen: Seen,
}

impl<'a> Side<'a> {
    pub(super) fn new(schema: &'a Schema, machine: &'a Machine, seen: Seen) -> Side<'a> {
        Side { schema, machine, elements: Elements::of(machine), seen }
    }
}

/// The values of each column on each page.
#[derive(Default)]
pub(super) struct Seen {
    /// By path: values, sorted, with their pages.
    by_path: BTreeMap<String, Vec<(usize, String)>>,
}

impl Seen {
    pub(super) fn of<'d>(pages: impl IntoIterator<Item = &'d Data>) -> Seen {
        let mut seen = Seen::default();
        for (page, data) in pages.into_iter().enumerate() {
            seen.add(page, "", data);
        }
        seen.by_path.values_mut().for_each(|values| values.sort_unstable());
        seen
    }

    fn add(&mut self, page: usize, within: &str, data: &Data) {
        for (name, value) in data.iter() {
            let path = format!("{within}{name}");
            match value {
                Value::Text(text) => {
                    self.by_path.entry(path).or_default().push((page, text.to_string()));
                }
                Value::Records(records) => {
                    let within = format!("{path}{SEPARATOR}");
                    for record in records {
                        self.add(page, &within, record);
                    }
                }
            }
        }
    }

    pub(super) fn values(&self, path: &str) -> &[(usize, String)] {
        self.by_path.get(path).map_or(&[], Vec::as_slice)
    }

    pub(super) fn has(&self, path: &str, value: &str) -> bool {
        self.values(path).iter().any(|(_, it)| it == value)
    }
}

/// How many values two have in common: of columns on the same pages, or of pages in the same columns. Both are sorted.
pub(super) fn n_common<P: Ord>(left: &[(P, String)], right: &[(P, String)]) -> usize {
    let (mut i, mut j, mut n) = (0, 0, 0);
    while i < left.len() && j < right.len() {
        match left[i].cmp(&right[j]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => (i, j, n) = (i + 1, j + 1, n + 1),
        }
    }
    n
}

/// An element that a leaf stands in: its tag, and its classes.
pub(super) type Element = (String, String);

/// The elements that the leaves of each slot stand in, from the root.
pub(super) struct Elements {
    by_slot: BTreeMap<SlotId, Vec<Element>>,
}

impl Elements {
    pub(super) fn of(machine: &Machine) -> Elements {
        let mut by_slot = BTreeMap::new();
        for (slot, elements) in machine.elements() {
            by_slot.entry(slot).or_insert(elements);
        }
        Elements { by_slot }
    }

    /// The elements of a slot; of one that has none itself, those of its first part.
    pub(super) fn of_slot(&self, machine: &Machine, slot: SlotId) -> Option<&Vec<Element>> {
        self.by_slot.get(&slot).or_else(|| self.by_slot.get(&machine.first_leaf(slot)?))
    }
}
