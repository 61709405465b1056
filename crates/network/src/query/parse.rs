//! Reading queries.

use super::{
    ClassTerm, Comparison, Constant, Construct, Entry, Function, Order, Pattern, Prop, PropBody,
    PropName, Query, Term,
};
use crate::error::Error;
use crate::reader::{Reader, Word};
use crate::schema::{ClassId, PropertyId, Relation, Schema};
use crate::statement::ObjectName;

/// Words that end a bare name.
const ENDS: [&str; 3] = ["construct", "order", "limit"];

pub(crate) fn read_query(reader: &mut Reader<'_>, schema: &Schema) -> Result<Query, Error> {
    let mut entries = vec![entry(reader, schema)?];
    while reader.takes(",") {
        entries.push(entry(reader, schema)?);
    }
    let construct = match reader.takes_word("construct") {
        true => several(reader, construct)?,
        false => Vec::new(),
    };
    let order = match reader.takes_word("order") {
        true if reader.takes_word("by") => several(reader, order)?,
        true => return Err(reader.expected("\"by\"")),
        false => Vec::new(),
    };
    let limit = match reader.takes_word("limit") {
        true => Some(reader.digits().ok_or_else(|| reader.expected("a number"))?),
        false => None,
    };
    if !reader.takes(";") && !reader.is_at_end() {
        return Err(reader.expected("\",\", \"construct\", \"order by\", \"limit\" or \";\""));
    }
    Ok(Query { entries, construct, order, limit })
}

fn several<T>(
    reader: &mut Reader<'_>,
    mut one: impl FnMut(&mut Reader<'_>) -> Result<T, Error>,
) -> Result<Vec<T>, Error> {
    let mut all = vec![one(reader)?];
    while reader.takes(",") {
        all.push(one(reader)?);
    }
    Ok(all)
}

fn construct(reader: &mut Reader<'_>) -> Result<Construct, Error> {
    for function in Function::ALL {
        if reader.takes_word(function.name()) {
            reader.expect("(", "\"(\"")?;
            let variable = variable(reader)?;
            reader.expect(")", "\")\"")?;
            return Ok(Construct { function: Some(function), variable });
        }
    }
    if !reader.sees("$") {
        return Err(reader.expected("a variable such as $p, or count, min or max of one"));
    }
    Ok(Construct { function: None, variable: variable(reader)? })
}

fn order(reader: &mut Reader<'_>) -> Result<Order, Error> {
    let by = construct(reader)?;
    let is_descending = reader.takes_word("desc");
    if !is_descending {
        reader.takes_word("asc");
    }
    Ok(Order { by, is_descending })
}

fn variable(reader: &mut Reader<'_>) -> Result<Word, Error> {
    reader.skip();
    let at = reader.position();
    reader.expect("$", "a variable such as $p")?;
    let n_bytes = reader
        .rest()
        .find(|c: char| !c.is_alphanumeric() && c != '_')
        .unwrap_or(reader.rest().len());
    if n_bytes == 0 {
        return Err(reader.expected("a letter or digit after \"$\""));
    }
    let text = reader.rest()[..n_bytes].to_owned();
    reader.go(n_bytes);
    Ok(Word { text, at, is_quoted: false })
}

fn entry(reader: &mut Reader<'_>, schema: &Schema) -> Result<Entry, Error> {
    reader.deeper(|reader| {
        if reader.takes_word("not") {
            return Ok(Entry::Not(group(reader, schema)?));
        }
        if reader.takes_word("exists") {
            return Ok(Entry::Exists(group(reader, schema)?));
        }
        if reader.takes_word("forall") {
            return Ok(Entry::Forall(in_brackets(reader, schema)?, in_brackets(reader, schema)?));
        }
        if reader.sees("$") {
            return of_variable(reader, schema);
        }
        let classes = classes(reader, schema)?;
        let n_classes = n_objects(schema, &classes);
        pattern(reader, schema, ClassTerm::Path(classes), n_classes)
    })
}

/// One entry, or several in brackets.
fn group(reader: &mut Reader<'_>, schema: &Schema) -> Result<Vec<Entry>, Error> {
    match reader.sees("(") {
        true => in_brackets(reader, schema),
        false => Ok(vec![entry(reader, schema)?]),
    }
}

fn in_brackets(reader: &mut Reader<'_>, schema: &Schema) -> Result<Vec<Entry>, Error> {
    reader.expect("(", "\"(\" and what holds")?;
    let entries = reader.list(")", |reader| entry(reader, schema))?;
    match entries.is_empty() {
        true => Err(reader.wrong("brackets hold nothing".to_owned())),
        false => Ok(entries),
    }
}

/// `$x = …`, `$x[ … ]`, or `$class $x`
fn of_variable(reader: &mut Reader<'_>, schema: &Schema) -> Result<Entry, Error> {
    let first = variable(reader)?;
    if let Some(comparison) = comparison(reader) {
        return Ok(Entry::Compare(first, comparison, constant(reader)?));
    }
    if reader.sees("$") || !reader.sees("[") {
        return pattern(reader, schema, ClassTerm::Variable(first), 1);
    }
    let props = props(reader, schema)?;
    Ok(Entry::Match(Pattern { class: ClassTerm::Known, term: Term::Variable(first), props }))
}

fn comparison(reader: &mut Reader<'_>) -> Option<Comparison> {
    Comparison::ALL.into_iter().find(|comparison| reader.takes(comparison.mark()))
}

fn constant(reader: &mut Reader<'_>) -> Result<Constant, Error> {
    match reader.sees("$") {
        true => Ok(Constant::Variable(variable(reader)?)),
        false => Ok(Constant::Value(value(reader)?)),
    }
}

fn pattern(
    reader: &mut Reader<'_>,
    schema: &Schema,
    class: ClassTerm,
    n_names: usize,
) -> Result<Entry, Error> {
    let term = match reader.sees("$") {
        true => Term::Variable(variable(reader)?),
        false => Term::Named(names(reader, n_names)?),
    };
    let props = match reader.sees("[") {
        true => props(reader, schema)?,
        false => Vec::new(),
    };
    Ok(Entry::Match(Pattern { class, term, props }))
}

fn ends_value(next: char) -> bool {
    matches!(next, ',' | ']' | '[' | '}' | '{' | ';' | ')')
}

fn value(reader: &mut Reader<'_>) -> Result<Word, Error> {
    if let Some(word) = reader.quoted()? {
        return Ok(word);
    }
    let word = reader.bare_before(|next| next == '"' || ends_value(next), &ENDS);
    match word.text.is_empty() {
        true => Err(reader.expected("a variable such as $p, a value or a name")),
        false => Ok(word),
    }
}

fn names(reader: &mut Reader<'_>, n_names: usize) -> Result<Vec<ObjectName>, Error> {
    let mut all = Vec::new();
    for idx in 0..n_names {
        if idx > 0 {
            reader.expect(".", "\".\" and the next name of the path")?;
        }
        let word = match reader.quoted()? {
            Some(word) => word,
            None => {
                let stops = |next| {
                    next == '"' || next == '#' || ends_value(next) || (n_names > 1 && next == '.')
                };
                reader.bare_before(stops, &ENDS)
            }
        };
        if word.text.is_empty() {
            return Err(reader.expected("a variable such as $p, or a name"));
        }
        let nth = match reader.takes("#") {
            true => Some(reader.digits().ok_or_else(|| reader.expected("a number"))?),
            false => None,
        };
        all.push(ObjectName { name: word, nth });
    }
    Ok(all)
}

fn props(reader: &mut Reader<'_>, schema: &Schema) -> Result<Vec<Prop>, Error> {
    reader.expect("[", "\"[\"")?;
    reader.list("]", |reader| prop(reader, schema))
}

fn prop(reader: &mut Reader<'_>, schema: &Schema) -> Result<Prop, Error> {
    let name = match reader.sees("$") {
        true => PropName::Variable(variable(reader)?),
        false => PropName::Named(prop_name(reader, schema)?),
    };
    if reader.takes("->") {
        reader.expect("{", "\"{\" and specific relationships after \"->\"")?;
        let below = reader.list("}", |reader| prop(reader, schema))?;
        return Ok(Prop { name, body: PropBody::Down(below) });
    }
    reader.expect(":", "\":\" and a variable, value or name")?;
    let term = term(reader)?;
    let props = match reader.sees("[") {
        true => props(reader, schema)?,
        false => Vec::new(),
    };
    Ok(Prop { name, body: PropBody::Term(term, props) })
}

/// A word for the kind may stand before a name, as in statements.
fn prop_name(reader: &mut Reader<'_>, schema: &Schema) -> Result<Word, Error> {
    let ends = |next| matches!(next, ':' | ',' | ']' | '[' | '{' | '}' | ';' | '$');
    let mut word = reader
        .name(ends, "the name of an attribute or relationship, or a variable such as $role")?;
    let is_declared = schema.properties().any(|(_, property)| property.name == word.text);
    if !word.is_quoted
        && !is_declared
        && let Some((kind, rest)) = word.text.split_once(' ')
        && Relation::ALL.iter().any(|it| kind.eq_ignore_ascii_case(it.word()))
    {
        word.text = rest.to_owned();
    }
    Ok(word)
}

fn term(reader: &mut Reader<'_>) -> Result<Term, Error> {
    if reader.sees("$") {
        return Ok(Term::Variable(variable(reader)?));
    }
    if let Some(comparison) = comparison(reader) {
        return Ok(Term::Compared(comparison, value(reader)?));
    }
    let before = reader.clone();
    let word = value(reader)?;
    // A number after a name says which; within a value it is part of it. Which of both it is, the schema tells later.
    if word.is_quoted {
        let nth = if reader.takes("#") { reader.digits() } else { None };
        return Ok(Term::Named(vec![ObjectName { name: word, nth }]));
    }
    let has_number = word.text.rsplit_once(" #").is_some_and(|(_, nth)| nth.parse::<u32>().is_ok());
    if has_number {
        *reader = before;
        return Ok(Term::Named(names(reader, 1)?));
    }
    Ok(Term::Named(vec![ObjectName { name: word, nth: None }]))
}

/// `University.College`, or roles below a class: `College.Faculty.Professors`; a role alone too.
fn classes(reader: &mut Reader<'_>, schema: &Schema) -> Result<Vec<Word>, Error> {
    let names = |_: &[Word]| -> Vec<String> {
        let classes = schema.classes().map(|(_, class)| class.name.clone());
        let roles = schema.properties().filter(|(id, _)| is_role(schema, *id));
        classes.chain(roles.map(|(_, property)| property.name.clone())).collect()
    };
    let mut path: Vec<Word> = Vec::new();
    loop {
        let Some(word) = longest(reader, &names(&path)) else {
            if path.is_empty()
                && reader.rest().starts_with(|c: char| c.is_alphanumeric() || c == '"')
            {
                let word = reader
                    .clone()
                    .bare(|c| c.is_whitespace() || matches!(c, '$' | '[' | ',' | ';' | '.' | ')'));
                return Err(schema.unknown_class(&word));
            }
            return Err(reader.expected("a class, a variable such as $p, or not, exists or forall"));
        };
        path.push(word);
        if !reader.rest().starts_with('.') {
            return Ok(path);
        }
        reader.go(1);
    }
}

fn is_role(schema: &Schema, id: PropertyId) -> bool {
    schema.relationship(id).is_some_and(|it| it.relation == Relation::Role)
}

fn longest(reader: &mut Reader<'_>, names: &[String]) -> Option<Word> {
    reader.skip();
    let at = reader.position();
    if reader.sees("\"") {
        let mut ahead = reader.clone();
        let word = ahead.quoted().ok().flatten().filter(|word| names.contains(&word.text))?;
        *reader = ahead;
        return Some(word);
    }
    let ends = |rest: &str| {
        rest.chars().next().is_none_or(|c| {
            c.is_whitespace() || matches!(c, '.' | '"' | '[' | ';' | '$' | ',' | ')')
        })
    };
    let is_next = |name: &&String| reader.rest().strip_prefix(name.as_str()).is_some_and(ends);
    let text = names.iter().filter(is_next).max_by_key(|name| name.len())?.clone();
    reader.go(text.len());
    Some(Word { text, at, is_quoted: false })
}

/// How many of the words of a path are classes, and so have names of objects.
fn n_objects(schema: &Schema, path: &[Word]) -> usize {
    let is_class = |word: &&Word| -> bool {
        let class: Option<ClassId> = schema.class_named(&word.text);
        class.is_some()
    };
    let n_classes = path.iter().take_while(is_class).count();
    // Of those who play a role only the player is named.
    if n_classes == path.len() { n_classes } else { 1 }
}
