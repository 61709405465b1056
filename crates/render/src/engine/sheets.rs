//! The style sheets of a page: those in it, those it links to, and those that they import.
//!
//! All become text of `<style>` elements. Imports are put in place here, because what is imported from where is the
//! caller's to say, and media queries of elements are written around the text, because the engine does not ask for them.

use super::Fetch;
use blitz_traits::net::Url;
use page::{NodeId, Page};

/// As many bytes of style sheets as a page may bring.
const MAX_BYTES: usize = 8 << 20;
/// As deep as sheets may import each other.
const MAX_DEPTH: usize = 5;
/// Where a page is that comes from nowhere.
const NOWHERE: &str = "http://page.invalid/";

pub(crate) struct Sheets {
    base: Url,
    fetch: Option<Fetch>,
    bytes_left: usize,
}

impl Sheets {
    pub(crate) fn new(page: &Page, url: Option<&str>, fetch: Option<Fetch>) -> Sheets {
        Sheets { base: base(page, url), fetch, bytes_left: MAX_BYTES }
    }

    pub(crate) fn base(&self) -> &Url {
        &self.base
    }

    /// What a `<style>` element has.
    pub(crate) fn inside(&mut self, page: &Page, element: NodeId) -> Option<String> {
        let kind = page.attr(element, "type").unwrap_or_default().trim();
        if !kind.is_empty() && !kind.eq_ignore_ascii_case("text/css") {
            return None;
        }
        let css = page.text_content(element);
        self.bytes_left = self.bytes_left.checked_sub(css.len())?;
        let base = self.base.clone();
        Some(within(page.attr(element, "media"), self.expand(&css, &base, 0)))
    }

    /// What a `<link>` leads to, if it is a style sheet that applies and is at hand.
    pub(crate) fn linked(&mut self, page: &Page, element: NodeId) -> Option<String> {
        let rel = page.attr(element, "rel")?;
        let is = |word: &str| rel.split_ascii_whitespace().any(|it| it.eq_ignore_ascii_case(word));
        if !is("stylesheet") || is("alternate") || page.attr(element, "disabled").is_some() {
            return None;
        }
        let url = self.base.join(page.attr(element, "href")?.trim()).ok()?;
        let css = self.load(&url)?;
        Some(within(page.attr(element, "media"), self.expand(&css, &url, 0)))
    }

    fn load(&mut self, url: &Url) -> Option<String> {
        let bytes = self.fetch.as_ref()?(url.as_str())?;
        self.bytes_left = self.bytes_left.checked_sub(bytes.len())?;
        let css = String::from_utf8_lossy(&bytes);
        Some(css.trim_start_matches('\u{feff}').to_owned())
    }

    /// The sheet with what it imports in the place of its imports.
    fn expand(&mut self, css: &str, base: &Url, depth: usize) -> String {
        let mut expanded = String::new();
        let mut rest = css;
        while let Some((statement, after)) = leading_statement(rest) {
            rest = after;
            if let Some(import) = Import::of(statement)
                && depth < MAX_DEPTH
                && let Ok(url) = base.join(import.target)
                && let Some(imported) = self.load(&url)
            {
                let imported = self.expand(&imported, &url, depth + 1);
                expanded += &within(Some(import.media), imported);
                expanded.push('\n');
            }
        }
        expanded + rest
    }
}

/// Where links start from: the page's `<base>`, or the page.
fn base(page: &Page, url: Option<&str>) -> Url {
    let nowhere = || Url::parse(NOWHERE).expect("it is one");
    let place = url.and_then(|url| Url::parse(url).ok());
    let place = place.filter(|url| !url.cannot_be_a_base()).unwrap_or_else(nowhere);
    let href = page.find(page.document(), "base").and_then(|it| page.attr(it, "href"));
    match href.and_then(|href| place.join(href.trim()).ok()) {
        Some(base) if !base.cannot_be_a_base() => base,
        _ => place,
    }
}

/// A sheet for some media.
fn within(media: Option<&str>, css: String) -> String {
    let media = media.unwrap_or_default().trim();
    let is_plain = |it: char| !matches!(it, '{' | '}' | ';');
    match media {
        "" | "all" | "screen" => css,
        media if media.chars().all(is_plain) => format!("@media {media} {{\n{css}\n}}"),
        _ => String::new(),
    }
}

/// The `@import` or `@charset` that a sheet starts with, and what follows. Further down they would mean nothing.
fn leading_statement(css: &str) -> Option<(&str, &str)> {
    let css = skip_blanks(css);
    let starts_with =
        |word: &str| css.get(..word.len()).is_some_and(|it| it.eq_ignore_ascii_case(word));
    if !starts_with("@import") && !starts_with("@charset") {
        return None;
    }
    let mut quote = None;
    let mut is_in_url = false;
    for (place, byte) in css.bytes().enumerate() {
        match (byte, quote) {
            (_, Some(open)) if byte == open => quote = None,
            (b'"' | b'\'', None) => quote = Some(byte),
            (b'(', None) => is_in_url = true,
            (b')', None) => is_in_url = false,
            (b';', None) if !is_in_url => return Some((&css[..place], &css[place + 1..])),
            (b'{' | b'}', None) => return None,
            _ => {}
        }
    }
    Some((css, ""))
}

fn skip_blanks(css: &str) -> &str {
    let mut rest = css.trim_start();
    loop {
        let after = match rest.strip_prefix("/*") {
            Some(comment) => comment.split_once("*/").map_or("", |(_, after)| after),
            None => match rest.strip_prefix("<!--") {
                Some(after) => after,
                None => return rest,
            },
        };
        rest = after.trim_start();
    }
}

struct Import<'a> {
    target: &'a str,
    media: &'a str,
}

impl<'a> Import<'a> {
    fn of(statement: &'a str) -> Option<Import<'a>> {
        let rest = statement.get("@import".len()..)?.trim_start();
        if !statement.get(..7)?.eq_ignore_ascii_case("@import") {
            return None;
        }
        let (target, media) = match rest.as_bytes().first()? {
            b'"' => rest[1..].split_once('"')?,
            b'\'' => rest[1..].split_once('\'')?,
            _ if rest.get(..4)?.eq_ignore_ascii_case("url(") => rest[4..].split_once(')')?,
            _ => return None,
        };
        let media = media.trim();
        // Layers and conditions are rare, and their rules would apply at the wrong place or time.
        let is_conditional = media.contains("layer") || media.contains("supports");
        let target = target.trim().trim_matches(['"', '\'']);
        (!is_conditional).then_some(Import { target, media })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};
    use std::sync::Arc;

    fn check(html: &str, expected: Expect) {
        let page = page::parse(html.as_bytes());
        let fetch: Fetch = Arc::new(|url| {
            let css = match url {
                "http://a.example/css/main.css" => "@import 'more.css' print; main {}",
                "http://a.example/css/more.css" => "\u{feff}@import url(main.css);more {}",
                "http://a.example/x.css" => "x {}",
                _ => return None,
            };
            Some(css.as_bytes().to_vec())
        });
        let mut sheets = Sheets::new(&page, Some("http://a.example/b/c.html"), Some(fetch));
        let mut found = String::new();
        for node in page.descendants(page.document()) {
            let sheet = match page.tag(node) {
                Some("style") => sheets.inside(&page, node),
                Some("link") => sheets.linked(&page, node),
                _ => continue,
            };
            found += &format!("{sheet:?}\n");
        }
        expected.assert_eq(&found);
    }

    #[test]
    fn sheets_of_a_page() {
        check(
            "<link rel=stylesheet href=/x.css media='(min-width: 9px)'><link rel='alternate stylesheet' href=/x.css>
             <link rel=stylesheet href=/none.css><link rel=icon href=/x.css><link rel=stylesheet href='http://['>
             <style>@charset 'x;y'; /* a */ @import \"/x.css\"; b {} @import '/x.css';</style>
             <style type=text/less>c {}</style><style media=print>d {}</style><style media='x{}'>e {}</style>",
            expect![[r#"
                Some("@media (min-width: 9px) {\nx {}\n}")
                None
                None
                None
                None
                Some("x {}\n b {} @import '/x.css';")
                None
                Some("@media print {\nd {}\n}")
                Some("")
            "#]],
        );
    }

    #[test]
    fn sheets_that_import_each_other_come_to_an_end() {
        let page = page::parse(b"<base href=/css/><link rel=STYLESHEET href=main.css>");
        let fetch: Fetch =
            Arc::new(|_| Some(b"@import 'main.css'; @import 'main.css'; a {}".to_vec()));
        let mut sheets = Sheets::new(&page, Some("http://a.example/"), Some(fetch));
        let link = page.find(page.document(), "link").expect("it is there");
        let css = sheets.linked(&page, link).expect("it is a sheet");
        assert_eq!(css.matches("a {}").count(), 63);
    }
}
