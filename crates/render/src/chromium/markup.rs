//! A page as HTML for a browser: the same tree, each element marked with its number, nothing that runs or is fetched.

use crate::engine::document::{SEEN, shown};
use crate::engine::sheets::Sheets;
use page::{NodeId, NodeKind, Page};

/// The attribute that has an element's number.
pub(super) const MARK: &str = "data-pagemill";

/// A picture of one clear pixel: pictures that cannot be loaded are drawn as their text, whatever size they have.
const PIXEL: &str = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==";

/// What a browser makes the same tree of. Texts that something parted stay apart by comments.
pub(super) fn marked(page: &Page, mut sheets: Sheets) -> String {
    let mut html = String::with_capacity(page.source().len() * 2);
    if page.children(page.document()).any(|it| page.kind(it) == NodeKind::Doctype) {
        html.push_str("<!DOCTYPE html>");
    }
    let mut next = page.first_child(page.document());
    while let Some(node) = next {
        let is_open = start(&mut html, page, node, &mut sheets);
        next = page.first_child(node).filter(|_| is_open);
        if next.is_none() {
            if is_open {
                end(&mut html, page, node);
            }
            next = leave(&mut html, page, node);
        }
    }
    html
}

/// End the elements that a node was the last of; gives the node after them.
fn leave(html: &mut String, page: &Page, node: NodeId) -> Option<NodeId> {
    let mut node = node;
    loop {
        if let Some(next) = page.next_sibling(node) {
            return Some(next);
        }
        node = page.parent(node)?;
        end(html, page, node);
    }
}

/// Write a node; says whether it is open.
fn start(html: &mut String, page: &Page, node: NodeId, sheets: &mut Sheets) -> bool {
    match page.kind(node) {
        NodeKind::Text => escape(html, &page.text_content(node), false),
        NodeKind::Element => return element(html, page, node, sheets),
        NodeKind::Doctype => {}
        _ => html.push_str("<!---->"),
    }
    false
}

fn element(html: &mut String, page: &Page, node: NodeId, sheets: &mut Sheets) -> bool {
    let tag = page.tag(node).unwrap_or_default();
    let sheet = match tag {
        "style" => sheets.inside(page, node),
        "link" => sheets.linked(page, node),
        "script" | "noscript" | "template" | "iframe" | "base" | "meta" | "object" | "embed"
        | "frame" | "frameset" | "noframes" | "noembed" | "plaintext" => None,
        _ => {
            open(html, page, node, tag);
            return !is_void(tag);
        }
    };
    match sheet.filter(|css| !css.to_ascii_lowercase().contains("</style")) {
        Some(css) => {
            html.push_str("<style>");
            html.push_str(&css);
            html.push_str("</style>");
        }
        None => html.push_str("<!---->"),
    }
    false
}

fn open(html: &mut String, page: &Page, node: NodeId, tag: &str) {
    html.push('<');
    html.push_str(written(tag));
    for (name, value) in page.attrs(node).filter(|(name, _)| is_kept(name)) {
        html.push(' ');
        html.push_str(name);
        html.push_str("=\"");
        match (tag, name) {
            ("html" | "body", "style") => escape(html, &shown(value), true),
            _ => escape(html, value, true),
        }
        html.push('"');
    }
    if tag == "img" {
        html.push_str(&format!(" src=\"{PIXEL}\""));
    }
    html.push_str(&format!(" {MARK}=\"{}\">", node.index()));
    // The first line end in these is not theirs.
    if matches!(tag, "pre" | "textarea" | "listing" | "xmp") {
        html.push('\n');
    }
}

/// The text of `<xmp>` cannot be escaped; it looks as that of `<pre>`.
fn written(tag: &str) -> &str {
    if tag == "xmp" { "pre" } else { tag }
}

fn is_kept(name: &str) -> bool {
    let is_plain = |it: char| it.is_alphanumeric() || matches!(it, '-' | '_' | ':' | '.');
    let is_fetched = matches!(name, "src" | "srcset" | "srcdoc" | "data" | "poster" | "background");
    !is_fetched && !name.starts_with("on") && name != MARK && name.chars().all(is_plain)
}

fn end(html: &mut String, page: &Page, node: NodeId) {
    let Some(tag) = page.tag(node) else { return };
    if tag == "head" {
        html.push_str(&format!("<style>{SEEN}</style>"));
    }
    html.push_str("</");
    html.push_str(written(tag));
    html.push('>');
}

fn is_void(tag: &str) -> bool {
    matches!(
        tag,
        "area"
            | "base"
            | "basefont"
            | "bgsound"
            | "br"
            | "col"
            | "embed"
            | "frame"
            | "hr"
            | "img"
            | "input"
            | "keygen"
            | "link"
            | "meta"
            | "param"
            | "source"
            | "track"
            | "wbr"
    )
}

fn escape(html: &mut String, text: &str, is_attribute: bool) {
    for letter in text.chars() {
        match letter {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' if is_attribute => html.push_str("&quot;"),
            '\u{a0}' => html.push_str("&nbsp;"),
            '\0' => html.push('\u{fffd}'),
            _ => html.push(letter),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    fn check(html: &str, expected: Expect) {
        let page = page::parse(html.as_bytes());
        expected.assert_eq(&marked(&page, Sheets::new(&page, None, None)));
    }

    #[test]
    fn what_runs_or_is_fetched_is_gone_and_texts_stay_apart() {
        check(
            "<!doctype html><title>&lt;T</title><p onclick=x() title='a\"&lt;b' \"=3>a<!-- c -->b<script>x</script>c<br>
             <img src=x.png alt=i><pre>\n\nx</pre><style>a > b {}</style><link rel=stylesheet href=x.css>",
            expect![[r#"
                <!DOCTYPE html><html data-pagemill="2"><head data-pagemill="3"><title data-pagemill="4">&lt;T</title><style>html, body { visibility: visible !important; opacity: 1 !important }</style></head><body data-pagemill="6"><p title="a&quot;&lt;b" data-pagemill="7">a<!---->b<!---->c<br data-pagemill="14">
                             <img alt="i" src="data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==" data-pagemill="16"></p><pre data-pagemill="17">

                x</pre><style>a > b {}</style><!----></body></html>"#]],
        );
    }

    #[test]
    fn texts_of_raw_elements_are_not_markup() {
        check(
            "<xmp><b></xmp><textarea></b></textarea>",
            expect![[r#"
            <html data-pagemill="1"><head data-pagemill="2"><style>html, body { visibility: visible !important; opacity: 1 !important }</style></head><body data-pagemill="3"><pre data-pagemill="4">
            &lt;b&gt;</pre><textarea data-pagemill="6">
            &lt;/b&gt;</textarea></body></html>"#]],
        );
    }
}
