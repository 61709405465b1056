//! What to call the states of a machine, for people: by the column that reads them, or by what is written there.

use super::Machine;
use crate::schema::{Column, Field, Reads, Schema, SlotId};

/// By slot, what to call it.
#[derive(Clone, Debug)]
pub(crate) struct Names(Vec<Option<(Rank, String)>>);

/// Which of several columns of one slot says best what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Value,
    Beside,
    Template,
    Set,
}

/// Longer texts are cut in messages.
pub(crate) const MAX_TOLD: usize = 60;

impl Names {
    pub(crate) fn new(machine: &Machine, schema: &Schema) -> Names {
        let mut names = Names(vec![None; machine.nodes.len()]);
        names.add_fields(machine, "", &schema.fields);
        names
    }

    /// A slot in words: the name of its column, else what is written there, else where it is.
    pub(crate) fn of(&self, machine: &Machine, slot: SlotId) -> String {
        if slot == 0 {
            return "the end of the page".into();
        }
        if let Some((_, name)) = &self.0[slot] {
            return name.clone();
        }
        if let Some(text) = machine.look(slot).and_then(|look| look.text.as_deref()) {
            return quoted(text);
        }
        let around = machine.chain(slot).into_iter().rev().skip(1);
        match around.into_iter().find_map(|slot| self.0[slot].as_ref()) {
            Some((_, name)) => format!("something in {name}"),
            None => "something without a name".into(),
        }
    }

    fn add_fields(&mut self, machine: &Machine, within: &str, fields: &[Field]) {
        for field in fields {
            let path = format!("{within}{}", field.name());
            match field {
                Field::Column(column) => self.add_column(machine, column, path),
                Field::Set(set) => {
                    for slot in &set.slots {
                        self.add(*slot, Rank::Set, path.clone());
                    }
                    self.add_fields(machine, &format!("{path}."), &set.fields);
                }
            }
        }
    }

    fn add_column(&mut self, machine: &Machine, column: &Column, path: String) {
        let rank = match column.reads {
            _ if column.is_template => Rank::Template,
            Reads::Value => Rank::Value,
            _ => Rank::Beside,
        };
        for slot in &column.slots {
            let said = machine.look(*slot).and_then(|look| look.text.as_deref());
            let name = match said.filter(|_| column.is_template) {
                Some(said) => quoted(said),
                None => path.clone(),
            };
            self.add(*slot, rank, name);
        }
    }

    fn add(&mut self, slot: SlotId, rank: Rank, name: String) {
        let known = &mut self.0[slot];
        if known.as_ref().is_none_or(|(other, _)| rank < *other) {
            *known = Some((rank, name));
        }
    }
}

/// A text of a page in a message.
pub(crate) fn quoted(text: &str) -> String {
    format!("{:?}", cut(text))
}

pub(crate) fn cut(text: &str) -> String {
    match text.char_indices().nth(MAX_TOLD) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
