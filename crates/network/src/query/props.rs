//! Properties in patterns: attributes, relationships from either end, and what is seen in a context.

use super::block::{Binding, Block, Context, Subject, two_kinds, unbound};
use super::compile::Compiler;
use super::step::{End, Step};
use super::{Comparison, Prop, PropBody, PropName, Term};
use crate::apply::no_property;
use crate::error::{Error, Rule};
use crate::facts::list;
use crate::reader::Word;
use crate::schema::{ClassId, Kind, NAME, Owner, PropertyId, Relation, ValueType, known};
use std::collections::{BTreeMap, BTreeSet};

/// What a name may mean: all of one way are asked for together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Way {
    Attribute,
    Related(End, Relation),
}

/// The properties of one way, and the classes that have them.
#[derive(Default)]
struct Meaning {
    properties: BTreeSet<PropertyId>,
    classes: BTreeSet<ClassId>,
}

impl Compiler<'_> {
    pub(super) fn props(
        &mut self,
        block: &mut Block,
        subject: &Subject,
        props: &[Prop],
    ) -> Result<(), Error> {
        props.iter().try_for_each(|prop| self.prop(block, subject, prop))
    }

    fn prop(&mut self, block: &mut Block, subject: &Subject, prop: &Prop) -> Result<(), Error> {
        match (&prop.name, &prop.body) {
            (PropName::Named(name), PropBody::Term(term, below)) => {
                if let Some(context) = &subject.context
                    && self.in_context(block, context, name, term, below)?
                {
                    return Ok(());
                }
                self.by_name(block, subject, name, term, below)
            }
            (PropName::Named(name), PropBody::Down(below)) => {
                self.down(block, subject, name, below)
            }
            (PropName::Variable(word), PropBody::Term(term, below)) => {
                self.by_variable(block, subject, word, term, below)
            }
            (PropName::Variable(word), PropBody::Down(_)) => {
                let message =
                    "a variable stands for the most specific relationship, and nothing is below it"
                        .to_owned();
                Err(Error::check(Rule::Specific, word.at, message))
            }
        }
    }

    fn classes_of(
        &self,
        block: &Block,
        subject: &Subject,
        word: &Word,
    ) -> Result<BTreeSet<ClassId>, Error> {
        match block.bindings.get(&subject.key) {
            Some(Binding::Object { classes, .. }) => Ok(classes.clone()),
            Some(other) => Err(two_kinds(word, other, "an object")),
            None => Err(unbound(word)),
        }
    }

    pub(super) fn id_of(&self, block: &Block, subject: &Subject) -> String {
        match block.bindings.get(&subject.key) {
            Some(Binding::Object { id, .. }) => id.clone(),
            _ => "0".to_owned(),
        }
    }

    /// What the context has under a name; says whether it has it.
    fn in_context(
        &mut self,
        block: &mut Block,
        context: &Context,
        name: &Word,
        term: &Term,
        below: &[Prop],
    ) -> Result<bool, Error> {
        let schema = self.schema;
        if context.roles.iter().all(|role| schema.identification(*role) == Some(&name.text)) {
            let text =
                format!("(SELECT d.name FROM net_definition d WHERE d.id = {})", context.role);
            let value = Binding::Value { text, number: None, of: ValueType::String };
            self.bind_value(block, value, term)?;
            return Ok(true);
        }
        let found: BTreeSet<PropertyId> = context
            .roles
            .iter()
            .filter_map(|role| schema.context_named(*role, &name.text))
            .collect();
        let found: Vec<PropertyId> = found.into_iter().collect();
        let Some(first) = found.first() else { return Ok(false) };
        match schema.relationship(*first) {
            None => self.attribute(block, &context.id, &found, name, term, below)?,
            Some(it) => {
                let classes = schema.kinds_of(it.target);
                let edge = self.alias('e');
                block.from.push(format!("net_edge {edge}"));
                block.wheres.push(format!(
                    "{edge}.origin = {} AND {edge}.relationship IN ({}) AND {edge}.gone = 0",
                    context.id,
                    list(&found)
                ));
                let key = self.other_end(block, &format!("{edge}.target"), classes, None, term)?;
                self.props(block, &Subject { key, context: None }, below)?;
            }
        }
        Ok(true)
    }

    fn by_name(
        &mut self,
        block: &mut Block,
        subject: &Subject,
        name: &Word,
        term: &Term,
        below: &[Prop],
    ) -> Result<(), Error> {
        if name.text == NAME {
            let row = self.row(block, &subject.key, name)?;
            let value =
                Binding::Value { text: format!("{row}.name"), number: None, of: ValueType::String };
            return self.bind_value(block, value, term);
        }
        let classes = self.classes_of(block, subject, name)?;
        let meanings =
            self.meanings(&classes, |compiler, class| compiler.named_in(class, &name.text));
        if meanings.is_empty() {
            let class = self.top(&classes).unwrap_or(ClassId(0));
            return Err(no_property(self.schema, class, name));
        }
        let (way, meaning) = self.pick(meanings);
        self.set_classes(block, &subject.key, meaning.classes);
        let properties: Vec<PropertyId> = meaning.properties.into_iter().collect();
        match way {
            Way::Attribute => {
                let owner = self.id_of(block, subject);
                self.attribute(block, &owner, &properties, name, term, below)
            }
            Way::Related(end, relation) => {
                let step = Step { end, relation, properties, term, below, variable: None };
                self.step(block, subject, step, name)
            }
        }
    }

    /// What a class has under a name, from either end.
    fn named_in(&self, class: ClassId, name: &str) -> Vec<(Way, PropertyId)> {
        let schema = self.schema;
        if let Some(id) = schema.property_named(class, name) {
            let way = schema
                .relationship(id)
                .map_or(Way::Attribute, |it| Way::Related(End::Origin, it.relation));
            return vec![(way, id)];
        }
        let inverses = schema.inverses_named(class, name).into_iter();
        inverses
            .filter_map(|id| schema.relationship(id).map(|it| (id, it)))
            .filter(|(_, it)| schema.is_a(class, it.target))
            .map(|(id, it)| (Way::Related(End::Target, it.relation), id))
            .collect()
    }

    /// All relationships that a class has, from either end.
    fn related_in(&self, class: ClassId) -> Vec<(Way, PropertyId)> {
        let schema = self.schema;
        let own = schema.properties_of(class).filter_map(|id| {
            Some((Way::Related(End::Origin, schema.relationship(id)?.relation), id))
        });
        let others = schema.properties().filter_map(|(id, property)| {
            let it = schema.relationship(id)?;
            let is_here = schema.is_a(class, it.target) && it.inverse.is_some();
            let is_top = matches!(property.owner, Owner::Class(_));
            (is_here && is_top).then_some((Way::Related(End::Target, it.relation), id))
        });
        own.chain(others).collect()
    }

    fn meanings(
        &self,
        classes: &BTreeSet<ClassId>,
        found: impl Fn(&Self, ClassId) -> Vec<(Way, PropertyId)>,
    ) -> BTreeMap<Way, Meaning> {
        let mut all: BTreeMap<Way, Meaning> = BTreeMap::new();
        for class in classes {
            for (way, id) in found(self, *class) {
                let meaning = all.entry(way).or_default();
                meaning.properties.extend(self.schema.below(id));
                meaning.classes.insert(*class);
            }
        }
        all
    }

    fn pick(&mut self, meanings: BTreeMap<Way, Meaning>) -> (Way, Meaning) {
        let idx = self.choose(meanings.len());
        meanings.into_iter().nth(idx).unwrap_or((Way::Attribute, Meaning::default()))
    }

    fn by_variable(
        &mut self,
        block: &mut Block,
        subject: &Subject,
        word: &Word,
        term: &Term,
        below: &[Prop],
    ) -> Result<(), Error> {
        let classes = self.classes_of(block, subject, word)?;
        let meanings = self.meanings(&classes, Self::related_in);
        if meanings.is_empty() {
            let name =
                self.top(&classes).map_or("nothing", |id| self.schema.class(id).name.as_str());
            let message = format!("a {name} has no relationships that ${} could be", word.text);
            return Err(Error::check(Rule::Declared, word.at, message));
        }
        let (way, meaning) = self.pick(meanings);
        let Way::Related(end, relation) = way else { return Ok(()) };
        self.set_classes(block, &subject.key, meaning.classes);
        let properties = meaning.properties.into_iter().collect();
        self.step(
            block,
            subject,
            Step { end, relation, properties, term, below, variable: Some(word) },
            word,
        )
    }

    /// `Faculty -> { Professors: $p }`
    fn down(
        &mut self,
        block: &mut Block,
        subject: &Subject,
        name: &Word,
        below: &[Prop],
    ) -> Result<(), Error> {
        let classes = self.classes_of(block, subject, name)?;
        let found: BTreeSet<PropertyId> = classes
            .iter()
            .filter_map(|class| self.schema.property_named(*class, &name.text))
            .collect();
        let Some(generic) = found.first().copied() else {
            return Err(no_property(self.schema, self.top(&classes).unwrap_or(ClassId(0)), name));
        };
        below.iter().try_for_each(|prop| self.specific(block, subject, generic, prop))
    }

    fn specific(
        &mut self,
        block: &mut Block,
        subject: &Subject,
        generic: PropertyId,
        prop: &Prop,
    ) -> Result<(), Error> {
        let schema = self.schema;
        let PropName::Named(name) = &prop.name else { return self.prop(block, subject, prop) };
        let all = schema.below(generic);
        let found = all[1..].iter().copied().find(|id| schema.property(*id).name == name.text);
        let Some((id, it)) = found.and_then(|id| Some((id, schema.relationship(id)?))) else {
            let names: Vec<&str> =
                all[1..].iter().map(|id| schema.property(*id).name.as_str()).collect();
            let message = format!(
                "{:?} has no specific relationship {:?}{}",
                schema.path(generic),
                name.text,
                known(&names)
            );
            return Err(Error::check(Rule::Specific, name.at, message));
        };
        match &prop.body {
            PropBody::Down(below) => {
                below.iter().try_for_each(|prop| self.specific(block, subject, id, prop))
            }
            PropBody::Term(term, below) => {
                let (end, relation) = (End::Origin, it.relation);
                let step = Step {
                    end,
                    relation,
                    properties: schema.below(id),
                    term,
                    below,
                    variable: None,
                };
                self.step(block, subject, step, name)
            }
        }
    }

    fn attribute(
        &mut self,
        block: &mut Block,
        owner: &str,
        attributes: &[PropertyId],
        name: &Word,
        term: &Term,
        below: &[Prop],
    ) -> Result<(), Error> {
        if !below.is_empty() {
            let message = format!("{:?} is an attribute, and a value has no properties", name.text);
            return Err(Error::check(Rule::Context, name.at, message));
        }
        let types = attributes.iter().filter_map(|id| match &self.schema.property(*id).kind {
            Kind::Attribute { value, .. } => Some(*value),
            Kind::Relationship(_) => None,
        });
        // Where they differ they are texts.
        let of = types
            .reduce(|one, other| if one == other { one } else { ValueType::String })
            .unwrap_or(ValueType::String);
        let alias = self.alias('a');
        block.from.push(format!("net_attribute {alias}"));
        block.wheres.push(format!(
            "{alias}.owner = {owner} AND {alias}.definition IN ({}) AND {alias}.gone = 0",
            list(attributes)
        ));
        let number = of.is_number().then(|| format!("{alias}.number"));
        self.bind_value(block, Binding::Value { text: format!("{alias}.value"), number, of }, term)
    }

    fn bind_value(&mut self, block: &mut Block, value: Binding, term: &Term) -> Result<(), Error> {
        let Binding::Value { text, number, of } = &value else { return Ok(()) };
        let condition = match term {
            Term::Variable(word) => match block.bindings.get(&word.text) {
                None => {
                    block.bindings.insert(word.text.clone(), value);
                    return Ok(());
                }
                Some(Binding::Value { text: known, .. }) => format!("{known} = {text}"),
                Some(other) => return Err(two_kinds(word, other, "a value")),
            },
            Term::Compared(comparison, word) => {
                self.against(text, number.as_deref(), *of, *comparison, word)?
            }
            Term::Named(names) => {
                let Some(name) = names.first() else { return Ok(()) };
                let word = Word { text: name.as_value(), ..name.name.clone() };
                self.against(text, number.as_deref(), *of, Comparison::Equal, &word)?
            }
        };
        block.wheres.push(condition);
        Ok(())
    }
}
