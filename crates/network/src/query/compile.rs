//! From a query to blocks of SQL.
//!
//! A block is a list of tables and conditions. Where a name could mean several kinds of relationship (a variable for a role, a
//! name that several classes have), each is tried and gives a block of its own; those whose classes do not fit are left out, and
//! the answer is the union of the others. So each block has plain joins that indexes serve.

use super::{ClassTerm, Comparison, Constant, Entry, Pattern, Term};
use crate::error::{Error, Rule};
use crate::facts::{class_list, list};
use crate::reader::Word;
use crate::schema::{ClassId, PropertyId, Relation, Schema, ValueType};
use crate::statement::ObjectName;
use std::collections::{BTreeMap, BTreeSet};

/// More blocks are refused.
const MAX_BLOCKS: usize = 256;

/// A parameter of the statement.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Owned {
    Int(i64),
    Real(f64),
    Text(String),
}

/// What a variable stands for, as SQL.
#[derive(Clone, Debug)]
pub(super) enum Binding {
    Object {
        id: String,
        classes: BTreeSet<ClassId>,
        /// Its row, if that is among the tables.
        alias: Option<String>,
    },
    Value {
        text: String,
        number: Option<String>,
        of: ValueType,
    },
    Class(String),
    Relationship {
        id: String,
        name: String,
    },
}

impl Binding {
    fn what(&self) -> &'static str {
        match self {
            Binding::Object { .. } => "an object",
            Binding::Value { .. } => "a value",
            Binding::Class(_) => "a class",
            Binding::Relationship { .. } => "a relationship",
        }
    }
}

/// Tables and conditions, with the variables that they bind.
#[derive(Clone, Debug, Default)]
pub(super) struct Block {
    pub(super) bindings: BTreeMap<String, Binding>,
    pub(super) from: Vec<String>,
    pub(super) wheres: Vec<String>,
}

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

/// What a pattern is about: a bound variable, and the context in which it is seen.
#[derive(Clone)]
pub(super) struct Subject {
    pub(super) key: String,
    pub(super) context: Option<Context>,
}

/// A role that is played.
#[derive(Clone)]
pub(super) struct Context {
    pub(super) id: String,
    pub(super) role: String,
    pub(super) roles: Vec<PropertyId>,
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

    fn pattern(&mut self, block: &mut Block, pattern: &Pattern) -> Result<(), Error> {
        let subject = match &pattern.class {
            ClassTerm::Known => self.known(block, &pattern.term)?,
            ClassTerm::Variable(class) => self.of_any_class(block, class, &pattern.term)?,
            ClassTerm::Path(path) => {
                let n_classes = path
                    .iter()
                    .take_while(|word| self.schema.class_named(&word.text).is_some())
                    .count();
                match n_classes == path.len() {
                    true => self.of_class(block, path, &pattern.term)?,
                    false => self.of_role(block, path, n_classes, &pattern.term)?,
                }
            }
        };
        self.props(block, &subject, &pattern.props)
    }

    fn known(&self, block: &Block, term: &Term) -> Result<Subject, Error> {
        let Term::Variable(word) = term else {
            let message = "a pattern needs a class or a variable".to_owned();
            return Err(Error::check(Rule::Declared, None, message));
        };
        match block.bindings.get(&word.text) {
            Some(Binding::Object { .. }) => Ok(Subject { key: word.text.clone(), context: None }),
            Some(other) => Err(two_kinds(word, other, "an object")),
            None => Err(unbound(word)),
        }
    }

    /// `$class $x`
    fn of_any_class(
        &mut self,
        block: &mut Block,
        class: &Word,
        term: &Term,
    ) -> Result<Subject, Error> {
        let all: BTreeSet<ClassId> = self.schema.classes().map(|(id, _)| id).collect();
        let key = self.object(block, term, all)?;
        let alias = self.row(block, &key, class)?;
        let found = Binding::Class(format!("{alias}.class"));
        match block.bindings.get(&class.text) {
            None => {
                block.bindings.insert(class.text.clone(), found);
            }
            Some(Binding::Class(known)) => block.wheres.push(format!("{known} = {alias}.class")),
            Some(other) => return Err(two_kinds(class, other, "a class")),
        }
        Ok(Subject { key, context: None })
    }

    /// `University.College $c`
    fn of_class(
        &mut self,
        block: &mut Block,
        path: &[Word],
        term: &Term,
    ) -> Result<Subject, Error> {
        let mut classes = Vec::new();
        for word in path {
            classes.push(self.schema.expect_class(word)?);
        }
        let names: Vec<Option<&ObjectName>> = match term {
            Term::Named(names) if names.len() == path.len() => names.iter().map(Some).collect(),
            _ => vec![None; path.len()],
        };
        let last = classes.pop().unwrap_or(ClassId(0));
        let inner = match names.last().copied().flatten() {
            Some(name) => Term::Named(vec![name.clone()]),
            None => term.clone(),
        };
        let key = self.object(block, &inner, self.schema.kinds_of(last))?;
        let mut inside = key.clone();
        for (idx, class) in classes.iter().enumerate().rev() {
            inside = self.container(block, &inside, *class, names[idx], &path[idx])?;
        }
        Ok(Subject { key, context: None })
    }

    fn container(
        &mut self,
        block: &mut Block,
        part: &str,
        class: ClassId,
        name: Option<&ObjectName>,
        word: &Word,
    ) -> Result<String, Error> {
        let row = self.row(block, part, word)?;
        let key = self.fresh_object(block, &self.schema.kinds_of(class));
        let above = self.row(block, &key, word)?;
        block.wheres.push(format!("{above}.id = {row}.container"));
        if let Some(name) = name {
            self.named(block, &above, name);
        }
        Ok(key)
    }

    /// `College.Faculty $p`: those who play a role, seen in it.
    fn of_role(
        &mut self,
        block: &mut Block,
        path: &[Word],
        n_classes: usize,
        term: &Term,
    ) -> Result<Subject, Error> {
        let mut roles = self.roles_named(path, n_classes)?;
        let targets: BTreeSet<ClassId> = roles
            .iter()
            .filter_map(|id| self.schema.relationship(*id))
            .flat_map(|it| self.schema.kinds_of(it.target))
            .collect();
        roles = roles.iter().flat_map(|id| self.schema.below(*id)).collect();
        let role = self.alias('r');
        block.from.push(format!("net_role {role}"));
        block.wheres.push(format!("{role}.role IN ({}) AND {role}.gone = 0", list(&roles)));
        let key = self.other_end(block, &format!("{role}.player"), targets, None, term)?;
        let context = Context { id: format!("{role}.id"), role: format!("{role}.role"), roles };
        Ok(Subject { key, context: Some(context) })
    }

    fn roles_named(&self, path: &[Word], n_classes: usize) -> Result<Vec<PropertyId>, Error> {
        let schema = self.schema;
        let is_role = |id: &PropertyId| {
            schema.relationship(*id).is_some_and(|it| it.relation == Relation::Role)
        };
        let mut found: Vec<PropertyId> =
            match n_classes.checked_sub(1).map(|idx| schema.expect_class(&path[idx])) {
                Some(class) => {
                    let class = class?;
                    schema.properties_of(class).flat_map(|id| schema.below(id)).collect()
                }
                None => schema.properties().map(|(id, _)| id).collect(),
            };
        for (idx, word) in path[n_classes..].iter().enumerate() {
            if idx > 0 {
                found = found.iter().flat_map(|id| schema.below(*id).into_iter().skip(1)).collect();
            }
            found.retain(|id| is_role(id) && schema.property(*id).name == word.text);
            if found.is_empty() {
                let message = format!("there is no role {:?} there", word.text);
                return Err(Error::check(Rule::Declared, word.at, message));
            }
        }
        Ok(found)
    }

    /// The object of a pattern: a row of its own, unless its variable is bound.
    fn object(
        &mut self,
        block: &mut Block,
        term: &Term,
        classes: BTreeSet<ClassId>,
    ) -> Result<String, Error> {
        match term {
            Term::Variable(word) if block.bindings.contains_key(&word.text) => {
                self.narrow(block, word, &classes)?;
                Ok(word.text.clone())
            }
            Term::Variable(word) => {
                let key = self.fresh_object(block, &classes);
                if let Some(binding) = block.bindings.remove(&key) {
                    block.bindings.insert(word.text.clone(), binding);
                }
                Ok(word.text.clone())
            }
            Term::Named(names) => {
                let key = self.fresh_object(block, &classes);
                let row = self.row(block, &key, &Word::new(""))?;
                names.iter().for_each(|name| self.named(block, &row, name));
                Ok(key)
            }
            Term::Compared(_, word) => Err(Error::check(
                Rule::Type,
                word.at,
                "an object is not compared; bind it to a variable".to_owned(),
            )),
        }
    }

    /// An object without a variable.
    fn fresh_object(&mut self, block: &mut Block, classes: &BTreeSet<ClassId>) -> String {
        let alias = self.alias('o');
        block.from.push(format!("net_object {alias}"));
        let is_any = classes.len() == self.schema.classes().count();
        if !is_any {
            block
                .wheres
                .push(format!("{alias}.class IN ({})", class_list(classes.iter().copied())));
        }
        block.wheres.push(format!("{alias}.gone = 0"));
        let key = format!(" {alias}");
        let binding = Binding::Object {
            id: format!("{alias}.id"),
            classes: classes.clone(),
            alias: Some(alias),
        };
        block.bindings.insert(key.clone(), binding);
        key
    }

    fn named(&mut self, block: &mut Block, row: &str, name: &ObjectName) {
        let text = self.param(Owned::Text(name.name.text.clone()));
        block.wheres.push(format!("{row}.name = {text}"));
        if let Some(nth) = name.nth {
            let nth = self.param(Owned::Int(nth.into()));
            block.wheres.push(format!("{row}.nth = {nth}"));
        }
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

    fn compare(
        &mut self,
        block: &mut Block,
        left: &Word,
        comparison: Comparison,
        right: &Constant,
    ) -> Result<(), Error> {
        let bound = block.bindings.get(&left.text).cloned().ok_or_else(|| unbound(left))?;
        let sql = comparison.sql();
        let condition = match right {
            Constant::Value(word) => match &bound {
                Binding::Value { text, number, of } => {
                    self.against(text, number.as_deref(), *of, comparison, word)?
                }
                Binding::Object { .. } => {
                    let row = self.row(block, &left.text, left)?;
                    let name = self.param(Owned::Text(word.text.clone()));
                    format!("{row}.name {sql} {name}")
                }
                other => {
                    let name = self.param(Owned::Text(word.text.clone()));
                    format!("{} {sql} {name}", name_of(other))
                }
            },
            Constant::Variable(word) => {
                let other = block.bindings.get(&word.text).ok_or_else(|| unbound(word))?;
                compared(&bound, other, comparison)
                    .ok_or_else(|| two_kinds(word, other, bound.what()))?
            }
        };
        block.wheres.push(condition);
        Ok(())
    }

    /// A value against one that is given.
    pub(super) fn against(
        &mut self,
        text: &str,
        number: Option<&str>,
        of: ValueType,
        comparison: Comparison,
        word: &Word,
    ) -> Result<String, Error> {
        let sql = comparison.sql();
        match number {
            Some(number) => {
                let given: f64 = word.text.parse().map_err(|_| {
                    let message =
                        format!("the value is {}, and {:?} is none", of.expected(), word.text);
                    Error::check(Rule::Type, word.at, message)
                })?;
                Ok(format!("{number} {sql} {}", self.param(Owned::Real(given))))
            }
            None => Ok(format!("{text} {sql} {}", self.param(Owned::Text(word.text.clone())))),
        }
    }
}

impl Block {
    /// From where, under which conditions.
    pub(super) fn tail(&self) -> String {
        let from = if self.from.is_empty() {
            String::new()
        } else {
            format!(" FROM {}", self.from.join(", "))
        };
        let wheres = if self.wheres.is_empty() {
            String::new()
        } else {
            format!(" WHERE {}", self.wheres.join(" AND "))
        };
        from + &wheres
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

/// What a class or relationship is called.
pub(super) fn name_of(binding: &Binding) -> String {
    match binding {
        Binding::Class(id) => format!("(SELECT k.name FROM net_class k WHERE k.id = {id})"),
        Binding::Relationship { name, .. } => name.clone(),
        Binding::Value { text, .. } => text.clone(),
        Binding::Object { id, .. } => id.clone(),
    }
}

fn compared(one: &Binding, other: &Binding, comparison: Comparison) -> Option<String> {
    let sql = comparison.sql();
    let is_equality = matches!(comparison, Comparison::Equal | Comparison::Unequal);
    match (one, other) {
        (Binding::Value { number: Some(one), .. }, Binding::Value { number: Some(other), .. }) => {
            Some(format!("{one} {sql} {other}"))
        }
        (Binding::Value { text: one, .. }, Binding::Value { text: other, .. }) => {
            Some(format!("{one} {sql} {other}"))
        }
        (Binding::Object { id: one, .. }, Binding::Object { id: other, .. })
        | (Binding::Class(one), Binding::Class(other))
        | (Binding::Relationship { id: one, .. }, Binding::Relationship { id: other, .. })
            if is_equality =>
        {
            Some(format!("{one} {sql} {other}"))
        }
        _ => None,
    }
}

pub(super) fn unbound(word: &Word) -> Error {
    let message = format!(
        "${} is not bound: name it in a pattern first, outside of not, exists and forall",
        word.text
    );
    Error::check(Rule::Declared, word.at, message)
}

pub(super) fn two_kinds(word: &Word, known: &Binding, wanted: &str) -> Error {
    let message = format!("${} is {} and cannot be {wanted} too", word.text, known.what());
    Error::check(Rule::Kind, word.at, message)
}
