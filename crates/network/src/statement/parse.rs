//! Reading statements, led by the schema.

use super::{Action, Body, Change, Given, Item, ObjectName, ObjectPath, One, Statement};
use crate::error::{Error, Rule};
use crate::query;
use crate::reader::{Reader, Word};
use crate::schema::{ClassId, Relation, Schema, class_definition, sees_class};

/// What a statement may start with.
const STARTS: &str = "a statement (class, Insert, Update, Delete or query)";

pub(crate) fn read_statement(reader: &mut Reader<'_>, schema: &Schema) -> Result<Statement, Error> {
    if sees_class(reader) {
        return Ok(Statement::Class(class_definition(reader)?));
    }
    if reader.takes_word("query") {
        return Ok(Statement::Query(query::read_query(reader, schema)?));
    }
    for action in Action::ALL {
        if reader.takes_word(action.word()) {
            return Ok(Statement::Change(change(reader, schema, action)?));
        }
    }
    Err(reader.expected(STARTS))
}

fn change(reader: &mut Reader<'_>, schema: &Schema, action: Action) -> Result<Change, Error> {
    let classes = class_path(reader, schema)?;
    let object = object_path(reader, classes, |next| matches!(next, '[' | ';'))?;
    let items = match reader.takes("[") {
        true => reader.list("]", |reader| item(reader, schema, action))?,
        false => Vec::new(),
    };
    reader.expect(";", "\";\" at the end of the statement")?;
    Ok(Change { action, object, items })
}

/// The classes of a path: each the longest name of a class that the class before contains.
pub(crate) fn class_path(reader: &mut Reader<'_>, schema: &Schema) -> Result<Vec<Word>, Error> {
    let all: Vec<ClassId> = schema.classes().map(|(id, _)| id).collect();
    let (mut class, first) =
        class_word(reader, schema, &all).ok_or_else(|| no_class(reader, schema))?;
    let mut path = vec![first];
    while reader.rest().starts_with('.') {
        reader.go(1);
        let parts = parts_of(schema, class);
        let (next, word) = class_word(reader, schema, &parts)
            .ok_or_else(|| no_part(reader, schema, class, &parts))?;
        path.push(word);
        class = next;
    }
    Ok(path)
}

/// The longest of some class names that the text goes on with.
fn class_word(
    reader: &mut Reader<'_>,
    schema: &Schema,
    among: &[ClassId],
) -> Option<(ClassId, Word)> {
    reader.skip();
    let at = reader.position();
    if reader.sees("\"") {
        let mut ahead = reader.clone();
        let word = ahead.quoted().ok().flatten()?;
        let class = among.iter().find(|id| schema.class(**id).name == word.text)?;
        *reader = ahead;
        return Some((*class, word));
    }
    let is_next = |name: &str| {
        reader.rest().strip_prefix(name).is_some_and(|rest| {
            rest.chars().next().is_none_or(|c| {
                c.is_whitespace() || matches!(c, '.' | '"' | '[' | ';' | '>' | '$' | ',')
            })
        })
    };
    let class = among
        .iter()
        .copied()
        .filter(|id| is_next(&schema.class(*id).name))
        .max_by_key(|id| schema.class(*id).name.len())?;
    let text = schema.class(class).name.clone();
    reader.go(text.len());
    Some((class, Word { text, at, is_quoted: false }))
}

/// What a class contains, also through what it is a kind of, and kinds of that.
fn parts_of(schema: &Schema, class: ClassId) -> Vec<ClassId> {
    let targets = schema
        .properties_of(class)
        .filter_map(|id| schema.relationship(id))
        .filter(|it| it.relation == Relation::Contain);
    targets.flat_map(|it| schema.kinds_of(it.target)).collect()
}

fn no_class(reader: &mut Reader<'_>, schema: &Schema) -> Error {
    reader.skip();
    let mut ahead = reader.clone();
    let word = match ahead.quoted() {
        Ok(Some(word)) => word,
        _ => ahead.bare(|next| {
            matches!(next, '.' | '[' | ']' | ';' | '"' | ',' | '$' | '>') || next.is_whitespace()
        }),
    };
    if word.text.is_empty() {
        return reader.expected("the name of a class");
    }
    if let Some(error) = induced(schema, reader, None) {
        return error;
    }
    schema.unknown_class(&word)
}

fn no_part(reader: &mut Reader<'_>, schema: &Schema, class: ClassId, parts: &[ClassId]) -> Error {
    if let Some(error) = induced(schema, reader, Some(class)) {
        return error;
    }
    let word = reader
        .clone()
        .bare(|next| matches!(next, '.' | '[' | ';' | '"' | '>') || next.is_whitespace());
    let parts: Vec<&str> = parts.iter().map(|id| schema.class(*id).name.as_str()).collect();
    let parts = match parts[..] {
        [] => "it contains nothing".to_owned(),
        _ => format!("it contains {}", parts.join(", ")),
    };
    let message =
        format!("{:?} contains no class {:?}; {parts}", schema.class(class).name, word.text);
    Error::check(Rule::Declared, word.at, message)
}

/// Whether a role is named where a class should be: those who play it are its class, which is not inserted into.
fn induced(schema: &Schema, reader: &Reader<'_>, of: Option<ClassId>) -> Option<Error> {
    let is_next = |name: &str| {
        let rest = reader.rest().strip_prefix(name);
        rest.is_some_and(|rest| rest.chars().next().is_none_or(|c| !c.is_alphanumeric()))
    };
    let (id, _) = schema.properties().find(|(id, property)| {
        let is_role = schema.relationship(*id).is_some_and(|it| it.relation == Relation::Role);
        let fits = of.is_none_or(|class| schema.is_a(class, schema.declaring_class(*id)));
        is_role && fits && is_next(&property.name)
    })?;
    let (path, name) = (schema.path(id), &schema.property(id).name);
    let unit = &schema.class(schema.declaring_class(id)).name;
    let message = format!(
        "{path:?} is the class of those who play this role, and follows from it; insert the role: Insert {unit} … [ {name}: … ]"
    );
    Some(Error::check(Rule::Induced, reader.position(), message))
}

/// As many names as classes, with dots between.
pub(crate) fn object_path(
    reader: &mut Reader<'_>,
    classes: Vec<Word>,
    stops: impl Fn(char) -> bool,
) -> Result<ObjectPath, Error> {
    let n_names = classes.len();
    let mut names = Vec::new();
    for (idx, class) in classes.iter().enumerate() {
        if idx > 0 {
            reader.expect(".", &format!("\".\" and the name of the {}", class.text))?;
        }
        let what = format!("the name of the {}", class.text);
        // A name alone may have dots.
        let word = reader.name(|next| stops(next) || (n_names > 1 && next == '.'), &what)?;
        names.push(numbered(reader, word));
    }
    if n_names > 1 && reader.sees(".") {
        let message = format!(
            "a path of {n_names} classes has {n_names} names; quote a name that has a dot in it"
        );
        return Err(reader.wrong(message));
    }
    Ok(ObjectPath { classes, names })
}

/// `Name #2`: the number of a bare name is part of its text, that of a quoted one follows.
fn numbered(reader: &mut Reader<'_>, mut word: Word) -> ObjectName {
    if word.is_quoted {
        let mut ahead = reader.clone();
        let nth = if ahead.takes("#") { ahead.digits().filter(|nth| *nth > 0) } else { None };
        if nth.is_some() {
            *reader = ahead;
        }
        return ObjectName { name: word, nth };
    }
    let Some((name, nth)) = word.text.rsplit_once(" #") else {
        return ObjectName { name: word, nth: None };
    };
    let is_number = !nth.starts_with('0') && nth.bytes().all(|byte| byte.is_ascii_digit());
    match nth.parse::<u32>().ok().filter(|_| is_number) {
        Some(nth) => {
            word.text = name.trim_end().to_owned();
            ObjectName { name: word, nth: Some(nth) }
        }
        None => ObjectName { name: word, nth: None },
    }
}

fn ends_item_name(next: char) -> bool {
    matches!(next, ':' | ',' | ']' | '}' | '[' | '{' | ';')
}

fn item(reader: &mut Reader<'_>, schema: &Schema, action: Action) -> Result<Item, Error> {
    let (kind, name) = item_name(reader, schema)?;
    let body = body(reader, schema, action)?;
    Ok(Item { kind, name, body })
}

/// A name may begin with a word for a kind, and is that name then, if it is declared.
fn item_name(reader: &mut Reader<'_>, schema: &Schema) -> Result<(Option<Relation>, Word), Error> {
    let what = "the name of an attribute or relationship";
    let word = reader.name(ends_item_name, what)?;
    let is_kind =
        |text: &str| Relation::ALL.into_iter().find(|it| text.eq_ignore_ascii_case(it.word()));
    if word.is_quoted {
        return Ok((None, word));
    }
    if reader.sees("\"")
        && let Some(kind) = is_kind(&word.text)
    {
        return Ok((Some(kind), reader.name(ends_item_name, what)?));
    }
    let is_declared = schema.properties().any(|(_, property)| property.name == word.text);
    let split = word.text.split_once(' ').filter(|_| !is_declared);
    match split.and_then(|(first, rest)| Some((is_kind(first)?, rest))) {
        Some((kind, rest)) => {
            let mut at = word.at;
            at.column += u32::try_from(kind.word().len()).unwrap_or_default() + 1;
            Ok((Some(kind), Word { text: rest.to_owned(), at, is_quoted: false }))
        }
        None => Ok((None, word)),
    }
}

fn body(reader: &mut Reader<'_>, schema: &Schema, action: Action) -> Result<Body, Error> {
    if reader.takes("->") {
        reader.expect("{", "\"{\" and specific relationships after \"->\"")?;
        return Ok(Body::Down(reader.list("}", |reader| item(reader, schema, action))?));
    }
    if reader.takes(":") {
        return values(reader, schema, action);
    }
    match action {
        Action::Delete if reader.sees(",") || reader.sees("]") || reader.sees("}") => {
            Ok(Body::Whole)
        }
        Action::Delete => Err(reader.expected("\":\", \"->\", \",\" or \"]\"")),
        _ => Err(reader.expected("\":\" and a value, or \"->\" and specific relationships")),
    }
}

fn values(reader: &mut Reader<'_>, schema: &Schema, action: Action) -> Result<Body, Error> {
    let is_set = reader.takes("{");
    let all = match is_set {
        true => reader.list("}", |reader| one(reader, schema, action))?,
        false => vec![one(reader, schema, action)?],
    };
    Ok(Body::Values { all, is_set })
}

fn ends_value(next: char) -> bool {
    matches!(next, ',' | ']' | '}' | '[' | '{' | ';')
}

fn one(reader: &mut Reader<'_>, schema: &Schema, action: Action) -> Result<One, Error> {
    let value = given(reader, schema)?;
    let context = match reader.takes("[") {
        true => Some(reader.list("]", |reader| item(reader, schema, action))?),
        false => None,
    };
    Ok(One { value, context })
}

fn given(reader: &mut Reader<'_>, schema: &Schema) -> Result<Given, Error> {
    if reader.takes("<") {
        let classes = class_path(reader, schema)?;
        reader.expect(">", "\">\" after the classes")?;
        return Ok(Given::Path(object_path(reader, classes, ends_value)?));
    }
    if let Some(word) = reader.quoted()? {
        return Ok(Given::Name(numbered(reader, word)));
    }
    let word = reader.name(ends_value, "a value or a name")?;
    if matches!(word.text.as_str(), "…" | "...") {
        return Ok(Given::Elision(word));
    }
    Ok(Given::Name(numbered(reader, word)))
}
