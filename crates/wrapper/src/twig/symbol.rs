//! Strings as numbers, which all pages of one induction share.

use foldhash::fast::FixedState;
use std::collections::HashMap;

/// A string shared by all pages of one induction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Symbol(u32);

/// The strings of one induction.
#[derive(Debug)]
pub(crate) struct Symbols {
    names: Vec<Box<str>>,
    ids: HashMap<Box<str>, Symbol, FixedState>,
}

impl Default for Symbols {
    fn default() -> Symbols {
        Symbols { names: vec!["".into()], ids: HashMap::default() }
    }
}

impl Symbol {
    /// The empty string: most elements have no id, no header and no name for those who cannot see.
    pub(super) const EMPTY: Symbol = Symbol(0);

    /// Its number, in the order in which strings came.
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

impl Symbols {
    pub(crate) fn intern(&mut self, name: &str) -> Symbol {
        // Not looked up: an empty string has no address, and to compare two of them makes the processor stumble.
        if name.is_empty() {
            return Symbol::EMPTY;
        }
        if let Some(symbol) = self.ids.get(name) {
            return *symbol;
        }
        let symbol = Symbol(super::count(self.names.len()));
        self.names.push(name.into());
        self.ids.insert(name.into(), symbol);
        symbol
    }

    pub(crate) fn name(&self, symbol: Symbol) -> &str {
        &self.names[symbol.index()]
    }
}
