//! What elements hand down to the texts inside them: how they are called, what they look like. Each is looked at once.

use crate::text::Map;
use page::{NodeId, Page};

/// What is known of an element by itself and by those around it.
#[derive(Clone, Copy, Default)]
pub(super) struct Crumb {
    /// Its tag and classes, without numbers: elements of one kind have the same.
    pub(super) kind: u64,
    /// The same of all elements from the root to it.
    pub(super) way: u64,
    pub(super) is_furniture: bool,
    pub(super) is_body: bool,
    pub(super) is_comment: bool,
    pub(super) is_bold: bool,
}

/// By node.
pub(super) struct Crumbs(Vec<Crumb>);

/// Parts of names that pages give to what is around a text, to the text, and to what readers say of it.
const FURNITURE: [&str; 16] = [
    "footer",
    "nav",
    "sidebar",
    "related",
    "menu",
    "copyright",
    "foot",
    "advert",
    "share",
    "links",
    "promo",
    "tools",
    "widget",
    "caption",
    "banner",
    "header",
];
const BODY: [&str; 7] = ["article", "story", "content", "body", "text", "post", "entry"];
const COMMENTS: [&str; 4] = ["comment", "disqus", "respond", "reply"];

impl Crumbs {
    pub(super) fn of(page: &Page) -> Crumbs {
        let mut crumbs = vec![Crumb::default(); page.n_nodes()];
        let keys = page.attr_keys(["class", "id"]);
        let mut kinds: Map<String, u64> = Map::default();
        let mut name = String::new();
        // Parents come before their children.
        for node in page.descendants(page.document()) {
            let Some(tag) = page.tag(node) else { continue };
            let above = page.parent(node).map_or(Crumb::default(), |it| crumbs[it.index()]);
            let mut crumb = above;
            name.clear();
            name.push_str(tag);
            let is_whole_page = matches!(tag, "html" | "body");
            for (key, value) in page.attrs_by(node, &keys) {
                if key == 0 {
                    name.push('.');
                    name.extend(value.chars().filter(|c| !c.is_ascii_digit()));
                }
                if !is_whole_page {
                    crumb.hear(value);
                }
            }
            crumb.kind = match kinds.get(&name) {
                Some(kind) => *kind,
                None => {
                    let kind = kinds.len() as u64 + 1;
                    kinds.insert(name.clone(), kind);
                    kind
                }
            };
            crumb.way =
                (above.way ^ crumb.kind).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23);
            crumb.is_bold = match tag {
                "b" | "strong" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => true,
                _ => above.is_bold,
            };
            crumbs[node.index()] = crumb;
        }
        Crumbs(crumbs)
    }

    pub(super) fn get(&self, node: NodeId) -> Crumb {
        self.0[node.index()]
    }
}

impl Crumb {
    fn hear(&mut self, name: &str) {
        let name = name.to_ascii_lowercase();
        let has = |parts: &[&str]| parts.iter().any(|part| name.contains(part));
        self.is_furniture |= has(&FURNITURE);
        self.is_body |= has(&BODY);
        self.is_comment |= has(&COMMENTS);
    }
}
