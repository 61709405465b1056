//! Pages: of a plain site, and of traps.

use std::fmt::Write;

/// Words for titles, so that pages differ.
const WORDS: [&str; 16] = [
    "amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "heron", "islet", "junco",
    "kelp", "lemon", "maple", "nacre", "ochre", "pearl",
];

/// One page of a site of so many: a tree of links, each page with two below it and the way up.
pub(super) fn page(n_pages: u64, number: u64) -> String {
    tree("site", 0, n_pages, number)
}

/// The same in words that are the host's own.
pub(super) fn own(host: &str, n_pages: u64, number: u64) -> String {
    let salt = host.bytes().fold(7, |salt: u64, byte| mix(salt << 8 | u64::from(byte)) >> 20);
    tree("own", salt << 20, n_pages, number)
}

fn tree(folder: &str, salt: u64, n_pages: u64, number: u64) -> String {
    let mut page = format!("<title>{0}</title><h1>{0}</h1><p>", title(salt + number));
    for word in 0..60 {
        let _ = write!(page, "{} ", WORDS[(mix((salt + number) << 8 | word) % 16) as usize]);
    }
    let links = [number.saturating_sub(1) / 2, 2 * number + 1, 2 * number + 2];
    for link in links.into_iter().filter(|link| *link < n_pages) {
        let _ = write!(page, "<li><a href=/{folder}/{n_pages}/{link}>{}</a>", title(salt + link));
    }
    page
}

/// One of sixty pages below the same menu; each fourth says nearly what the one before it says.
pub(super) fn alike(number: u64) -> String {
    let menu: String = WORDS.iter().map(|word| format!("<li>{word} and more of {word}")).collect();
    let text = if number % 4 == 3 { number - 1 } else { number };
    let words: Vec<&str> =
        (0..80).map(|word| WORDS[(mix(text << 8 | word) % 16) as usize]).collect();
    let links = [2 * number + 1, 2 * number + 2].into_iter().filter(|link| *link < 60);
    let links: String = links.map(|link| format!("<a href=/alike/{link}>{link}</a> ")).collect();
    format!("<title>{0}</title><ul>{menu}</ul><p>{1}<p>{links}", title(text), words.join(" "))
}

/// One of twelve pages that all lead to each other, in a version.
pub(super) fn versioned(number: u64, version: u64) -> String {
    let mut page = format!("<title>{0}</title><h1>{0}</h1><p>", title(number));
    for word in 0..60 {
        let _ =
            write!(page, "{} ", WORDS[(mix((version << 20) | (number << 8) | word) % 16) as usize]);
    }
    let links = (0..12).map(|link| format!("<li><a href=/versioned/{link}>{}</a>", title(link)));
    page + &links.collect::<String>()
}

/// A map of a site of a hundred.
pub(super) fn map(host: &str, port: u16) -> String {
    let pages =
        (0..100).map(|k| format!("<url><loc>http://{host}:{port}/site/100/{k}</loc></url>"));
    format!("<urlset>{}</urlset>", pages.collect::<String>())
}

/// A month, and the way to those beside it, for ever.
pub(super) fn calendar(year: u64, month: u64) -> String {
    let (year, month) = (year.clamp(1, 99_999), month.clamp(1, 12));
    let after = if month == 12 { (year + 1, 1) } else { (year, month + 1) };
    let before = if month == 1 { (year.max(2) - 1, 12) } else { (year, month - 1) };
    let days: String = (1..=28).map(|day| format!("<td>{day}")).collect();
    format!(
        "<title>{year}-{month}</title><p>No events<table><tr>{days}</table>\
         <a href=/calendar/{}/{}>before</a> <a href=/calendar/{}/{}>after</a>",
        before.0, before.1, after.0, after.1
    )
}

/// Links that make the path longer.
pub(super) fn grow() -> String {
    "<title>Grow</title><p>The same<p><a href=more/>more</a> <a href=other/>other</a>".to_owned()
}

/// The same few pages, each time with another session.
pub(super) fn session(number: u64, session: u64) -> String {
    let links = (1..=5).map(|it| {
        let sid = format!("{:016x}{:016x}", mix(session << 8 | it), mix(session));
        format!("<li><a href='/session/{it}?sid={sid}'>Page {it}</a>")
    });
    format!("<title>Session</title><p>Page {number}{}", links.collect::<String>())
}

/// Filters on top of filters.
pub(super) fn facets(query: &str) -> String {
    let links =
        WORDS.iter().map(|word| format!("<li><a href='/facets?{query}&{word}=1'>{word}</a>"));
    format!("<title>Facets</title><p>Nothing found{}", links.collect::<String>())
}

fn title(number: u64) -> String {
    let word = |shift: u32| WORDS[(mix(number) >> shift & 15) as usize];
    format!("{} {} {number}", word(0), word(4))
}

fn mix(number: u64) -> u64 {
    let number = number.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (number ^ number >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 7
}
