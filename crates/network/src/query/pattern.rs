//! Patterns: `Class $x[ … ]`, and comparisons.

use super::block::{
    Binding, Block, Context, Owned, Subject, compared, name_of, two_kinds, unbound,
};
use super::compile::Compiler;
use super::{ClassTerm, Comparison, Constant, Pattern, Term};
use crate::error::{Error, Rule};
use crate::facts::{class_list, list};
use crate::reader::Word;
use crate::schema::{ClassId, PropertyId, Relation, ValueType};
use crate::statement::ObjectName;
use std::collections::BTreeSet;

impl Compiler<'_> {
    pub(super) fn pattern(&mut self, block: &mut Block, pattern: &Pattern) -> Result<(), Error> {
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

    pub(super) fn named(&mut self, block: &mut Block, row: &str, name: &ObjectName) {
        let text = self.param(Owned::Text(name.name.text.clone()));
        block.wheres.push(format!("{row}.name = {text}"));
        if let Some(nth) = name.nth {
            let nth = self.param(Owned::Int(nth.into()));
            block.wheres.push(format!("{row}.nth = {nth}"));
        }
    }

    pub(super) fn compare(
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
