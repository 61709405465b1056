//! Pages of any size, the same in every run: a list of records, an attribute table, sets in sets, or all three.

use std::fmt::Write;

/// What a page is made of.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    Records,
    Attributes,
    Nested,
    All,
}

impl Kind {
    pub(crate) const ALL: [Kind; 4] = [Kind::Records, Kind::Attributes, Kind::Nested, Kind::All];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Records => "records",
            Kind::Attributes => "attributes",
            Kind::Nested => "sets in sets",
            Kind::All => "all three",
        }
    }
}

/// The HTML of the `number`-th page of a site, with about as many leaves as wanted.
pub(crate) fn page(kind: Kind, n_leaves: usize, number: usize) -> String {
    let mut html = format!("<title>Shop</title><h1>{} {number}</h1>", word(number));
    // Pages of one template differ a little in length.
    let n_leaves = n_leaves - n_leaves * number / 50;
    match kind {
        Kind::Records => records(&mut html, n_leaves, number),
        Kind::Attributes => attributes(&mut html, n_leaves, number),
        Kind::Nested => nested(&mut html, n_leaves, number),
        Kind::All => {
            records(&mut html, n_leaves / 3, number);
            attributes(&mut html, n_leaves / 3, number);
            nested(&mut html, n_leaves / 3, number);
        }
    }
    html
}

/// Four leaves a record, and a fifth in every third.
fn records(html: &mut String, n_leaves: usize, number: usize) {
    html.push_str("<ul class=books>");
    for n in 0..n_leaves * 3 / 13 {
        let id = number * 100_000 + n;
        let _ = write!(
            html,
            "<li><img src={id}.png alt=Cover><a href=\"/books/fiction/{0}-{id}.html\">{0} {1}</a><i>{2}</i>",
            word(id),
            word(id + 1),
            word(id * 3)
        );
        if n % 3 == 0 {
            html.push_str("<em>Sale</em>");
        }
        let _ = write!(html, "<b>${}.{:02}</b>", id % 90, id % 100);
    }
    html.push_str("</ul>");
}

/// A label and a value in each row. One row in ten is missing, another on each page, and no two pages begin with the same.
fn attributes(html: &mut String, n_leaves: usize, number: usize) {
    html.push_str("<table class=facts>");
    let n_rows = n_leaves * 5 / 9;
    for n in 0..n_rows {
        let row = (n + number * 7) % n_rows;
        if row % 10 != number % 10 {
            let _ = write!(html, "<tr><th>{}<td>{} {row}", word(row), word(row * 5 + number));
        }
    }
    html.push_str("</table>");
}

/// Sections of a heading and two to eight items of two leaves each.
fn nested(html: &mut String, n_leaves: usize, number: usize) {
    html.push_str("<div class=chapters>");
    for n in 0..n_leaves / 11 {
        let id = number * 100_000 + n;
        let _ = write!(html, "<section><h2>{}</h2><ul>", word(id));
        for item in 0..2 + (n * 5) % 7 {
            let _ = write!(
                html,
                "<li><a href=\"/books/fiction/{0}-{id}-{item}.html\">{0}</a><i>{n}</i></li>",
                word(id * 8 + item)
            );
        }
        html.push_str("</ul></section>");
    }
    html.push_str("</div>");
}

/// A made-up word; each number below 12 million has its own.
fn word(number: usize) -> String {
    const N_WORDS: usize = 26_usize.pow(5);
    // Any factor without a divisor in common with the number of words scatters neighbours and keeps all apart.
    let mut rest = number * 2_654_435 % N_WORDS;
    let mut word = String::new();
    for _ in 0..5 {
        word.extend(char::from_digit((rest % 26) as u32 + 10, 36));
        rest /= 26;
    }
    word
}
