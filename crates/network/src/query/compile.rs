//! From a query to blocks of SQL.
//!
//! A block is a list of tables and conditions. Where a name could mean several kinds of relationship (a variable for a role, a
//! name that several classes have), each is tried and gives a block of its own; those whose classes do not fit are left out, and
//! the answer is the union of the others. So each block has plain joins that indexes serve.

use super::block::{Binding, Block, Owned, two_kinds, unbound};
use super::{Entry, Term};
use crate::error::{Error, Rule};
use crate::facts::class_list;
use crate::reader::Word;
use crate::schema::{ClassId, Schema};
use std::collections::{BTreeMap, BTreeSet};

/// More blocks are refused.
const MAX_BLOCKS: usize = 256;

#[derive(Default)]
struct Choices {
    script: Vec<usize>,
    sizes: Vec<usize>,
}

pub(super) struct Compiler<'s> {
    pub(super) schema: &'s Schema,
    pub(super) params: Vec<Owned>,
    n_aliases: usize,
    choices: Vec<Choices>,
}

impl<'s> Compiler<'s> {
    pub(super) fn new(schema: &'s Schema) -> Compiler<'s> {
        Compiler { schema, params: Vec::new(), n_aliases: 0, choices: Vec::new() }
    }

    pub(super) fn param(&mut self, value: Owned) -> String {
        self.params.push(value);
        format!("?{}", self.params.len())
    }

    pub(super) fn alias(&mut self, letter: char) -> String {
        self.n_aliases += 1;
        format!("{letter}{}", self.n_aliases)
    }

    /// One of several ways to go on; the others are tried later.
    pub(super) fn choose(&mut self, n_ways: usize) -> usize {
        let Some(choices) = self.choices.last_mut() else { return 0 };
        let idx = choices.sizes.len();
        choices.sizes.push(n_ways);
        if idx == choices.script.len() {
            choices.script.push(0);
        }
        choices.script[idx]
    }

    /// The blocks of some entries, under what is bound outside.
    pub(super) fn blocks(
        &mut self,
        entries: &[Entry],
        outside: &BTreeMap<String, Binding>,
    ) -> Result<Vec<Block>, Error> {
        let (mut alive, mut wrong) = (Vec::new(), None);
        let mut script = Some(Vec::new());
        while let Some(next) = script {
            if alive.len() == MAX_BLOCKS {
                let message = format!(
                    "the query has more than {MAX_BLOCKS} readings; name a class or a relationship"
                );
                return Err(Error::check(Rule::Declared, None, message));
            }
            self.choices.push(Choices { script: next, sizes: Vec::new() });
            let n_params = self.params.len();
            let mut block = Block { bindings: outside.clone(), ..Block::default() };
            match self.entries(&mut block, entries) {
                Ok(()) => alive.push(block),
                Err(error) => {
                    self.params.truncate(n_params);
                    wrong = wrong.or(Some(error));
                }
            }
            script = self.choices.pop().and_then(after);
        }
        match (alive.is_empty(), wrong) {
            (true, Some(error)) => Err(error),
            _ => Ok(alive),
        }
    }

    fn entries(&mut self, block: &mut Block, entries: &[Entry]) -> Result<(), Error> {
        for entry in entries {
            if let Entry::Match(pattern) = entry {
                self.pattern(block, pattern)?;
            }
        }
        for entry in entries {
            match entry {
                Entry::Match(_) => {}
                Entry::Compare(left, comparison, right) => {
                    self.compare(block, left, *comparison, right)?
                }
                Entry::Exists(inner) => {
                    let some = self.exists(block, inner)?;
                    block.wheres.push(format!("({})", some.join(" OR ")));
                }
                Entry::Not(inner) => {
                    let some = self.exists(block, inner)?;
                    block.wheres.push(format!("NOT ({})", some.join(" OR ")));
                }
                Entry::Forall(inner, then) => {
                    let both = [&inner[..], &[Entry::Not(then.clone())]].concat();
                    let some = self.exists(block, &both)?;
                    block.wheres.push(format!("NOT ({})", some.join(" OR ")));
                }
            }
        }
        Ok(())
    }

    fn exists(&mut self, block: &Block, entries: &[Entry]) -> Result<Vec<String>, Error> {
        let inner = self.blocks(entries, &block.bindings)?;
        Ok(inner.iter().map(|it| format!("EXISTS (SELECT 1{})", it.tail())).collect())
    }

    /// Let a bound variable be of some classes only.
    pub(super) fn narrow(
        &mut self,
        block: &mut Block,
        word: &Word,
        to: &BTreeSet<ClassId>,
    ) -> Result<(), Error> {
        let Some(Binding::Object { classes, .. }) = block.bindings.get(&word.text) else {
            let what = block.bindings.get(&word.text);
            return Err(what.map_or_else(|| unbound(word), |it| two_kinds(word, it, "an object")));
        };
        let both: BTreeSet<ClassId> = classes.intersection(to).copied().collect();
        if both.is_empty() {
            return Err(self.disjoint(word, classes, to));
        }
        if both.len() < classes.len() {
            let row = self.row(block, &word.text, word)?;
            block.wheres.push(format!("{row}.class IN ({})", class_list(both.iter().copied())));
        }
        self.set_classes(block, &word.text, both);
        Ok(())
    }

    pub(super) fn set_classes(&self, block: &mut Block, key: &str, to: BTreeSet<ClassId>) {
        if let Some(Binding::Object { classes, .. }) = block.bindings.get_mut(key) {
            *classes = to;
        }
    }

    fn disjoint(&self, word: &Word, one: &BTreeSet<ClassId>, other: &BTreeSet<ClassId>) -> Error {
        let name = |classes: &BTreeSet<ClassId>| {
            self.top(classes).map_or("nothing", |id| self.schema.class(id).name.as_str())
        };
        let message = format!(
            "${} would have to be a {} and a {}, and nothing is both",
            word.text,
            name(one),
            name(other)
        );
        Error::check(Rule::Target, word.at, message)
    }

    /// The class that stands for some: the one that others are kinds of.
    pub(super) fn top(&self, classes: &BTreeSet<ClassId>) -> Option<ClassId> {
        classes.iter().copied().min_by_key(|id| self.schema.ancestors(*id).count())
    }

    /// The row of an object, joined if it is not among the tables.
    pub(super) fn row(
        &mut self,
        block: &mut Block,
        key: &str,
        word: &Word,
    ) -> Result<String, Error> {
        let id = match block.bindings.get(key) {
            Some(Binding::Object { alias: Some(alias), .. }) => return Ok(alias.clone()),
            Some(Binding::Object { id, .. }) => id.clone(),
            Some(other) => return Err(two_kinds(word, other, "an object")),
            None => return Err(unbound(word)),
        };
        let row = self.alias('o');
        block.from.push(format!("net_object {row}"));
        block.wheres.push(format!("{row}.id = {id} AND {row}.gone = 0"));
        if let Some(Binding::Object { alias, .. }) = block.bindings.get_mut(key) {
            *alias = Some(row.clone());
        }
        Ok(row)
    }

    /// What is at the other end of a relationship: a variable that is bound or becomes so, or an object by name.
    pub(super) fn other_end(
        &mut self,
        block: &mut Block,
        id: &str,
        classes: BTreeSet<ClassId>,
        alias: Option<String>,
        term: &Term,
    ) -> Result<String, Error> {
        let binding = Binding::Object { id: id.to_owned(), classes: classes.clone(), alias };
        match term {
            Term::Variable(word) => match block.bindings.get(&word.text) {
                Some(Binding::Object { id: known, classes: known_classes, .. }) => {
                    let both: BTreeSet<ClassId> =
                        known_classes.intersection(&classes).copied().collect();
                    if both.is_empty() {
                        return Err(self.disjoint(word, known_classes, &classes));
                    }
                    block.wheres.push(format!("{known} = {id}"));
                    // The relationship leads to its class alone, so nothing has to be asked for.
                    self.set_classes(block, &word.text, both);
                    Ok(word.text.clone())
                }
                Some(other) => Err(two_kinds(word, other, "an object")),
                None => {
                    block.bindings.insert(word.text.clone(), binding);
                    Ok(word.text.clone())
                }
            },
            Term::Named(names) => {
                let key = format!(" {}", self.alias('x'));
                block.bindings.insert(key.clone(), binding);
                let row = self.row(block, &key, &Word::new(""))?;
                names.iter().for_each(|name| self.named(block, &row, name));
                Ok(key)
            }
            Term::Compared(comparison, word) => {
                let key = format!(" {}", self.alias('x'));
                block.bindings.insert(key.clone(), binding);
                let row = self.row(block, &key, word)?;
                let text = self.param(Owned::Text(word.text.clone()));
                block.wheres.push(format!("{row}.name {} {text}", comparison.sql()));
                Ok(key)
            }
        }
    }
}

/// The next script after one: its last choice that has another way goes that way.
fn after(choices: Choices) -> Option<Vec<usize>> {
    let Choices { mut script, sizes } = choices;
    while let Some(last) = script.pop() {
        if last + 1 < sizes[script.len()] {
            script.push(last + 1);
            return Some(script);
        }
    }
    None
}
