//! Reading classes.

use super::{
    ClassDefinition, KindDefinition, PropertyDefinition, Relation, SpecificDefinition, ValueType,
};
use crate::error::Error;
use crate::reader::{Reader, Word};

/// Where a bare name ends.
fn ends_name(next: char) -> bool {
    matches!(
        next,
        '[' | ']'
            | '{'
            | '}'
            | '('
            | ')'
            | ','
            | ';'
            | ':'
            | '*'
            | '@'
            | '$'
            | '<'
            | '>'
            | '='
            | '#'
    )
}

pub(crate) fn sees_class(reader: &mut Reader<'_>) -> bool {
    reader.sees_word("class")
}

/// `class Name [isa Name] [ property, … ];`
pub(crate) fn class_definition(reader: &mut Reader<'_>) -> Result<ClassDefinition, Error> {
    reader.takes_word("class");
    let (name, parent) = class_names(reader)?;
    let properties = match reader.takes("[") {
        true => reader.list("]", property)?,
        false => Vec::new(),
    };
    reader.expect(";", "\"[\" or \";\"")?;
    Ok(ClassDefinition { name, parent, properties })
}

/// Bare names may have blanks, so that `isa` is looked for among the words.
fn class_names(reader: &mut Reader<'_>) -> Result<(Word, Option<Word>), Error> {
    let name = reader.name(ends_name, "the name of a class")?;
    if name.is_quoted {
        let parent = match reader.takes_word("isa") {
            true => Some(reader.name(ends_name, "the name of the class above")?),
            false => None,
        };
        return Ok((name, parent));
    }
    let Some((first, second)) = split_isa(&name) else { return Ok((name, None)) };
    if !second.text.is_empty() {
        return Ok((first, Some(second)));
    }
    let parent = reader.name(ends_name, "the name of the class above")?;
    Ok((first, Some(parent)))
}

fn split_isa(name: &Word) -> Option<(Word, Word)> {
    let (before, after) = match name.text.strip_suffix(" isa") {
        Some(before) => (before, ""),
        None => name.text.split_once(" isa ")?,
    };
    let word = |text: &str| Word { text: text.to_owned(), ..name.clone() };
    Some((word(before), word(after)))
}

fn property(reader: &mut Reader<'_>) -> Result<PropertyDefinition, Error> {
    if reader.takes("@") {
        return attribute(reader, true);
    }
    let relation = Relation::ALL.into_iter().find(|relation| {
        let mut ahead = reader.clone();
        // An attribute may be called "role" too.
        ahead.takes_word(relation.word()) && !ahead.sees(":")
    });
    match relation {
        Some(relation) => relationship(reader, relation),
        None => attribute(reader, false),
    }
}

fn attribute(reader: &mut Reader<'_>, is_key: bool) -> Result<PropertyDefinition, Error> {
    let name = reader.name(ends_name, "an attribute, or normal, contain or role")?;
    reader.expect(":", "\":\" and the type of the attribute")?;
    let before = reader.clone();
    let word = reader.bare(ends_name);
    let Some(value) = ValueType::named(&word.text) else {
        *reader = before;
        let types = ValueType::ALL.map(ValueType::name).join(", ");
        return Err(reader.expected(&format!(
            "a type ({types}); a relationship has normal, contain or role before its name"
        )));
    };
    let is_many = reader.takes("*");
    Ok(PropertyDefinition { name, is_many, kind: KindDefinition::Attribute { value, is_key } })
}

fn relationship(reader: &mut Reader<'_>, relation: Relation) -> Result<PropertyDefinition, Error> {
    reader.takes_word(relation.word());
    let name = reader.name(ends_name, "the name of a relationship")?;
    let (inverse, identification) = options(reader, relation)?;
    reader.expect(":", "\":\" and the class it leads to")?;
    let target = reader.name(ends_name, "the name of a class")?;
    let is_many = reader.takes("*");
    let context = context(reader, relation)?;
    let specifics = specifics(reader, relation)?;
    let kind = KindDefinition::Relationship {
        relation,
        target,
        inverse,
        identification,
        context,
        specifics,
    };
    Ok(PropertyDefinition { name, is_many, kind })
}

/// `(inverse x, id y)`
fn options(
    reader: &mut Reader<'_>,
    relation: Relation,
) -> Result<(Option<Word>, Option<Word>), Error> {
    let (mut inverse, mut identification) = (None, None);
    if !reader.takes("(") {
        return Ok((None, None));
    }
    reader.list(")", |reader| {
        let slot = if reader.takes_word("inverse") {
            &mut inverse
        } else if relation == Relation::Role && reader.takes_word("id") {
            &mut identification
        } else if relation == Relation::Role {
            return Err(reader.expected("\"inverse\" or \"id\" and a name"));
        } else {
            return Err(reader.expected("\"inverse\" and a name (\"id\" is for roles)"));
        };
        if slot.is_some() {
            return Err(reader.wrong("it is given twice".to_owned()));
        }
        *slot = Some(reader.name(ends_name, "a name")?);
        Ok(())
    })?;
    Ok((inverse, identification))
}

fn context(reader: &mut Reader<'_>, relation: Relation) -> Result<Vec<PropertyDefinition>, Error> {
    if !reader.sees("[") {
        return Ok(Vec::new());
    }
    if relation != Relation::Role {
        return Err(reader.expected("\",\", \"{\" or \"]\" (only roles have a context)"));
    }
    reader.takes("[");
    reader.list("]", property)
}

fn specifics(
    reader: &mut Reader<'_>,
    relation: Relation,
) -> Result<Vec<SpecificDefinition>, Error> {
    match reader.takes("{") {
        true => reader.list("}", |reader| specific(reader, relation)),
        false => Ok(Vec::new()),
    }
}

fn specific(reader: &mut Reader<'_>, relation: Relation) -> Result<SpecificDefinition, Error> {
    let name = reader.name(ends_name, "the name of a specific relationship")?;
    let context = context(reader, relation)?;
    let specifics = specifics(reader, relation)?;
    Ok(SpecificDefinition { name, context, specifics })
}
