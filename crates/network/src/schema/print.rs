//! Writing classes.

use super::{
    ClassDefinition, Kind, KindDefinition, Owner, Property, PropertyDefinition, PropertyId,
    Relation, Schema, SpecificDefinition,
};
use crate::reader::{Word, is_simple, write_name};

/// A class as text, that is read as the same class.
pub fn print_class(class: &ClassDefinition) -> String {
    let mut out = "class ".to_owned();
    name(&mut out, &class.name);
    if let Some(parent) = &class.parent {
        out.push_str(" isa ");
        name(&mut out, parent);
    }
    if !class.properties.is_empty() {
        out.push_str(" [\n    ");
        join(&mut out, &class.properties, ",\n    ", property);
        out.push_str("\n]");
    }
    out.push(';');
    out
}

impl Schema {
    /// The schema as text, that is read as the same schema.
    pub fn print(&self) -> String {
        self.classes().map(|(id, _)| print_class(&self.definition(id)) + "\n").collect()
    }

    fn definition(&self, id: super::ClassId) -> ClassDefinition {
        let class = self.class(id);
        ClassDefinition {
            name: Word::new(&class.name),
            parent: class.parent.map(|parent| Word::new(&self.class(parent).name)),
            properties: class.own.iter().map(|id| self.property_definition(*id)).collect(),
        }
    }

    fn property_definition(&self, id: PropertyId) -> PropertyDefinition {
        let Property { name, is_many, kind, .. } = self.property(id);
        let kind = match kind {
            Kind::Attribute { value, is_key } => {
                KindDefinition::Attribute { value: *value, is_key: *is_key }
            }
            Kind::Relationship(it) => KindDefinition::Relationship {
                relation: it.relation,
                target: Word::new(&self.class(it.target).name),
                inverse: it.inverse.as_ref().map(Word::new),
                identification: it.identification.as_ref().map(Word::new),
                context: it.context.iter().map(|id| self.property_definition(*id)).collect(),
                specifics: it.specifics.iter().map(|id| self.specific_definition(*id)).collect(),
            },
        };
        PropertyDefinition { name: Word::new(name), is_many: *is_many, kind }
    }

    fn specific_definition(&self, id: PropertyId) -> SpecificDefinition {
        let property = self.property(id);
        debug_assert!(matches!(property.owner, Owner::Generic(_)));
        let below = self.relationship(id);
        let all = |pick: fn(&super::Relationship) -> &Vec<PropertyId>| {
            below.map(pick).into_iter().flatten().copied()
        };
        SpecificDefinition {
            name: Word::new(&property.name),
            context: all(|it| &it.context).map(|id| self.property_definition(id)).collect(),
            specifics: all(|it| &it.specifics).map(|id| self.specific_definition(id)).collect(),
        }
    }
}

fn property(out: &mut String, property: &PropertyDefinition) {
    match &property.kind {
        KindDefinition::Attribute { value, is_key } => {
            out.push_str(if *is_key { "@" } else { "" });
            name(out, &property.name);
            out.push_str(": ");
            out.push_str(value.name());
            out.push_str(if property.is_many { "*" } else { "" });
        }
        KindDefinition::Relationship {
            relation,
            target,
            inverse,
            identification,
            context,
            specifics,
        } => {
            out.push_str(relation.word());
            out.push(' ');
            name(out, &property.name);
            options(out, inverse.as_ref(), identification.as_ref());
            out.push_str(": ");
            name(out, target);
            out.push_str(if property.is_many { "*" } else { "" });
            rest(out, context, specifics);
        }
    }
}

fn options(out: &mut String, inverse: Option<&Word>, identification: Option<&Word>) {
    let given: Vec<(&str, &Word)> = [("inverse ", inverse), ("id ", identification)]
        .into_iter()
        .filter_map(|(key, word)| Some((key, word?)))
        .collect();
    if given.is_empty() {
        return;
    }
    out.push('(');
    join(out, &given, ", ", |out, (key, word)| {
        out.push_str(key);
        name(out, word);
    });
    out.push(')');
}

fn rest(out: &mut String, context: &[PropertyDefinition], specifics: &[SpecificDefinition]) {
    if !context.is_empty() {
        out.push_str(" [");
        join(out, context, ", ", property);
        out.push(']');
    }
    if !specifics.is_empty() {
        out.push_str(" { ");
        join(out, specifics, ", ", |out, specific| {
            name(out, &specific.name);
            rest(out, &specific.context, &specific.specifics);
        });
        out.push_str(" }");
    }
}

fn join<T>(out: &mut String, all: &[T], between: &str, mut one: impl FnMut(&mut String, &T)) {
    for (idx, it) in all.iter().enumerate() {
        out.push_str(if idx > 0 { between } else { "" });
        one(out, it);
    }
}

fn name(out: &mut String, word: &Word) {
    write_name(out, &word.text, is_plain);
}

/// Names that hold a word of the schema language are quoted, wherever they stand.
fn is_plain(name: &str) -> bool {
    let is_word = |word: &str| {
        let mut words = Relation::ALL.map(Relation::word).to_vec();
        words.extend(["isa", "inverse", "id", "class"]);
        words.iter().any(|known| word.eq_ignore_ascii_case(known))
    };
    is_simple(name) && !name.contains(['*', '@']) && !name.split(' ').any(is_word)
}
