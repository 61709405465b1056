//! Views with plain names, for those who read the network with SQL.
//!
//! One for each class, with a column for each attribute, and `object`, `unit`, `role`, `relationship` and `attribute` over all. They
//! show what is there now; what is gone is in the tables.

use super::{Database, Dialect};
use crate::error::Error;
use crate::schema::{ClassId, Kind, Schema};
use std::collections::BTreeSet;

/// Names that the views of classes must not take: those of other views, and of the tables of crawls.
const TAKEN: [&str; 22] = [
    "object",
    "unit",
    "role",
    "relationship",
    "attribute",
    "doubt",
    "addresses",
    "pages",
    "links",
    "findings",
    "origins",
    "fetches",
    "patterns",
    "meta",
    "hosts",
    "texts",
    "words",
    "net_object",
    "net_role",
    "net_edge",
    "net_attribute",
    "net_class",
];

const SOURCE: &str = "o.confidence, o.first_seen, o.last_seen, s.page, o.place, s.wrapper";

/// Make all views anew.
pub(crate) fn make_views(db: &mut dyn Database, schema: &Schema) -> Result<(), Error> {
    let mut made = general(schema);
    let mut taken: BTreeSet<String> = TAKEN.iter().map(|name| (*name).to_owned()).collect();
    for (class, _) in schema.classes() {
        let mut name = plain(&schema.class(class).name);
        while taken.contains(&name) {
            name.push_str("_class");
        }
        taken.insert(name.clone());
        made.push((name, class_view(schema, class)));
    }
    for (name, query) in made {
        drop_view(db, &name)?;
        db.batch(&format!("CREATE VIEW \"{name}\" AS {query}"))?;
    }
    Ok(())
}

fn drop_view(db: &mut dyn Database, name: &str) -> Result<(), Error> {
    let all = match db.dialect() {
        Dialect::Sqlite => "",
        Dialect::Postgres => " CASCADE",
    };
    db.batch(&format!("DROP VIEW IF EXISTS \"{name}\"{all}"))
}

fn general(schema: &Schema) -> Vec<(String, String)> {
    let object = format!(
        "SELECT o.id, c.name AS class, o.name, o.nth, u.name AS container, u.id AS container_id, {SOURCE}
         FROM net_object o JOIN net_class c ON c.id = o.class LEFT JOIN net_object u ON u.id = o.container
         LEFT JOIN net_source s ON s.id = o.source WHERE o.gone = 0"
    );
    let units = list(schema.classes().map(|(id, _)| id).filter(|id| schema.is_unit(*id)));
    let unit = format!(
        "SELECT o.id, c.name AS class, o.name, u.name AS container, u.id AS container_id,
         (SELECT count(DISTINCT r.player) FROM net_role r WHERE r.unit = o.id AND r.gone = 0) AS n_players, {SOURCE}
         FROM net_object o JOIN net_class c ON c.id = o.class LEFT JOIN net_object u ON u.id = o.container
         LEFT JOIN net_source s ON s.id = o.source WHERE o.gone = 0 AND o.class IN ({units})"
    );
    let role = format!(
        "SELECT o.id, u.id AS unit_id, u.name AS unit, d.name AS role, d.path AS role_path, p.id AS player_id, p.name AS player, {SOURCE}
         FROM net_role o JOIN net_definition d ON d.id = o.role JOIN net_object u ON u.id = o.unit
         JOIN net_object p ON p.id = o.player LEFT JOIN net_source s ON s.id = o.source WHERE o.gone = 0"
    );
    let relationship = format!(
        "SELECT o.id, o.origin AS origin_id, f.name AS origin, d.name AS relationship, t.id AS target_id, t.name AS target, {SOURCE}
         FROM net_edge o JOIN net_definition d ON d.id = o.relationship LEFT JOIN net_object f ON f.id = o.origin
         JOIN net_object t ON t.id = o.target LEFT JOIN net_source s ON s.id = o.source WHERE o.gone = 0"
    );
    let attribute = format!(
        "SELECT o.id, o.owner, d.name AS attribute, d.path, o.value, o.number, {SOURCE}
         FROM net_attribute o JOIN net_definition d ON d.id = o.definition LEFT JOIN net_source s ON s.id = o.source WHERE o.gone = 0"
    );
    let all = [
        ("object", object),
        ("unit", unit),
        ("role", role),
        ("relationship", relationship),
        ("attribute", attribute),
    ];
    all.into_iter().map(|(name, query)| (name.to_owned(), query)).collect()
}

/// Objects of a class and of all kinds of it. An attribute with several values shows the first of them.
fn class_view(schema: &Schema, class: ClassId) -> String {
    let mut columns = String::new();
    let mut taken: BTreeSet<String> = [
        "id",
        "class",
        "name",
        "container",
        "container_id",
        "confidence",
        "first_seen",
        "last_seen",
        "page",
        "place",
        "wrapper",
    ]
    .map(str::to_owned)
    .into();
    for id in schema.properties_of(class) {
        let property = schema.property(id);
        let Kind::Attribute { value, .. } = &property.kind else { continue };
        let mut name = plain(&property.name);
        while taken.contains(&name) {
            name.push_str("_value");
        }
        taken.insert(name.clone());
        let column = if value.is_number() { "number" } else { "value" };
        let number = id.0;
        columns.push_str(&format!(
            "(SELECT min(a.{column}) FROM net_attribute a WHERE a.owner = o.id AND a.definition = {number} AND a.gone = 0) AS \"{name}\", "
        ));
    }
    let kinds = list(schema.kinds_of(class));
    format!(
        "SELECT o.id, c.name AS class, o.name, u.name AS container, u.id AS container_id, {columns}{SOURCE}
         FROM net_object o JOIN net_class c ON c.id = o.class LEFT JOIN net_object u ON u.id = o.container
         LEFT JOIN net_source s ON s.id = o.source WHERE o.gone = 0 AND o.class IN ({kinds})"
    )
}

fn list(classes: impl IntoIterator<Item = ClassId>) -> String {
    let numbers: Vec<String> = classes.into_iter().map(|id| id.0.to_string()).collect();
    // No class at all is a list too.
    if numbers.is_empty() { "-1".to_owned() } else { numbers.join(", ") }
}

/// A name as SQL has it: small letters, and underscores for all else.
fn plain(name: &str) -> String {
    let small = name.to_lowercase();
    small.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect()
}
