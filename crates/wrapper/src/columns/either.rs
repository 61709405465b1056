//! Disjunctions: fields of which every page or record shows exactly one.

use crate::data::Data;
use crate::schema::Field;
use std::collections::BTreeMap;

/// Larger tables are of no template.
const MAX_CELLS: usize = 5_000_000;
/// Fewer rows on one side may be chance.
const MIN_ROWS: usize = 2;

/// Branches that exclude each other and leave no row without: each a list of fields that come together.
pub(super) fn find(fields: &[Field], data: &[Data]) -> Vec<Vec<Vec<String>>> {
    if fields.len() * data.len() > MAX_CELLS {
        return Vec::new();
    }
    let mut branches: BTreeMap<Vec<bool>, Vec<String>> = BTreeMap::new();
    let mut order: Vec<Vec<bool>> = Vec::new();
    for field in fields.iter().filter(|field| field.is_data() && field.density() < 1000) {
        let shown: Vec<bool> = data.iter().map(|row| row.contains_key(field.name())).collect();
        let n_shown = shown.iter().filter(|it| **it).count();
        if n_shown < MIN_ROWS || data.len() - n_shown < MIN_ROWS {
            continue;
        }
        let branch = branches.entry(shown.clone()).or_default();
        if branch.is_empty() {
            order.push(shown);
        }
        branch.push(field.name().to_owned());
    }
    let mut found = Vec::new();
    for shown in order {
        let others: Vec<bool> = shown.iter().map(|it| !it).collect();
        if let Some(other) = branches.get(&others).cloned()
            && let Some(branch) = branches.remove(&shown)
        {
            branches.remove(&others);
            found.push(vec![branch, other]);
        }
    }
    found
}
