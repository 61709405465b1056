//! A page's tree as text, in the format of the html5lib tests: the looking-glass of the parser.

use crate::tree::{Namespace, NodeData, NodeId, Page};
use std::fmt::Write;

impl Page {
    /// The tree below a node, a line a node, indented by depth.
    ///
    /// ```
    /// let page = page::parse(b"<p id=x>Hi");
    /// let body = page.find(page.document(), "body").unwrap();
    /// assert_eq!(page.dump(body), "| <p>\n|   id=\"x\"\n|   \"Hi\"\n");
    /// ```
    pub fn dump(&self, top: NodeId) -> String {
        let mut out = String::new();
        let mut depth = 0;
        let mut next = self.first_child(top);
        // Templates on the way, to come back to after their contents.
        let mut templates: Vec<NodeId> = Vec::new();
        while let Some(node) = next {
            self.dump_node(&mut out, node, depth);
            let contents = self.template_contents(node).and_then(|it| self.first_child(it));
            if self.template_contents(node).is_some() {
                indent(&mut out, depth + 1);
                out.push_str("content\n");
            }
            next = if let Some(contents) = contents {
                templates.push(node);
                depth += 2;
                Some(contents)
            } else if let Some(child) = self.first_child(node) {
                depth += 1;
                Some(child)
            } else {
                self.dump_next(node, top, &mut depth, &mut templates)
            };
        }
        out
    }

    /// The next node after one without children. Leaving a template's contents, its children follow.
    fn dump_next(
        &self,
        node: NodeId,
        top: NodeId,
        depth: &mut usize,
        templates: &mut Vec<NodeId>,
    ) -> Option<NodeId> {
        let mut node = node;
        loop {
            if let Some(next) = self.next_sibling(node) {
                return Some(next);
            }
            let parent = self.parent(node)?;
            if parent == top {
                return None;
            }
            if let NodeData::Fragment = self.node(parent).data {
                let template = templates.pop()?;
                *depth -= 2;
                if let Some(child) = self.first_child(template) {
                    *depth += 1;
                    return Some(child);
                }
                node = template;
            } else {
                *depth -= 1;
                node = parent;
            }
        }
    }

    fn dump_node(&self, out: &mut String, node: NodeId, depth: usize) {
        indent(out, depth);
        match self.node(node).data {
            NodeData::Document | NodeData::Fragment => {}
            NodeData::Doctype(index) => self.dump_doctype(out, index),
            NodeData::Element { .. } => self.dump_element(out, node, depth),
            NodeData::Text { .. } => {
                out.push('"');
                out.extend(self.text_pieces(node).map(|(text, _)| text));
                out.push_str("\"\n");
            }
            NodeData::Comment(text) => {
                let _ = writeln!(out, "<!-- {} -->", self.slice(text));
            }
        }
    }

    fn dump_doctype(&self, out: &mut String, index: u32) {
        let doctype = &self.doctypes[index as usize];
        let _ = write!(out, "<!DOCTYPE {}", doctype.name);
        if !doctype.public.is_empty() || !doctype.system.is_empty() {
            let _ = write!(out, " \"{}\" \"{}\"", doctype.public, doctype.system);
        }
        out.push_str(">\n");
    }

    fn dump_element(&self, out: &mut String, node: NodeId, depth: usize) {
        let Some(name) = self.name(node) else { return };
        let _ = writeln!(out, "<{}{}>", prefix(name.namespace), name.local);
        let mut attrs: Vec<_> = self
            .attr_slice(node)
            .iter()
            .map(|attr| {
                let name = &self.names[attr.name.0 as usize];
                (format!("{}{}", prefix(name.namespace), name.local), self.slice(attr.value))
            })
            .collect();
        attrs.sort_by(|left, right| left.0.encode_utf16().cmp(right.0.encode_utf16()));
        for (name, value) in attrs {
            indent(out, depth + 1);
            let _ = writeln!(out, "{name}=\"{value}\"");
        }
    }
}

fn prefix(namespace: Namespace) -> &'static str {
    match namespace {
        Namespace::None | Namespace::Html => "",
        Namespace::Svg => "svg ",
        Namespace::MathMl => "math ",
        Namespace::XLink => "xlink ",
        Namespace::Xml => "xml ",
        Namespace::XmlNs => "xmlns ",
    }
}

fn indent(out: &mut String, depth: usize) {
    out.push_str("| ");
    out.extend(std::iter::repeat_n("  ", depth));
}
