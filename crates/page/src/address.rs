//! Addresses: where a leaf is, in the words of other tools, and back.
//!
//! An XPath names the very text node or attribute. CSS selectors name elements only, so a selector goes with the
//! leaf's number among those of its element. Both are written to be pasted into a browser's console and
//! to lead to one place; they say where a value was, not how to find it on another page.

mod css;
mod xpath;

use crate::leaf::{Leaf, Leaves};
use crate::tree::{NameId, Namespace, NodeId, NodeKind, Page};
use foldhash::fast::FixedState;
use std::collections::HashMap;

/// Where one leaf is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Address {
    /// Leads to the text node or attribute.
    pub xpath: String,
    /// Leads to the leaf's element.
    pub selector: String,
    /// Which of the element's own leaves it is, from zero.
    pub nth: usize,
}

/// The addresses of a page's leaves. Made once per page, because counting siblings for each leaf anew would cost
/// the square of the page.
///
/// ```
/// let page = page::parse(b"<p>One<p id=two>Two <b>bold</b> words");
/// let leaves = page.leaves();
/// let addresses = page.addresses(&leaves);
/// let words = addresses.of(&leaves.get(3));
/// assert_eq!(words.xpath, "/html/body/p[2]/text()[2]");
/// assert_eq!((&*words.selector, words.nth), ("#two", 1));
/// assert_eq!(addresses.find(&words.xpath).unwrap().text, "words");
/// assert_eq!(addresses.find_selector("#two", 1).unwrap().text, "words");
/// ```
pub struct Addresses<'p> {
    page: &'p Page,
    leaves: &'p Leaves,
    /// By node.
    places: Vec<Place>,
    /// By leaf.
    nth: Vec<u32>,
    /// Elements that alone have their `id`.
    ids: HashMap<&'p str, Option<NodeId>, FixedState>,
}

/// Where a node stands among its siblings, counted from one.
#[derive(Clone, Copy, Default)]
struct Place {
    /// Among all element siblings; zero for texts.
    of_elements: u32,
    /// Among those of its name, or among texts.
    of_kind: u32,
    /// Whether there is another of its kind.
    has_twin: bool,
}

/// What siblings are counted together.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum SiblingKind {
    Text,
    Element(NameId),
}

impl Page {
    /// The addresses of the page's leaves.
    pub fn addresses<'p>(&'p self, leaves: &'p Leaves) -> Addresses<'p> {
        Addresses {
            page: self,
            leaves,
            places: places(self),
            nth: nth(leaves),
            ids: unique_ids(self),
        }
    }
}

impl<'p> Addresses<'p> {
    /// Where a leaf is.
    pub fn of(&self, leaf: &Leaf<'_>) -> Address {
        Address {
            xpath: self.xpath(leaf.node, leaf.attribute),
            selector: self.selector(leaf.element),
            nth: self.nth[leaf.position] as usize,
        }
    }

    /// Where an attribute is, such as the target of the link that a leaf is inside of.
    ///
    /// ```
    /// let page = page::parse(b"<p><a href=/2>Two</a>");
    /// let leaves = page.leaves();
    /// let link = page.parent(leaves.get(0).node).unwrap();
    /// assert_eq!(page.addresses(&leaves).of_attribute(link, "href").xpath, "/html/body/p/a/@href");
    /// ```
    pub fn of_attribute(&self, element: NodeId, attribute: &str) -> Address {
        Address {
            xpath: self.xpath(element, Some(attribute)),
            selector: self.selector(element),
            nth: 0,
        }
    }

    /// The leaf at an XPath of the kind written here.
    pub fn find(&self, xpath: &str) -> Option<Leaf<'p>> {
        let target = xpath::parse(xpath)?;
        let node = self.walk(self.page.document(), &target.steps)?;
        let is_target = |leaf: &Leaf<'_>| leaf.node == node && leaf.attribute == target.attribute;
        self.leaves.iter().find(is_target)
    }

    /// The element or text at an XPath of the kind written here, or of the kind that browsers copy: `//*[@id="main"]/h1`.
    ///
    /// ```
    /// let page = page::parse(b"<div id=main><h1>Dune</h1></div>");
    /// let leaves = page.leaves();
    /// let addresses = page.addresses(&leaves);
    /// let node = addresses.find_node("//*[@id=\"main\"]/h1").unwrap();
    /// assert_eq!(page.tag(node), Some("h1"));
    /// assert_eq!(addresses.find_node("/html/body/div/h1"), Some(node));
    /// ```
    pub fn find_node(&self, xpath: &str) -> Option<NodeId> {
        let Some(by_id) = xpath.strip_prefix("//*[@id=") else {
            return self.walk(self.page.document(), &xpath::parse(xpath)?.steps);
        };
        let quote = by_id.chars().next().filter(|it| matches!(it, '"' | '\''))?;
        let (id, rest) = by_id[1..].split_once(quote)?;
        let element = (*self.ids.get(id)?)?;
        match rest.strip_prefix(']')? {
            "" => Some(element),
            rest => self.walk(element, &xpath::parse(rest)?.steps),
        }
    }

    fn walk(&self, start: NodeId, steps: &[xpath::Step<'_>]) -> Option<NodeId> {
        steps.iter().try_fold(start, |node, step| {
            self.page.children(node).find(|child| self.is_step(*child, step))
        })
    }

    /// The leaf at a selector of the kind written here.
    pub fn find_selector(&self, selector: &str, nth: usize) -> Option<Leaf<'p>> {
        let element = self.find_element(selector)?;
        self.leaves.iter().filter(|leaf| leaf.element == element).nth(nth)
    }

    fn place(&self, node: NodeId) -> Place {
        self.places[node.index()]
    }

    /// Whether a name test can name the element: HTML's namespace and a name that needs no quoting. Inside foreign
    /// elements, tools disagree on what a bare name means.
    fn is_plain(&self, node: NodeId) -> bool {
        let is_html = |node: NodeId| self.page.namespace(node) == Some(Namespace::Html);
        let parent_is_html = self
            .page
            .parent(node)
            .is_none_or(|parent| is_html(parent) || self.page.kind(parent) == NodeKind::Document);
        is_html(node) && parent_is_html && self.page.tag(node).is_some_and(is_simple_name)
    }
}

fn is_simple_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name.chars().all(|it| it.is_ascii_alphanumeric() || it == '-' || it == '_')
}

fn kind_of(page: &Page, node: NodeId) -> Option<SiblingKind> {
    match page.kind(node) {
        NodeKind::Text => Some(SiblingKind::Text),
        NodeKind::Element => page.name_id(node).map(SiblingKind::Element),
        _ => None,
    }
}

fn places(page: &Page) -> Vec<Place> {
    let mut places = vec![Place::default(); page.n_nodes()];
    let mut counts: HashMap<SiblingKind, u32, FixedState> = HashMap::default();
    for parent in std::iter::once(page.document()).chain(page.descendants(page.document())) {
        counts.clear();
        let mut n_elements = 0;
        for child in page.children(parent) {
            let Some(kind) = kind_of(page, child) else { continue };
            let count = counts.entry(kind).or_default();
            *count += 1;
            n_elements += u32::from(kind != SiblingKind::Text);
            let of_elements = if kind == SiblingKind::Text { 0 } else { n_elements };
            places[child.index()] = Place { of_elements, of_kind: *count, has_twin: false };
        }
        for child in page.children(parent) {
            let Some(kind) = kind_of(page, child) else { continue };
            places[child.index()].has_twin = counts.get(&kind).is_some_and(|count| *count > 1);
        }
    }
    places
}

fn nth(leaves: &Leaves) -> Vec<u32> {
    let mut counts: HashMap<NodeId, u32, FixedState> = HashMap::default();
    let mut nth = Vec::with_capacity(leaves.len());
    for leaf in leaves.iter() {
        let count = counts.entry(leaf.element).or_default();
        nth.push(*count);
        *count += 1;
    }
    nth
}

fn unique_ids(page: &Page) -> HashMap<&str, Option<NodeId>, FixedState> {
    let mut ids = HashMap::default();
    for node in page.descendants(page.document()) {
        if let Some(id) = page.attr(node, "id").filter(|id| !id.is_empty()) {
            ids.entry(id).and_modify(|unique| *unique = None).or_insert(Some(node));
        }
    }
    ids
}
