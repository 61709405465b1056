//! Target schemas: built in, as a DTD, or as a list of fields.

use crate::error::Refusal;
use crate::wire::{FieldView, SchemaAsk};
use pagemill::annotate::Target;

/// The schema that is asked for.
pub(crate) fn read(built_in: &[(String, String)], ask: &SchemaAsk) -> Result<Target, Refusal> {
    let dtd = match ask {
        SchemaAsk::Dtd(dtd) => dtd.clone(),
        SchemaAsk::Fields(list) => dtd_of(list)?,
        SchemaAsk::Name(name) => {
            let found = built_in.iter().find(|(built_in, _)| built_in == name);
            found
                .map(|it| it.1.clone())
                .ok_or_else(|| Refusal::missing(format!("no schema {name:?} is built in")))?
        }
    };
    Target::parse(&dtd)
        .map_err(|error| Refusal::bad(format!("cannot use this as a schema: {error}")))
}

/// `title, author*, date?` as a DTD. A first word before a colon is the name of the whole.
fn dtd_of(list: &str) -> Result<String, Refusal> {
    let (name, list) = match list.split_once(':') {
        Some((name, list)) => (name.trim(), list),
        None => ("record", list),
    };
    let fields: Vec<String> = list
        .split([',', '\n'])
        .map(|field| field.trim().replace(' ', "_"))
        .filter(|it| !it.is_empty())
        .collect();
    let is_name = |name: &str| {
        let mut letters = name.chars();
        letters.next().is_some_and(|it| it.is_alphabetic() || it == '_')
            && letters.all(|it| it.is_alphanumeric() || matches!(it, '_' | '-'))
    };
    let wrong = fields.iter().find(|it| !is_name(it.trim_end_matches(['*', '?', '+'])));
    if let Some(wrong) = wrong {
        return Err(Refusal::bad(format!(
            "{wrong:?} is no name of a field: names are letters, digits, _ and -"
        )));
    }
    if fields.is_empty() || !is_name(name) {
        return Err(Refusal::bad(
            "write the names of fields with commas between them, such as: title, author*, date?",
        ));
    }
    Ok(format!("<!ELEMENT {name} ({})>", fields.join(", ")))
}

pub(crate) fn fields_of(target: &Target) -> Vec<FieldView> {
    let field = |it: &pagemill::annotate::Element| FieldView {
        name: it.full_name(),
        is_required: it.cardinality.is_required(),
        repeats: it.cardinality.repeats(),
    };
    target.elements().iter().map(field).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_fields_are_schemas() {
        assert_eq!(
            dtd_of("title, author*, date?"),
            Ok("<!ELEMENT record (title, author*, date?)>".into())
        );
        assert_eq!(
            dtd_of("book: title\n old price?\n"),
            Ok("<!ELEMENT book (title, old_price?)>".into())
        );
        for wrong in ["", " , ", "a b>, c", "1st", "x: ", "<!ELEMENT a>"] {
            assert!(dtd_of(wrong).is_err(), "{wrong}");
        }
        assert!(read(&[], &SchemaAsk::Fields("title, author*".into())).is_ok());
    }
}
