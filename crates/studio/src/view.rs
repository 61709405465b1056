//! A page without anything that runs or is fetched, in which each leaf can be found again.
//!
//! It is written from our own tree: what is not known to be harmless is left out or becomes a plain element (`allow`), texts and
//! values are escaped, style sheets stand in the head only. The browser then gets it under a policy that forbids the rest, in a
//! frame without scripts; any one of the three would do.
//!
//! A leaf's number is on the element that holds nothing else (`data-pm`), on an element of our own around its text, or, for leaves
//! that are values of attributes, on their element (`data-pm-a`).

mod allow;
mod sheets;

use crate::beside::Place;
use crate::pages::Parsed;
use allow::{Kept, escape};
use pagemill::page::{LeafKind, Namespace, NodeId, NodeKind, Page};
use std::collections::HashMap;

/// The policy that a view is sent with.
pub(crate) const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'self'; sandbox allow-same-origin";

/// What is not shown until a script says so is shown; nothing moves; clicks find everything.
const OWN: &str = "html,body{visibility:visible!important;opacity:1!important;height:auto!important;overflow:visible!important}\
    *,*::before,*::after{animation:none!important;transition:none!important;pointer-events:auto!important}\
    img[data-pm-gone]{min-width:48px;min-height:36px;background:#eceef1;outline:1px dashed #b9c0c8}";

/// A picture of one clear pixel, for those that are not at hand.
const PIXEL: &str = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==";

/// So many bytes of pictures are put into one view.
const MAX_PICTURES: usize = 6 << 20;

/// Write the view of a page.
pub(crate) fn inert(parsed: &Parsed, place: &Place<'_>) -> String {
    let page = &parsed.page;
    let mut writer = Writer {
        page,
        place,
        html: String::with_capacity(page.source().len() + (1 << 12)),
        texts: HashMap::new(),
        attributes: HashMap::new(),
        pictures_left: MAX_PICTURES,
    };
    for leaf in parsed.leaves.iter() {
        let leaves =
            if leaf.kind == LeafKind::Text { &mut writer.texts } else { &mut writer.attributes };
        leaves.entry(leaf.node).or_insert(leaf.position);
    }
    writer.write();
    writer.html
}

struct Writer<'p> {
    page: &'p Page,
    place: &'p Place<'p>,
    html: String,
    /// Leaves by their text nodes.
    texts: HashMap<NodeId, usize>,
    /// Leaves by the elements that they are an attribute of.
    attributes: HashMap<NodeId, usize>,
    pictures_left: usize,
}

impl Writer<'_> {
    fn write(&mut self) {
        let page = self.page;
        if page.children(page.document()).any(|it| page.kind(it) == NodeKind::Doctype) {
            self.html.push_str("<!DOCTYPE html>");
        }
        let mut next = page.first_child(page.document());
        while let Some(node) = next {
            let is_open = self.start(node);
            next = page.first_child(node).filter(|_| is_open);
            if next.is_none() {
                if is_open {
                    self.end(node);
                }
                next = self.leave(node);
            }
        }
    }

    /// End the elements that a node was the last of; gives the node after them.
    fn leave(&mut self, node: NodeId) -> Option<NodeId> {
        let mut node = node;
        loop {
            if let Some(next) = self.page.next_sibling(node) {
                return Some(next);
            }
            node = self.page.parent(node)?;
            self.end(node);
        }
    }

    /// Write a node; says whether it is open.
    fn start(&mut self, node: NodeId) -> bool {
        match self.page.kind(node) {
            NodeKind::Text => self.text(node),
            NodeKind::Element => return self.element(node),
            _ => {}
        }
        false
    }

    fn text(&mut self, node: NodeId) {
        let text = self.page.text_content(node);
        let leaf = self.texts.get(&node).copied();
        match leaf.filter(|_| self.is_wrapped(node)) {
            Some(leaf) => {
                self.html.push_str(&format!("<pm-t data-pm=\"{leaf}\">"));
                escape(&mut self.html, &text);
                self.html.push_str("</pm-t>");
            }
            None => escape(&mut self.html, &text),
        }
    }

    /// Whether a text stands beside others in its element, and may have an element of its own.
    fn is_wrapped(&self, node: NodeId) -> bool {
        let Some(parent) = self.page.parent(node) else { return false };
        self.page.namespace(parent) == Some(Namespace::Html)
            && self.own_text(parent) != Some(node)
            && !matches!(self.page.tag(parent), Some("option" | "textarea" | "title"))
    }

    /// The text of an element that has nothing else; of elements that take only texts, the first leaf.
    fn own_text(&self, element: NodeId) -> Option<NodeId> {
        let mut texts =
            self.page.children(element).filter(|it| self.page.kind(*it) == NodeKind::Text);
        let takes_texts = self.page.namespace(element) != Some(Namespace::Html)
            || matches!(self.page.tag(element), Some("option" | "textarea" | "title"));
        if takes_texts {
            return texts.find(|text| self.texts.contains_key(text));
        }
        let mut all =
            self.page.children(element).filter(|it| self.page.kind(*it) != NodeKind::Comment);
        match (all.next(), all.next()) {
            (Some(only), None) => self.texts.contains_key(&only).then_some(only),
            _ => None,
        }
    }

    fn element(&mut self, node: NodeId) -> bool {
        let page = self.page;
        let Kept::As(tag) = allow::element(page, node) else { return false };
        self.html.push('<');
        self.html.push_str(tag);
        for (name, value) in
            page.attrs(node).filter(|(name, value)| allow::attribute(page, node, name, value))
        {
            self.attribute(name, value);
        }
        match tag {
            "a" if page.attr(node, "href").is_some() => self.attribute("href", "#"),
            "img" => self.picture(node),
            "details" => self.attribute("open", ""),
            _ => {}
        }
        if let Some(leaf) = self.own_text(node).and_then(|text| self.texts.get(&text).copied()) {
            self.attribute("data-pm", &leaf.to_string());
        }
        if let Some(leaf) = self.attributes.get(&node).copied() {
            self.attribute("data-pm-a", &leaf.to_string());
        }
        self.html.push('>');
        // The first line end in these is not theirs.
        if matches!(tag, "pre" | "textarea" | "listing") {
            self.html.push('\n');
        }
        if tag == "head" {
            self.head();
        }
        !allow::is_void(tag)
    }

    fn attribute(&mut self, name: &str, value: &str) {
        self.html.push(' ');
        self.html.push_str(name);
        self.html.push_str("=\"");
        escape(&mut self.html, value);
        self.html.push('"');
    }

    /// All style sheets stand here, where they can be nothing else.
    fn head(&mut self) {
        self.html.push_str("<meta charset=\"utf-8\">");
        for css in sheets::of(self.page, self.place) {
            self.html.push_str("<style>");
            self.html.push_str(&css);
            self.html.push_str("</style>");
        }
        self.html.push_str("<style>");
        self.html.push_str(OWN);
        self.html.push_str("</style>");
    }

    fn picture(&mut self, node: NodeId) {
        let src = self.page.attr(node, "src").unwrap_or_default().trim();
        let is_inside = ["png", "gif", "jpeg", "webp"]
            .iter()
            .any(|it| src.starts_with(&format!("data:image/{it};base64,")));
        let picture = match is_inside {
            true => Some(src.to_owned()),
            false => self.place.picture(src),
        };
        let picture = picture.filter(|it| it.len() <= self.pictures_left);
        match picture {
            Some(picture) => {
                self.pictures_left -= picture.len();
                self.attribute("src", &picture);
            }
            None => {
                self.attribute("src", PIXEL);
                self.attribute("data-pm-gone", "");
            }
        }
    }

    fn end(&mut self, node: NodeId) {
        if let Kept::As(tag) = allow::element(self.page, node)
            && !allow::is_void(tag)
        {
            self.html.push_str("</");
            self.html.push_str(tag);
            self.html.push('>');
        }
    }
}

#[cfg(test)]
mod tests;
