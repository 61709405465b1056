//! What is printed is read as the same, whatever names are like; and no text is too odd to be refused.

use crate::harness::SCHEMA;
use network::statement::{
    Action, Body, Change, Given, Item, ObjectName, ObjectPath, One, Statement,
};
use network::{Schema, Word, query, statement};
use proptest::prelude::*;

/// Names of people and units, and names that mean something to the language.
fn name() -> impl Strategy<Value = String> {
    let odd = "[ -~äé…日“]{1,12}".prop_filter("a name is no blank", |name| !name.trim().is_empty());
    let words = prop::sample::select(vec![
        "Eric T. Ahrens",
        "Ziv Bar-Joseph",
        "St. John's",
        "a, b",
        "x [y]",
        "\"",
        "--",
        "a --b",
        "->",
        "…",
        "class",
        "Department",
        "role x",
        "Contain me",
        "#2",
        "Wei #2",
        "https://x.example/?a=1",
        "{",
        "construct",
        "order by",
        "$p",
        "<College> x",
        "isa",
        "not",
        " x ",
        "a  b",
    ]);
    prop_oneof![words.prop_map(str::to_owned), odd]
}

fn object_name() -> impl Strategy<Value = ObjectName> {
    (name(), prop::option::of(1u32..9))
        .prop_map(|(name, nth)| ObjectName { name: Word::new(name), nth })
}

fn object_path() -> impl Strategy<Value = ObjectPath> {
    let paths = prop::sample::select(vec![
        vec!["Person"],
        vec!["University"],
        vec!["University", "College"],
        vec!["University", "School", "Department"],
    ]);
    paths.prop_flat_map(|classes| {
        let names = prop::collection::vec(object_name(), classes.len());
        names.prop_map(move |names| ObjectPath {
            classes: classes.iter().map(|name| Word::new(*name)).collect(),
            names,
        })
    })
}

fn one(depth: u32) -> BoxedStrategy<One> {
    let given = prop_oneof![
        object_name().prop_map(Given::Name),
        object_path().prop_map(Given::Path),
        Just(Given::Elision(Word::new("…")))
    ];
    let context = match depth {
        0 => Just(None).boxed(),
        _ => prop::option::of(prop::collection::vec(item(depth - 1), 0..3)).boxed(),
    };
    (given, context).prop_map(|(value, context)| One { value, context }).boxed()
}

fn item(depth: u32) -> BoxedStrategy<Item> {
    let values = (prop::collection::vec(one(depth), 0..3), any::<bool>())
        .prop_map(|(all, is_set)| Body::Values { is_set: is_set || all.len() != 1, all });
    let body = match depth {
        0 => values.boxed(),
        _ => prop_oneof![values, prop::collection::vec(item(depth - 1), 0..3).prop_map(Body::Down)]
            .boxed(),
    };
    let kinds = prop::option::of(prop::sample::select(network::schema::Relation::ALL.to_vec()));
    (kinds, name(), body)
        .prop_map(|(kind, name, body)| Item { kind, name: Word::new(name), body })
        .boxed()
}

fn change() -> impl Strategy<Value = Change> {
    let actions = prop::sample::select(Action::ALL.to_vec());
    (actions, object_path(), prop::collection::vec(item(2), 0..4))
        .prop_map(|(action, object, items)| Change { action, object, items })
}

proptest! {
    #[test]
    fn statements_are_read_as_they_were_written(change in change()) {
        let schema = Schema::parse(SCHEMA).unwrap();
        let statement = Statement::Change(change);
        let printed = statement::print(&statement, &schema);
        let read = statement::parse(&printed, &schema);
        prop_assert!(read.is_ok(), "{}\n{printed}", read.unwrap_err());
        prop_assert_eq!(read.unwrap(), statement, "{}", printed);
    }

    #[test]
    fn queries_are_read_as_they_were_written(name in object_name(), value in name(), limit in 0u32..9) {
        let schema = Schema::parse(SCHEMA).unwrap();
        let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
        let nth = name.nth.map_or(String::new(), |nth| format!(" #{nth}"));
        let text = format!(
            "query University.College {}.{}{nth}[$r: $p[since: > 3], Faculty -> {{ Professors: {} }}], not (Person $p[email: $e], $e = {}),
             forall ($p[email: $f]) (exists Person $p) construct $r, count($p) order by count($p) desc limit {limit}",
            quoted(&name.name.text), quoted(&value), quoted(&value), quoted(&value)
        );
        let read = query::parse(&text, &schema).unwrap();
        let printed = query::print(&read, &schema);
        prop_assert_eq!(query::parse(&printed, &schema).map_err(|e| e.to_string()), Ok(read), "{}", printed);
    }

    #[test]
    fn schemas_are_read_as_they_were_written(names in prop::collection::btree_set(name(), 6)) {
        let names: Vec<String> = names.iter().map(|name| format!("\"{}\"", name.replace('"', "\"\""))).collect();
        let [a, b, c, d, e, f] = &names[..] else { return Ok(()) };
        let text = format!(
            "class {a} isa {b} [ @{c}: string*, role {d}(inverse {e}, id {f}): {b}* [{a}: int] {{ {e} [{b}: date], {f} {{ {c} }} }} ]; class {b};"
        );
        let Ok(schema) = Schema::parse(&text) else { return Ok(()) };
        let printed = schema.print();
        let again = Schema::parse(&printed);
        prop_assert!(again.is_ok(), "{}\n{printed}", again.unwrap_err());
        prop_assert_eq!(again.unwrap().print(), printed);
    }

    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,60}", start in prop::sample::select(vec!["Insert Person ", "query ", "class ", "Delete College x [", ""])) {
        let schema = Schema::parse(SCHEMA).unwrap();
        let _ = statement::parse(&format!("{start}{text}"), &schema);
    }
}

#[test]
fn deep_brackets_are_refused() {
    let schema = Schema::parse(SCHEMA).unwrap();
    for (start, one) in [
        ("query ", "not ("),
        ("Insert College x [ ", "a -> { "),
        ("class A [ role a: A { ", "b { "),
    ] {
        let text = format!("{start}{}", one.repeat(100_000));
        let error = statement::parse(&text, &schema).unwrap_err();
        assert!(error.to_string().ends_with("brackets are more than 64 deep"), "{error}");
    }
}
