//! The values of a page by the paths of their columns; records in any order.

use serde_json::Value as Json;
use wrapper::{Data, Field, Schema};

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

    pub(crate) fn n_common(&self, other: &Values) -> usize {
        let (mut i, mut j, mut n) = (0, 0, 0);
        while i < self.0.len() && j < other.0.len() {
            match self.0[i].cmp(&other.0[j]) {
                std::cmp::Ordering::Less => i += 1,
                std::cmp::Ordering::Greater => j += 1,
                std::cmp::Ordering::Equal => (i, j, n) = (i + 1, j + 1, n + 1),
            }
        }
        n
    }
}

fn add(fields: &[Field], data: &Data, within: &str, values: &mut Vec<(String, String)>) {
    for field in fields.iter().filter(|field| field.is_data()) {
        let path = format!("{within}{}", field.name());
        match (field, data.get(field.name())) {
            (Field::Column(_), Some(Json::String(text))) => values.push((path, text.clone())),
            (Field::Set(set), Some(Json::Array(records))) => {
                for record in records.iter().filter_map(Json::as_object) {
                    add(&set.fields, record, &format!("{path}."), values);
                }
            }
            _ => {}
        }
    }
}
