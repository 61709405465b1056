//! The style sheets of a page, as texts that can be nothing else.

use crate::beside::Place;
use pagemill::page::{NodeId, Page};

/// As many bytes of style sheets as a view may have.
const MAX_BYTES: usize = 4 << 20;

/// As deep as sheets may import each other.
const MAX_DEPTH: usize = 4;

/// Those in the page and those it links to, in their order, each after what it imports.
pub(super) fn of(page: &Page, place: &Place<'_>) -> Vec<String> {
    let mut sheets = Vec::new();
    let mut n_left = MAX_BYTES;
    for node in page.descendants(page.document()) {
        let media = page.attr(node, "media");
        match page.tag(node) {
            Some("style") => {
                add(&mut sheets, &mut n_left, place, page.text_content(node), media, 0)
            }
            Some("link") => {
                let Some(href) = linked(page, node) else { continue };
                let Some((css, within)) = place.sheet(href) else { continue };
                add(&mut sheets, &mut n_left, &within, css, media, 0);
            }
            _ => {}
        }
    }
    sheets
}

/// Add a sheet. Recursion is bounded by how deep sheets may import each other, its width by their bytes.
fn add(
    sheets: &mut Vec<String>,
    n_left: &mut usize,
    place: &Place<'_>,
    css: String,
    media: Option<&str>,
    depth: usize,
) {
    let Some(rest) = n_left.checked_sub(css.len().max(1)) else { return };
    *n_left = rest;
    for href in imports(&css).into_iter().filter(|_| depth < MAX_DEPTH) {
        if let Some((imported, within)) = place.sheet(href) {
            add(sheets, n_left, &within, imported, media, depth + 1);
        }
    }
    sheets.push(within(media, &harmless(&css)));
}

/// What a sheet begins with importing: `@import "a.css";`, `@import url(a.css) screen;`
fn imports(css: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = skip_blanks(css);
    loop {
        let is =
            |word: &str| rest.get(..word.len()).is_some_and(|it| it.eq_ignore_ascii_case(word));
        let is_import = is("@import");
        if !is_import && !is("@charset") {
            return found;
        }
        let Some((statement, after)) = rest.split_once(';') else { return found };
        rest = skip_blanks(after);
        let target = statement.get("@import".len()..).unwrap_or_default().trim();
        let target = target
            .strip_prefix("url(")
            .and_then(|it| it.split(')').next())
            .unwrap_or(target)
            .trim();
        let quoted = |mark: char| target.strip_prefix(mark).and_then(|it| it.split(mark).next());
        let target = quoted('"').or_else(|| quoted('\'')).unwrap_or(target);
        found.extend(Some(target).filter(|_| is_import));
    }
}

fn skip_blanks(css: &str) -> &str {
    let mut rest = css.trim_start();
    while let Some(comment) = rest.strip_prefix("/*") {
        rest = comment.split_once("*/").map_or("", |(_, after)| after).trim_start();
    }
    rest
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

#[cfg(test)]
mod tests {
    use super::imports;

    #[test]
    fn imports_stand_first() {
        let css = "/* a */ @charset 'utf-8'; @import 'a.css'; @IMPORT url( \"b.css\" ) screen;\n@import url(c.css);p{} @import 'd.css';";
        assert_eq!(imports(css), ["a.css", "b.css", "c.css"]);
        assert_eq!(imports("p{}"), [""; 0]);
        assert_eq!(imports("@import"), [""; 0]);
    }
}
