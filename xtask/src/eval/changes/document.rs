//! A page as a tree that can be changed and written.

use page::{NodeId, NodeKind, Page};

pub(crate) type Node = usize;

/// The tree of a page. Node 0 is the document.
#[derive(Clone)]
pub(crate) struct Document {
    nodes: Vec<Entry>,
}

#[derive(Clone)]
struct Entry {
    content: Content,
    parent: Node,
    children: Vec<Node>,
}

#[derive(Clone)]
pub(crate) enum Content {
    Root,
    Doctype,
    Element { tag: String, attrs: Vec<(String, String)> },
    Text(String),
}

impl Document {
    pub(crate) fn of(page: &Page) -> Document {
        let mut document = Document { nodes: Vec::new() };
        document.push(0, Content::Root);
        document.copy(page, page.document(), 0);
        document
    }

    fn push(&mut self, parent: Node, content: Content) -> Node {
        let node = self.nodes.len();
        self.nodes.push(Entry { content, parent, children: Vec::new() });
        if node != 0 {
            self.nodes[parent].children.push(node);
        }
        node
    }

    fn copy(&mut self, page: &Page, from: NodeId, to: Node) {
        for child in page.children(from) {
            match page.kind(child) {
                NodeKind::Doctype => drop(self.push(to, Content::Doctype)),
                NodeKind::Text => {
                    let text = page.text_pieces(child).map(|(text, _)| text).collect();
                    self.push(to, Content::Text(text));
                }
                NodeKind::Element => {
                    let owned = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
                    let attrs = page.attrs(child).map(owned).collect();
                    let tag = page.tag(child).unwrap_or_default().to_owned();
                    let element = self.push(to, Content::Element { tag, attrs });
                    self.copy(page, child, element);
                }
                _ => {}
            }
        }
    }

    /// All nodes in the order of the page.
    pub(crate) fn all(&self) -> Vec<Node> {
        let (mut all, mut open) = (Vec::new(), vec![0]);
        while let Some(node) = open.pop() {
            all.push(node);
            open.extend(self.nodes[node].children.iter().rev());
        }
        all
    }

    pub(crate) fn tag(&self, node: Node) -> &str {
        match &self.nodes[node].content {
            Content::Element { tag, .. } => tag,
            _ => "",
        }
    }

    pub(crate) fn text(&self, node: Node) -> Option<&str> {
        match &self.nodes[node].content {
            Content::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(crate) fn set_text(&mut self, node: Node, text: String) {
        self.nodes[node].content = Content::Text(text);
    }

    pub(crate) fn attrs_mut(&mut self, node: Node) -> Option<&mut Vec<(String, String)>> {
        match &mut self.nodes[node].content {
            Content::Element { attrs, .. } => Some(attrs),
            _ => None,
        }
    }

    pub(crate) fn parent(&self, node: Node) -> Node {
        self.nodes[node].parent
    }

    pub(crate) fn children(&self, node: Node) -> &[Node] {
        &self.nodes[node].children
    }

    pub(crate) fn elements(&self, node: Node) -> Vec<Node> {
        let is_element = |node: &Node| !self.tag(*node).is_empty();
        self.nodes[node].children.iter().copied().filter(is_element).collect()
    }

    pub(crate) fn is_within(&self, mut node: Node, tag: &str) -> bool {
        while node != 0 {
            if self.tag(node) == tag {
                return true;
            }
            node = self.parent(node);
        }
        false
    }

    /// Give an element other children, of those that there are.
    pub(crate) fn set_children(&mut self, node: Node, children: Vec<Node>) {
        for child in &children {
            self.nodes[*child].parent = node;
        }
        self.nodes[node].children = children;
    }

    /// A new element that stands nowhere yet.
    pub(crate) fn element(&mut self, tag: &str, class: &str, text: &str) -> Node {
        let node = self.nodes.len();
        let attrs = vec![("class".to_owned(), class.to_owned())];
        let content = Content::Element { tag: tag.to_owned(), attrs };
        self.nodes.push(Entry { content, parent: 0, children: Vec::new() });
        if !text.is_empty() {
            self.push(node, Content::Text(text.to_owned()));
        }
        node
    }

    pub(crate) fn html(&self) -> String {
        let mut out = String::new();
        self.write(0, &mut out);
        out
    }

    fn write(&self, node: Node, out: &mut String) {
        let children = &self.nodes[node].children;
        match &self.nodes[node].content {
            Content::Root => children.iter().for_each(|child| self.write(*child, out)),
            Content::Doctype => out.push_str("<!DOCTYPE html>"),
            Content::Text(text) if is_raw(self.tag(self.parent(node))) => out.push_str(text),
            Content::Text(text) => out.push_str(&escaped(text)),
            Content::Element { tag, attrs } => {
                out.push_str(&format!("<{tag}"));
                for (name, value) in attrs {
                    out.push_str(&format!(" {name}=\"{}\"", escaped(value).replace('"', "&quot;")));
                }
                out.push('>');
                // The parser takes the first line break of these away.
                if matches!(&**tag, "pre" | "textarea" | "listing") {
                    out.push('\n');
                }
                if !is_void(tag) {
                    children.iter().for_each(|child| self.write(*child, out));
                    out.push_str(&format!("</{tag}>"));
                }
            }
        }
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('\u{a0}', "&nbsp;")
}

fn is_raw(tag: &str) -> bool {
    matches!(
        tag,
        "script" | "style" | "xmp" | "iframe" | "noembed" | "noframes" | "noscript" | "plaintext"
    )
}

fn is_void(tag: &str) -> bool {
    matches!(
        tag,
        "area"
            | "base"
            | "br"
            | "col"
            | "embed"
            | "frame"
            | "hr"
            | "img"
            | "input"
            | "link"
            | "meta"
            | "param"
            | "source"
            | "track"
            | "wbr"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again_as_it_was() {
        let html = "<!DOCTYPE html><title>A &amp; B</title><p class=\"x y\">1 &lt; 2<br>é <b>c</b><script>if (a < b) {}</script>";
        let once = Document::of(&page::parse(html.as_bytes())).html();
        let twice = Document::of(&page::parse(once.as_bytes())).html();
        assert_eq!(once, twice);
        assert!(
            once.contains(
                "<p class=\"x y\">1 &lt; 2<br>é <b>c</b><script>if (a < b) {}</script></p>"
            ),
            "{once}"
        );
    }
}
