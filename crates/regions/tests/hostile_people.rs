//! Pages that are made to hurt: people and units end in bounded time, whatever comes.

use regions::{Config, people, units};
use std::fmt::Write;
use std::time::{Duration, Instant};

/// A page of a megabyte takes milliseconds; what is not linear takes minutes.
const LIMIT: Duration = Duration::from_secs(20);

fn check(html: &str) -> (usize, usize) {
    let started = Instant::now();
    let page = page::parse(html.as_bytes());
    let config = Config::default();
    let found = (people(&page, &config).len(), units(&page, &config).len());
    assert!(started.elapsed() < LIMIT, "{:?} for {} bytes", started.elapsed(), html.len());
    found
}

#[test]
fn long_lists() {
    let mut html = String::from("<ul>");
    for nth in 0..20_000 {
        write!(html, "<li><a href=/{nth}>Anna Berg{}</a><p>Professor of Physics</p>", word(nth))
            .unwrap();
    }
    assert_eq!(check(&html).0, 20_000);
}

/// A word for a number, in letters.
fn word(number: usize) -> String {
    (0..4)
        .map(|digit| char::from(b'a' + u8::try_from(number / 26_usize.pow(digit) % 26).unwrap()))
        .collect()
}

#[test]
fn deep_and_wide() {
    check(&"<div>Anna Berg".repeat(40_000));
    check(&format!("<table><tr>{}", "<td>Anna Berg<td>Professor".repeat(20_000)));
    check(&"<b>Anna <i>Berg".repeat(20_000));
    check(&format!("<p>{}", "<span>Anna</span> <span>Berg</span>, ".repeat(20_000)));
    check(&format!("<ul>{}", "<li>Department of Physics <a href=#>x</a>".repeat(20_000)));
}

#[test]
fn endless_texts() {
    check(&format!("<p>{}", "Anna Berg, ".repeat(200_000)));
    check(&format!("<p>{}", "A. ".repeat(300_000)));
    check(&format!("<p>{}", "Anna@".repeat(200_000)));
    check(&format!("<p>{}", "[at]".repeat(200_000)));
    check(&format!("<p>Anna{}", "'".repeat(1_000_000)));
    check(&format!("<p>{}", "van der ".repeat(100_000)));
    check(&"<p>Dr. ".repeat(100_000));
    check(&format!("<p>{}", "王".repeat(300_000)));
    check(&"<p>eva [at] example [dot] ".repeat(50_000));
}

#[test]
fn odd_characters() {
    for html in [
        "<p>\u{202e}greB annA",
        "<p>\0Anna\0Berg",
        "<p>A\u{300}\u{300}\u{300}nna Berg",
        "<p>’’’",
        "<p>.,.,.",
        "<p>\u{feff}",
        "<p>(((",
        "<p>Anna (",
        "<p>Anna \"",
        "<p>,Anna",
        "<p>Anna,",
        "<p>Dr.",
        "<p>Prof. Dr. Dr. h.c. mult.",
        "<p>1. ",
        "<p>12) Anna Berg",
    ] {
        check(html);
    }
}
