//! SVG and MathML (13.2.6.5), where names are spelled otherwise and other rules hold.

use super::stack::Open;
use super::{Builder, StartTag, spelling};
use crate::arena::{AttrRange, Text};
use crate::names::TagName;
use crate::tag::{Tag, Traits};
use crate::tree::{NameId, Namespace};

impl Builder<'_> {
    /// The current node, or what a fragment is inside of.
    #[inline]
    fn adjusted_current(&self) -> Open {
        match self.context {
            Some(context) if self.stack.len() == 1 => context,
            _ => self.stack.current(),
        }
    }

    /// Whether we are in SVG or MathML.
    #[inline]
    pub(crate) fn is_foreign(&self) -> bool {
        self.adjusted_current().is(Traits::FOREIGN)
    }

    /// The same for text, which some foreign elements hold as HTML does.
    #[inline]
    pub(super) fn is_foreign_text(&self) -> bool {
        let holds_html = Traits::MATHML_TEXT.and(Traits::SVG_HTML).and(Traits::HOLDS_HTML);
        self.is_foreign() && !self.adjusted_current().is(holds_html)
    }

    /// The same for a start tag.
    #[inline]
    pub(super) fn is_foreign_start(&self, tag: Tag) -> bool {
        self.is_foreign() && !holds_html_start(self.adjusted_current().traits, tag)
    }

    pub(super) fn foreign_text(&mut self, text: Text) {
        self.note_ink(text);
        self.insert_text(text);
    }

    pub(super) fn foreign_start(&mut self, token: &StartTag) {
        if self.breaks_out(token) {
            self.leave_foreign();
            self.start_in(self.mode, token);
        } else {
            self.insert_foreign(token, self.adjusted_current().namespace);
        }
    }

    /// Whether nobody would write this tag in SVG or MathML.
    fn breaks_out(&self, token: &StartTag) -> bool {
        let is_html_font =
            || ["color", "face", "size"].iter().any(|name| self.attr(token.attrs, name).is_some());
        token.name.tag.is(Traits::BREAKS_OUT) || token.name.tag == Tag::Font && is_html_font()
    }

    fn leave_foreign(&mut self) {
        let holds_html = Traits::MATHML_TEXT.and(Traits::SVG_HTML);
        while self.stack.current().is(Traits::FOREIGN) && !self.stack.current().is(holds_html) {
            self.stack.pop();
        }
    }

    pub(super) fn foreign_end(&mut self, name: TagName) {
        if let Tag::Br | Tag::P = name.tag {
            self.leave_foreign();
            return self.end_in(self.mode, name);
        }
        let written = self.arena.names.local(name.id);
        for index in (1..self.stack.len()).rev() {
            let Some(open) = self.stack.get(index) else { return };
            self.work.add(1);
            if !open.is(Traits::FOREIGN) {
                return self.end_in(self.mode, name);
            }
            if self.arena.names.local(open.name).eq_ignore_ascii_case(written) {
                return self.stack.truncate(index);
            }
        }
    }

    /// `<svg>` or `<math>` in HTML.
    pub(super) fn enter_foreign(&mut self, token: &StartTag, namespace: Namespace) {
        self.reopen_formatting();
        self.insert_foreign(token, namespace);
    }

    fn insert_foreign(&mut self, token: &StartTag, namespace: Namespace) {
        self.respell_attrs(token.attrs, namespace);
        let rename = |local: &str| Some(spelling::element(namespace, local));
        let id = self.arena.names.foreign(token.name.id, namespace, rename);
        let name = TagName { id, tag: Tag::Other };
        let node = self.insert_closed(&StartTag { name, ..*token });
        if !token.is_self_closing {
            let traits = self.foreign_traits(id, namespace, token.attrs);
            self.stack.push(Open { node, name: id, traits, tag: Tag::Other, namespace });
        }
    }

    fn respell_attrs(&mut self, attrs: AttrRange, namespace: Namespace) {
        for attr in &mut self.arena.attrs[attrs.range()] {
            let rename = |local: &str| spelling::attribute(namespace, local);
            attr.name = self.arena.names.foreign(attr.name, namespace, rename);
        }
    }

    fn foreign_traits(&self, name: NameId, namespace: Namespace, attrs: AttrRange) -> Traits {
        let traits = match (namespace, self.arena.names.local(name)) {
            (Namespace::MathMl, "mi" | "mo" | "mn" | "ms" | "mtext") => {
                Traits::MATHML_TEXT.and(Traits::SCOPE)
            }
            (Namespace::MathMl, "annotation-xml") if self.is_html_annotation(attrs) => {
                Traits::ANNOTATION.and(Traits::HOLDS_HTML)
            }
            (Namespace::MathMl, "annotation-xml") => Traits::ANNOTATION,
            (Namespace::Svg, "foreignObject" | "desc" | "title") => {
                Traits::SVG_HTML.and(Traits::SCOPE)
            }
            _ => Traits::NONE,
        };
        traits.and(Traits::FOREIGN)
    }

    fn is_html_annotation(&self, attrs: AttrRange) -> bool {
        let is_html = |encoding: &str| {
            ["text/html", "application/xhtml+xml"]
                .iter()
                .any(|kind| encoding.eq_ignore_ascii_case(kind))
        };
        self.attr(attrs, "encoding").is_some_and(is_html)
    }

    /// Start inside an element, as `innerHTML` does.
    #[cfg(feature = "reference")]
    pub(crate) fn inside(mut self, namespace: Namespace, tag: &str) -> Self {
        let html = self.arena.names.written(tag);
        let context = if namespace == Namespace::Html {
            let node = self.arena.push_element(html.id, AttrRange::default(), Default::default());
            Open::html(node, html)
        } else {
            let rename = |local: &str| Some(spelling::element(namespace, local));
            let name = self.arena.names.foreign(html.id, namespace, rename);
            let node = self.arena.push_element(name, AttrRange::default(), Default::default());
            let traits = self.foreign_traits(name, namespace, AttrRange::default());
            Open { node, name, traits, tag: Tag::Other, namespace }
        };
        if context.tag == Tag::Template {
            self.template_modes.push(super::Mode::InTemplate);
        }
        self.context = Some(context);
        self.open_root(AttrRange::default(), Default::default());
        self.reset_mode();
        self
    }
}

/// Whether a start tag in a foreign element is one of HTML.
fn holds_html_start(current: Traits, tag: Tag) -> bool {
    let is_text = current.any(Traits::MATHML_TEXT);
    current.any(Traits::SVG_HTML.and(Traits::HOLDS_HTML))
        || is_text && !matches!(tag, Tag::Mglyph | Tag::Malignmark)
        || current.any(Traits::ANNOTATION) && tag == Tag::Svg
}
