//! Fields of schemas that come from elsewhere than from learning, for whatever writes data by its schema.

use super::{Column, Field, Reads, Schema, Set};
use page::DataType;

impl Schema {
    /// A schema that nothing was learnt for: it says what data has, not where it stands.
    ///
    /// ```
    /// use wrapper::{Field, Schema};
    ///
    /// let schema = Schema::made(vec![Field::column("title"), Field::list("author")]);
    /// assert_eq!(schema.fields[1].name(), "author");
    /// ```
    pub fn made(fields: Vec<Field>) -> Schema {
        Schema { fields, either: Vec::new(), unfit: 0 }
    }
}

impl Field {
    /// One text.
    pub fn column(name: &str) -> Field {
        Field::Column(column(name, 1000))
    }

    /// Any number of texts: records with one column, of the same name.
    pub fn list(name: &str) -> Field {
        Field::Set(Set {
            name: name.to_owned(),
            density: 1000,
            n_records: 0,
            usual: None,
            as_read: None,
            slots: Vec::new(),
            // Of no weight, so that a flat table has a row a page.
            fields: vec![Field::Column(column(name, 0))],
            either: Vec::new(),
        })
    }
}

fn column(name: &str, density: u32) -> Column {
    Column {
        name: name.to_owned(),
        label: None,
        data_type: DataType::String,
        density,
        is_template: false,
        reads: Reads::Value,
        prefix: String::new(),
        suffix: String::new(),
        slots: Vec::new(),
        examples: Vec::new(),
        usual: None,
        as_read: None,
        otherwise: Vec::new(),
    }
}
