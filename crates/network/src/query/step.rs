//! From one object to another, by a relationship of either end.

use super::block::{Binding, Block, Context, Subject, two_kinds};
use super::compile::Compiler;
use super::{Prop, PropName, Term};
use crate::error::Error;
use crate::facts::list;
use crate::reader::Word;
use crate::schema::{ClassId, PropertyId, Relation};
use std::collections::BTreeSet;

/// Which end of a relationship the subject is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum End {
    Origin,
    Target,
}

/// A relationship that is asked for.
pub(super) struct Step<'p> {
    pub(super) end: End,
    pub(super) relation: Relation,
    pub(super) properties: Vec<PropertyId>,
    pub(super) term: &'p Term,
    pub(super) below: &'p [Prop],
    pub(super) variable: Option<&'p Word>,
}

/// Where a relationship leads.
struct There {
    /// The number of the object.
    id: String,
    /// Its row, if that is among the tables.
    row: Option<String>,
    /// Which relationship it is.
    by: String,
    /// The role, if it is one.
    context: Option<Context>,
}

impl Compiler<'_> {
    pub(super) fn step(
        &mut self,
        block: &mut Block,
        subject: &Subject,
        mut step: Step<'_>,
        word: &Word,
    ) -> Result<(), Error> {
        if step.relation == Relation::Role {
            self.narrow_roles(&mut step.properties, step.below);
        }
        let classes = self.classes_there(&step);
        let there = match (step.relation, step.end) {
            (Relation::Role, _) => self.by_role(block, subject, &step),
            (Relation::Normal, _) => self.by_edge(block, subject, &step),
            (Relation::Contain, End::Origin) => self.go_to_part(block, subject, &step),
            (Relation::Contain, End::Target) => {
                self.go_to_container(block, subject, &step, word)?
            }
        };
        if let Some(variable) = step.variable {
            self.bind_relationship(block, variable, &there.by, step.end)?;
        }
        let key = self.other_end(block, &there.id, classes, there.row, step.term)?;
        self.props(block, &Subject { key, context: there.context }, step.below)
    }

    fn classes_there(&self, step: &Step<'_>) -> BTreeSet<ClassId> {
        let schema = self.schema;
        let of = |id: &PropertyId| match step.end {
            End::Origin => schema.relationship(*id).map(|it| it.target),
            End::Target => Some(schema.declaring_class(*id)),
        };
        step.properties.iter().filter_map(of).flat_map(|class| schema.kinds_of(class)).collect()
    }

    fn by_role(&mut self, block: &mut Block, subject: &Subject, step: &Step<'_>) -> There {
        let (role, here) = (self.alias('r'), self.id_of(block, subject));
        let (own, other) =
            if step.end == End::Origin { ("unit", "player") } else { ("player", "unit") };
        let all = list(&step.properties);
        block.from.push(format!("net_role {role}"));
        block
            .wheres
            .push(format!("{role}.{own} = {here} AND {role}.role IN ({all}) AND {role}.gone = 0"));
        let by = format!("{role}.role");
        let context =
            Context { id: format!("{role}.id"), role: by.clone(), roles: step.properties.clone() };
        There { id: format!("{role}.{other}"), row: None, by, context: Some(context) }
    }

    fn by_edge(&mut self, block: &mut Block, subject: &Subject, step: &Step<'_>) -> There {
        let (edge, here) = (self.alias('e'), self.id_of(block, subject));
        let (own, other) =
            if step.end == End::Origin { ("origin", "target") } else { ("target", "origin") };
        let all = list(&step.properties);
        block.from.push(format!("net_edge {edge}"));
        block.wheres.push(format!(
            "{edge}.{own} = {here} AND {edge}.relationship IN ({all}) AND {edge}.gone = 0"
        ));
        There {
            id: format!("{edge}.{other}"),
            row: None,
            by: format!("{edge}.relationship"),
            context: None,
        }
    }

    fn go_to_part(&mut self, block: &mut Block, subject: &Subject, step: &Step<'_>) -> There {
        let (part, here) = (self.alias('o'), self.id_of(block, subject));
        let all = list(&step.properties);
        block.from.push(format!("net_object {part}"));
        block.wheres.push(format!(
            "{part}.container = {here} AND {part}.part IN ({all}) AND {part}.gone = 0"
        ));
        There {
            id: format!("{part}.id"),
            by: format!("{part}.part"),
            row: Some(part),
            context: None,
        }
    }

    fn go_to_container(
        &mut self,
        block: &mut Block,
        subject: &Subject,
        step: &Step<'_>,
        word: &Word,
    ) -> Result<There, Error> {
        let own = self.row(block, &subject.key, word)?;
        let all = list(&step.properties);
        block.wheres.push(format!("{own}.container <> 0 AND {own}.part IN ({all})"));
        Ok(There {
            id: format!("{own}.container"),
            row: None,
            by: format!("{own}.part"),
            context: None,
        })
    }

    /// Only roles whose context has what is asked for there.
    fn narrow_roles(&self, roles: &mut Vec<PropertyId>, below: &[Prop]) {
        for prop in below {
            let PropName::Named(name) = &prop.name else { continue };
            let has = |role: &PropertyId| {
                self.schema.context_named(*role, &name.text).is_some()
                    || self.schema.identification(*role) == Some(&name.text)
            };
            if roles.iter().any(has) {
                roles.retain(has);
            }
        }
    }

    fn bind_relationship(
        &mut self,
        block: &mut Block,
        word: &Word,
        id: &str,
        end: End,
    ) -> Result<(), Error> {
        let column = if end == End::Origin { "name" } else { "inverse" };
        let name = format!("(SELECT d.{column} FROM net_definition d WHERE d.id = {id})");
        match block.bindings.get(&word.text) {
            None => {
                let binding = Binding::Relationship { id: id.to_owned(), name };
                block.bindings.insert(word.text.clone(), binding);
                Ok(())
            }
            Some(Binding::Relationship { id: known, .. }) => {
                block.wheres.push(format!("{known} = {id}"));
                Ok(())
            }
            Some(other) => Err(two_kinds(word, other, "a relationship")),
        }
    }
}
