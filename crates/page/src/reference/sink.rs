//! Where html5ever's tree construction puts the nodes: our arena.

use crate::arena::{Arena, AttrRange, DOCUMENT, Place, Text};
use crate::tree::{Attr, Doctype, Link, Name, NameId, Namespace, NodeId, Span, offset};
use html5ever::interface::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::{Attribute, QualName, ns};
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// A node, with its name if it is an element.
#[derive(Clone)]
pub(super) struct Handle {
    id: NodeId,
    name: Option<Rc<QualName>>,
    is_integration_point: bool,
}

pub(super) struct Sink<'t> {
    tree: RefCell<Tree<'t>>,
    nameless: QualName,
}

struct Tree<'t> {
    arena: Arena<'t>,
    names: HashMap<Rc<QualName>, NameId>,
}

impl<'t> Sink<'t> {
    pub(super) fn new(arena: Arena<'t>) -> Sink<'t> {
        Sink {
            tree: RefCell::new(Tree { arena, names: HashMap::new() }),
            nameless: QualName::new(None, ns!(), "".into()),
        }
    }

    pub(super) fn into_arena(self) -> Arena<'t> {
        self.tree.into_inner().arena
    }

    fn insert(&self, place: Place, child: NodeOrText<Handle>) {
        let arena = &mut self.tree.borrow_mut().arena;
        match child {
            NodeOrText::AppendNode(child) => {
                arena.detach(child.id);
                arena.attach(place, child.id);
            }
            NodeOrText::AppendText(text) => {
                let slice = arena.store(&text);
                arena.insert_text(place, Text { slice, span: Span::default() });
            }
        }
    }
}

impl Tree<'_> {
    fn name(&mut self, name: QualName) -> (NameId, Rc<QualName>) {
        if let Some((name, id)) = self.names.get_key_value(&name) {
            return (*id, Rc::clone(name));
        }
        let id = self.arena.names.add(plain_name(&name));
        let name = Rc::new(name);
        self.names.insert(Rc::clone(&name), id);
        (id, name)
    }

    fn attrs(&mut self, attrs: Vec<Attribute>) -> AttrRange {
        let start = offset(self.arena.attrs.len());
        for attr in attrs {
            let (name, _) = self.name(attr.name);
            let value = self.arena.store(&attr.value);
            self.arena.attrs.push(Attr { name, value });
        }
        AttrRange { start, len: offset(self.arena.attrs.len()) - start }
    }
}

fn plain_name(name: &QualName) -> Name {
    let namespace = match name.ns {
        ns!(html) => Namespace::Html,
        ns!(svg) => Namespace::Svg,
        ns!(mathml) => Namespace::MathMl,
        ns!(xlink) => Namespace::XLink,
        ns!(xml) => Namespace::Xml,
        ns!(xmlns) => Namespace::XmlNs,
        _ => Namespace::None,
    };
    Name { namespace, local: Cow::Owned(name.local.to_string()) }
}

fn nameless(id: NodeId) -> Handle {
    Handle { id, name: None, is_integration_point: false }
}

impl<'t> TreeSink for Sink<'t> {
    type Handle = Handle;
    type Output = Self;
    type ElemName<'a>
        = &'a QualName
    where
        Self: 'a;

    fn finish(self) -> Self {
        self
    }

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> Handle {
        nameless(DOCUMENT)
    }

    fn elem_name<'a>(&'a self, target: &'a Handle) -> &'a QualName {
        target.name.as_deref().unwrap_or(&self.nameless)
    }

    fn same_node(&self, x: &Handle, y: &Handle) -> bool {
        x.id == y.id
    }

    fn create_element(&self, name: QualName, attrs: Vec<Attribute>, flags: ElementFlags) -> Handle {
        let tree = &mut *self.tree.borrow_mut();
        let (name_id, name) = tree.name(name);
        let attrs = tree.attrs(attrs);
        let id = tree.arena.push_element(name_id, attrs, Span::default());
        if flags.template {
            tree.arena.push_contents(id);
        }
        let is_integration_point = flags.mathml_annotation_xml_integration_point;
        Handle { id, name: Some(name), is_integration_point }
    }

    fn create_comment(&self, text: StrTendril) -> Handle {
        let arena = &mut self.tree.borrow_mut().arena;
        let slice = arena.store(&text);
        nameless(arena.push_comment(slice))
    }

    fn create_pi(&self, target: StrTendril, _data: StrTendril) -> Handle {
        self.create_comment(target)
    }

    fn append(&self, parent: &Handle, child: NodeOrText<Handle>) {
        self.insert(Place::last_in(parent.id), child);
    }

    fn append_before_sibling(&self, sibling: &Handle, child: NodeOrText<Handle>) {
        let parent = self.tree.borrow().arena.parent(sibling.id);
        if let Some(parent) = parent {
            self.insert(Place { parent, before: Link::to(sibling.id) }, child);
        }
    }

    fn append_based_on_parent_node(
        &self,
        element: &Handle,
        previous: &Handle,
        child: NodeOrText<Handle>,
    ) {
        let has_parent = self.tree.borrow().arena.parent(element.id).is_some();
        match has_parent {
            true => self.append_before_sibling(element, child),
            false => self.append(previous, child),
        }
    }

    fn append_doctype_to_document(&self, name: StrTendril, public: StrTendril, system: StrTendril) {
        let [name, public, system] = [name, public, system].map(|part| part.to_string());
        self.tree.borrow_mut().arena.push_doctype(Doctype { name, public, system });
    }

    fn get_template_contents(&self, target: &Handle) -> Handle {
        nameless(self.tree.borrow().arena.contents(target.id))
    }

    fn set_quirks_mode(&self, _: QuirksMode) {}

    fn add_attrs_if_missing(&self, target: &Handle, attrs: Vec<Attribute>) {
        let tree = &mut *self.tree.borrow_mut();
        let attrs = tree.attrs(attrs);
        tree.arena.add_attrs(target.id, attrs);
    }

    fn remove_from_parent(&self, target: &Handle) {
        self.tree.borrow_mut().arena.detach(target.id);
    }

    fn reparent_children(&self, node: &Handle, new_parent: &Handle) {
        self.tree.borrow_mut().arena.move_children(node.id, new_parent.id);
    }

    fn is_mathml_annotation_xml_integration_point(&self, handle: &Handle) -> bool {
        handle.is_integration_point
    }
}
