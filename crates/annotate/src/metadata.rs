//! What a page says about itself to machines: `<meta>` (OpenGraph, Dublin Core, …), JSON-LD.
//!
//! Microdata stands on the elements that people see, and is seen there: its properties are words of the element, as classes
//! are. Nobody checks what a page tells machines, so it is evidence among other evidence.

use crate::text::{Map, parts, trim};
use page::{NodeId, NodeKind, Page, Span};
use serde_json::Value;

/// More statements than this are a catalogue, not a description of the page.
const MAX_ITEMS: usize = 400;
/// Longer texts are no values.
const MAX_CHARS: usize = 400;
/// Scripts that are longer hold the whole site.
const MAX_SCRIPT: usize = 1 << 20;
/// Statements are nested no deeper.
const MAX_DEPTH: usize = 8;

/// One statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Item {
    /// Who says it and what of: `meta:og:title`, `ld:author.name`.
    pub(crate) key: String,
    pub(crate) text: String,
    /// The element that says it.
    pub(crate) element: NodeId,
    /// The attribute, or the whole script.
    pub(crate) span: Span,
}

/// All statements of a page, in order.
pub(crate) fn items(page: &Page) -> Vec<Item> {
    let mut items = Vec::new();
    let Some(root) = page.find(page.document(), "html") else { return items };
    for node in page.descendants(root) {
        if items.len() >= MAX_ITEMS {
            break;
        }
        match page.tag(node) {
            Some("meta") => meta(page, node, &mut items),
            Some("title") if page.parent(node).is_some_and(|it| page.tag(it) == Some("head")) => {
                title(page, node, &mut items);
            }
            Some("script") => script(page, node, &mut items),
            _ => {}
        }
    }
    items
}

/// The title of the window, and the parts of it: mostly that of the page, and the name of the site.
fn title(page: &Page, node: NodeId, items: &mut Vec<Item>) {
    let text = page.text_content(node);
    let piece = page.children(node).find_map(|it| page.text_pieces(it).next().map(|it| it.1));
    let span = piece.unwrap_or_default();
    push(items, "title".to_owned(), &text, node, span);
    let parts: Vec<&str> = parts(&text).collect();
    if let [first, .., last] = parts.as_slice() {
        push(items, "title:first".to_owned(), first, node, span);
        push(items, "title:last".to_owned(), last, node, span);
        let start = text.trim_end().len() - last.len();
        let most = text.get(..start).unwrap_or_default();
        push(items, "title:but last".to_owned(), trim(most), node, span);
    }
}

fn meta(page: &Page, node: NodeId, items: &mut Vec<Item>) {
    let name = ["property", "name", "itemprop"].iter().find_map(|name| page.attr(node, name));
    // Some archives of pages write `value` for `content`.
    let attribute = ["content", "value"].into_iter().find(|it| page.attr(node, it).is_some());
    let (Some(name), Some(attribute)) = (name, attribute) else { return };
    let content = page.attr(node, attribute).unwrap_or_default();
    let span = page.attr_span(node, attribute).unwrap_or_default();
    let key = format!("meta:{}", name.trim().to_lowercase());
    push(items, key, content, node, span);
}

fn script(page: &Page, node: NodeId, items: &mut Vec<Item>) {
    let is_ld = page
        .attr(node, "type")
        .is_some_and(|it| it.trim().eq_ignore_ascii_case("application/ld+json"));
    if !is_ld {
        return;
    }
    let Some(text) = page.children(node).find(|it| page.kind(*it) == NodeKind::Text) else {
        return;
    };
    let (content, span) = (page.text_content(node), page.text_pieces(text).next().map(|it| it.1));
    if content.len() > MAX_SCRIPT {
        return;
    }
    let Some(value) = read(&content) else { return };
    let ids = ids(&value);
    let mut walk = Walk { ids, items, element: node, span: span.unwrap_or_default() };
    walk.value(&value, &mut Vec::new(), 0);
}

/// JSON as pages have it: with line ends inside texts, and comments around all.
fn read(content: &str) -> Option<Value> {
    if let Ok(value) = serde_json::from_str(content) {
        return Some(value);
    }
    let plain: String = content.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let start = plain.find(['{', '['])?;
    let end = plain.rfind(['}', ']'])?;
    serde_json::from_str(plain.get(start..=end)?).ok()
}

/// The objects that others refer to by `@id`.
fn ids(value: &Value) -> Map<&str, &Value> {
    let mut ids = Map::default();
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match value {
            Value::Array(values) => open.extend(values),
            Value::Object(object) => {
                if let (Some(Value::String(id)), true) = (object.get("@id"), object.len() > 1) {
                    ids.entry(id.as_str()).or_insert(value);
                }
                open.extend(object.get("@graph"));
            }
            _ => {}
        }
    }
    ids
}

struct Walk<'v, 'i> {
    ids: Map<&'v str, &'v Value>,
    items: &'i mut Vec<Item>,
    element: NodeId,
    span: Span,
}

impl<'v> Walk<'v, '_> {
    fn value(&mut self, value: &'v Value, path: &mut Vec<&'v str>, depth: usize) {
        if depth > MAX_DEPTH || self.items.len() >= MAX_ITEMS {
            return;
        }
        match value {
            Value::Array(values) => values.iter().for_each(|it| self.value(it, path, depth + 1)),
            Value::Object(object) => {
                let id = object.get("@id").and_then(Value::as_str).filter(|_| object.len() == 1);
                if let Some(id) = id {
                    let known = self.ids.get(id);
                    if let Some(name) = known.and_then(|it| it.get("name")) {
                        path.push("name");
                        self.value(name, path, depth + 1);
                        path.pop();
                    }
                    return;
                }
                for (key, value) in object.iter().filter(|(key, _)| !key.starts_with("@")) {
                    path.push(key);
                    self.value(value, path, depth + 1);
                    path.pop();
                }
                if let Some(graph) = object.get("@graph") {
                    self.value(graph, path, depth + 1);
                }
            }
            Value::String(text) => {
                let key = format!("ld:{}", path.join("."));
                push(self.items, key, text, self.element, self.span);
            }
            _ => {}
        }
    }
}

fn push(items: &mut Vec<Item>, key: String, text: &str, element: NodeId, span: Span) {
    if text.len() > MAX_CHARS * 4 {
        return;
    }
    let text = plain(text);
    if !text.is_empty() && text.chars().count() <= MAX_CHARS {
        items.push(Item { key, text, element, span });
    }
}

/// Blanks collapsed; and references read once more, because many pages write them twice.
fn plain(text: &str) -> String {
    let collapsed = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if !collapsed.contains('&') || !collapsed.contains(';') {
        return collapsed;
    }
    let known = [
        ("&amp;", "&"),
        ("&quot;", "\""),
        ("&#34;", "\""),
        ("&#39;", "'"),
        ("&#039;", "'"),
        ("&#x27;", "'"),
        ("&apos;", "'"),
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&nbsp;", " "),
        ("&#8211;", "–"),
        ("&ndash;", "–"),
        ("&#8212;", "—"),
        ("&#8216;", "‘"),
        ("&#8217;", "’"),
        ("&rsquo;", "’"),
        ("&#8220;", "“"),
        ("&#8221;", "”"),
        ("&#8230;", "…"),
    ];
    known.iter().fold(collapsed, |text, (written, meant)| text.replace(written, meant))
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    #[test]
    fn statements_have_the_name_of_who_makes_them() {
        let page = page::parse(
            br##"<head><meta property="og:title" content="Dune &amp;amp; more"><meta name=Author content="F. Herbert">
            <script type="application/ld+json">{"@context": "https://schema.org", "@graph": [
              {"@type": "Article", "headline": "Du
ne", "author": {"@id": "#f"}, "keywords": ["sand", "spice"]},
              {"@type": "Person", "@id": "#f", "name": "Frank"}]}</script>
            <script type="application/ld+json">{"broken</script><meta name=empty content=" ">"##,
        );
        let shown: String =
            items(&page).iter().map(|item| format!("{} = {}\n", item.key, item.text)).collect();
        expect![[r#"
            meta:og:title = Dune & more
            meta:author = F. Herbert
            ld:headline = Du ne
            ld:author.name = Frank
            ld:keywords = sand
            ld:keywords = spice
            ld:name = Frank
        "#]]
        .assert_eq(&shown);
    }

    #[test]
    fn a_deep_script_ends() {
        let deep = format!(
            "<html><script type='application/ld+json'>{}1{}</script>",
            "[".repeat(100_000),
            "]".repeat(100_000)
        );
        assert!(items(&page::parse(deep.as_bytes())).is_empty());
    }
}
