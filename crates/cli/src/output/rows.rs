//! Rows of texts as a table, fitted to the terminal.

use super::safe::safe;
use super::table::{GAP, Style, cut_end, width};
use std::io::{self, Write};
use unicode_width::UnicodeWidthStr;

/// Columns get what they need; where that is too much, the widest give way.
pub(crate) fn show(
    columns: &[String],
    rows: &[Vec<String>],
    out: &mut dyn Write,
) -> io::Result<()> {
    let clean = |cells: &[String]| -> Vec<String> {
        cells.iter().map(|cell| safe(cell).into_owned()).collect()
    };
    let (columns, rows): (_, Vec<_>) =
        (clean(columns), rows.iter().map(|row| clean(row)).collect());
    let widths = fit(width(), &columns, &rows);
    let Style { dim, plain, .. } = Style::new();
    writeln!(out, "{dim}{}{plain}", line(&columns, &widths))?;
    rows.iter().try_for_each(|row| writeln!(out, "{}", line(row, &widths)))
}

fn fit(width: usize, columns: &[String], rows: &[Vec<String>]) -> Vec<usize> {
    let wanted = |(idx, name): (usize, &String)| {
        rows.iter()
            .filter_map(|row| row.get(idx))
            .map(|cell| cell.width())
            .fold(name.width(), usize::max)
    };
    let mut widths: Vec<usize> = columns.iter().enumerate().map(wanted).collect();
    let gaps = GAP.len() * widths.len().saturating_sub(1);
    while widths.iter().sum::<usize>() + gaps > width {
        match widths.iter_mut().max().filter(|widest| **widest > 4) {
            Some(widest) => *widest -= 1,
            None => break,
        }
    }
    widths
}

fn line(cells: &[String], widths: &[usize]) -> String {
    let padded = |(cell, width): (&String, &usize)| {
        let cell = cut_end(cell.clone(), *width);
        format!("{cell}{:n$}", "", n = width.saturating_sub(cell.width()))
    };
    let cells: Vec<String> = cells.iter().zip(widths).map(padded).collect();
    cells.join(GAP).trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_widest_column_gives_way() {
        let texts =
            |all: &[&str]| all.iter().map(|text| (*text).to_owned()).collect::<Vec<String>>();
        let rows = [texts(&["Ann", &"x".repeat(50)])];
        assert_eq!(fit(30, &texts(&["name", "title"]), &rows), [4, 24]);
        assert_eq!(line(&rows[0], &[4, 8]), "Ann   xxxxxxx…");
    }
}
