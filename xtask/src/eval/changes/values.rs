//! The values of a page by the paths of their columns; records in any order.

use wrapper::{Data, Field, Schema, Value};

/// Sorted.
pub(crate) struct Values(Vec<(String, String)>);

impl Values {
    /// What a schema's own columns have; no whole texts beside values.
    pub(crate) fn of(schema: &Schema, data: Option<&Data>) -> Values {
        let mut values = Vec::new();
        if let Some(data) = data {
            add(&schema.fields, data, "", &mut values);
        }
        values.sort_unstable();
        Values(values)
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// The paths of the values that another page does not have.
    pub(crate) fn without(&self, other: &Values) -> Vec<&str> {
        let mut missed = Vec::new();
        let mut others = other.0.iter().peekable();
        for value in &self.0 {
            while others.next_if(|it| *it < value).is_some() {}
            if others.next_if(|it| *it == value).is_none() {
                missed.push(&*value.0);
            }
        }
        missed
    }
}

fn add(fields: &[Field], data: &Data, within: &str, values: &mut Vec<(String, String)>) {
    for field in fields.iter().filter(|field| field.is_data()) {
        let path = format!("{within}{}", field.name());
        match (field, data.get(field.name())) {
            (Field::Column(_), Some(Value::Text(text))) => values.push((path, text.to_string())),
            (Field::Set(set), Some(Value::Records(records))) => {
                for record in records {
                    add(&set.fields, record, &format!("{path}."), values);
                }
            }
            _ => {}
        }
    }
}
