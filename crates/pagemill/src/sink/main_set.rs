//! Which records are the rows of a flat table.

use super::layout::sets;
use std::cmp::Reverse;
use wrapper::{Field, Schema, Set};

/// The set whose records are the rows of a CSV file; none where a page is a row.
///
/// The heaviest set of the page, by columns times records, is taken if one of its records fills at least half as many
/// cells as the page does beside its sets. A list of products with a heading is about its products, even if header and
/// footer add a dozen columns; a product with reviews and links is about itself. Cells are counted as they are filled:
/// a column that half of the pages have is half a cell. How many records a page has would tell more, but a schema
/// does not know how many pages it was learnt from.
///
/// ```
/// use pagemill::{input, learn, sink};
///
/// let pages = input::pages(["../../corpus/bookshop/list/pages"]).map(|page| page.map(|page| page.parse()));
/// let learnt = learn(pages.collect::<Result<_, _>>()?, &Default::default())?;
/// assert_eq!(sink::main_set(learnt.schema()), Some("book_items"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn main_set(schema: &Schema) -> Option<&str> {
    let heaviest = heaviest_set(&schema.fields)?;
    (n_cells(&heaviest.fields) >= n_cells(&schema.fields) / 2).then_some(&heaviest.name)
}

/// The set with the most cells, by columns times records; of equally heavy ones the first.
pub(super) fn heaviest_set(fields: &[Field]) -> Option<&Set> {
    let weight = |set: &Set| n_columns(&set.fields).saturating_mul(set.n_records);
    let sets = sets(fields).enumerate();
    sets.max_by_key(|(index, set)| (weight(set), Reverse(*index))).map(|(_, set)| set)
}

/// Columns that hold data, those of inner sets included.
fn n_columns(fields: &[Field]) -> usize {
    fields
        .iter()
        .map(|field| match field {
            Field::Column(_) => usize::from(field.is_data()),
            Field::Set(set) => n_columns(&set.fields),
        })
        .sum()
}

/// How many cells one page or record fills, in thousandths, sets aside.
fn n_cells(fields: &[Field]) -> u32 {
    fields
        .iter()
        .map(|field| match field {
            Field::Column(column) if field.is_data() => column.density,
            _ => 0,
        })
        .fold(0, u32::saturating_add)
}
