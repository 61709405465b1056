//! The style sheets of a page, as texts that can be nothing else.

use crate::beside::Place;
use pagemill::page::{NodeId, Page};

/// As many bytes of style sheets as a view may have.
const MAX_BYTES: usize = 4 << 20;

/// Those in the page and those it links to, in their order.
pub(super) fn of(page: &Page, place: &Place<'_>) -> Vec<String> {
    let mut sheets = Vec::new();
    let mut n_left = MAX_BYTES;
    for node in page.descendants(page.document()) {
        let css = match page.tag(node) {
            Some("style") => Some(page.text_content(node)),
            Some("link") => linked(page, node).and_then(|href| place.sheet(href)),
            _ => None,
        };
        let Some(css) = css else { continue };
        let Some(rest) = n_left.checked_sub(css.len()) else { break };
        n_left = rest;
        sheets.push(within(page.attr(node, "media"), &harmless(&css)));
    }
    sheets
}

fn linked(page: &Page, node: NodeId) -> Option<&str> {
    let rel = page.attr(node, "rel")?;
    let is = |word: &str| rel.split_ascii_whitespace().any(|it| it.eq_ignore_ascii_case(word));
    if !is("stylesheet") || is("alternate") || page.attr(node, "disabled").is_some() {
        return None;
    }
    page.attr(node, "href")
}

/// A sheet for some media.
fn within(media: Option<&str>, css: &str) -> String {
    let media = media.unwrap_or_default().trim();
    let is_plain = |it: char| !matches!(it, '{' | '}' | ';' | '<' | '\\');
    match media {
        "" | "all" | "screen" => css.to_owned(),
        media if media.chars().all(is_plain) => format!("@media {media} {{\n{css}\n}}"),
        _ => String::new(),
    }
}

/// A sheet that ends where it ends: no `<` in it could begin a tag, and `<` before a number is still less than.
fn harmless(css: &str) -> String {
    let mut clean = String::with_capacity(css.len());
    let mut letters = css.chars().peekable();
    while let Some(letter) = letters.next() {
        let begins_tag =
            |next: &char| next.is_ascii_alphabetic() || matches!(next, '/' | '!' | '?');
        match letter {
            '<' if letters.peek().is_some_and(begins_tag) => clean.push_str("\\3c "),
            '\0' => clean.push('\u{fffd}'),
            _ => clean.push(letter),
        }
    }
    clean
}
