//! What holds for any bytes whatever. Shared by the tests, which try the laws on stored pages, and by the fuzz targets,
//! which look for pages that break them.

use page::reference::{self, Conformance};
use page::{Eye, Leaf, Leaves, NodeId, ParseConfig, Skimmer};
use std::collections::{HashMap, HashSet};

/// Every leaf has a text or a picture, a span inside the source, and addresses that lead back to it.
pub(crate) fn leaves_know_their_place(bytes: &[u8]) {
    let page = page::parse(bytes);
    let leaves = page.leaves();
    let addresses = page.addresses(&leaves);
    let raw_map = page.raw_map(bytes);
    for leaf in leaves.iter() {
        assert!(!leaf.text.is_empty() || leaf.src.is_some(), "{leaf:?} shows nothing");
        assert!(
            !leaf.text.starts_with(' ') && !leaf.text.ends_with(' '),
            "{leaf:?} is not trimmed"
        );
        assert!(page.source().get(leaf.span.range()).is_some(), "{leaf:?} is out of the source");
        assert!(bytes.get(raw_map.range(leaf.span)).is_some(), "{leaf:?} is out of the bytes");
    }
    // Looking a leaf up walks over all leaves: a sample keeps this below the square.
    let stride = leaves.len() / 200 + 1;
    for leaf in leaves.iter().step_by(stride) {
        let address = addresses.of(&leaf);
        let by_xpath = addresses.find(&address.xpath);
        assert_eq!(by_xpath.map(|it| it.position), Some(leaf.position), "{address:?} of {leaf:?}");
        let by_selector = addresses.find_selector(&address.selector, address.nth);
        assert_eq!(
            by_selector.map(|it| it.position),
            Some(leaf.position),
            "{address:?} of {leaf:?}"
        );
    }
}

/// Our parser and html5ever give the same tree.
pub(crate) fn same_tree_as_html5ever(bytes: &[u8]) {
    let html = String::from_utf8_lossy(bytes);
    let ours = reference::parse_conformance(
        &html,
        Conformance { scripting: true, ..Conformance::default() },
    );
    let theirs = reference::parse(&html);
    let (ours, theirs) = (ours.dump(ours.document()), theirs.dump(theirs.document()));
    assert!(ours == theirs, "{html:?}\nours:\n{ours}\nhtml5ever's:\n{theirs}");
}

/// However the bytes arrive, the leaves are the same.
pub(crate) fn chunks_do_not_matter(bytes: &[u8], cuts: &[usize]) {
    let whole = page::parse(bytes);
    let mut feed = page::Feed::default();
    let mut start = 0;
    let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut % (bytes.len() + 1)).collect();
    cuts.sort_unstable();
    for cut in cuts {
        feed.push(&bytes[start..cut]);
        start = cut;
    }
    feed.push(&bytes[start..]);
    let fed = feed.finish(&page::ParseConfig::default());
    assert!(whole.leaves().iter().eq(fed.leaves().iter()));
}

/// Sees all that there is to see of elements.
#[derive(Default)]
pub(crate) struct Sharp {
    meanings: HashMap<Vec<Option<String>>, u32>,
    marks: HashMap<(u32, String, Vec<Option<String>>), u32>,
    /// By mark, the elements from the root on.
    ways: Vec<Vec<Element>>,
}

/// Its tag, and its attributes of [`SEEN`].
type Element = (String, Vec<Option<String>>);

const SEEN: [&str; 3] = ["class", "id", "name"];

impl Eye for Sharp {
    fn attributes(&self) -> &'static [&'static str] {
        &SEEN
    }

    fn meaning(&mut self, values: &[Option<&str>]) -> u32 {
        let next = number(self.meanings.len());
        let values = values.iter().map(|value| value.map(str::to_owned)).collect();
        *self.meanings.entry(values).or_insert(next)
    }

    fn mark(&mut self, around: u32, tag: &str, meaning: u32) -> u32 {
        let values = self.meanings.iter().find(|(_, it)| **it == meaning).expect("given before");
        let element = (tag.to_owned(), values.0.clone());
        let next = number(self.ways.len());
        let mark =
            *self.marks.entry((around, element.0.clone(), element.1.clone())).or_insert(next);
        if mark == next {
            let mut way = self.ways[around as usize].clone();
            way.push(element);
            self.ways.push(way);
        }
        mark
    }

    fn forget(&mut self) {
        *self = Sharp { ways: vec![Vec::new()], ..Sharp::default() };
    }
}

fn number(index: usize) -> u32 {
    u32::try_from(index).expect("few")
}

/// A page that is skimmed has the leaves of its tree, in the same places, whatever was skimmed before it. Says whether it could
/// be skimmed.
pub(crate) fn skimming_finds_the_same(
    skimmer: &mut Skimmer,
    eye: &mut Sharp,
    bytes: &[u8],
) -> bool {
    let page = page::parse(bytes);
    let leaves = page.leaves();
    let Ok(skimmed) = skimmer.skim(bytes, &ParseConfig::default(), eye) else { return false };
    let html = String::from_utf8_lossy(bytes);
    let n = (leaves.len(), skimmed.leaves.len(), skimmed.places.len());
    assert!(n.0 == n.1 && n.1 == n.2, "{n:?} leaves: {html:?}");
    let mut met: HashSet<NodeId> = HashSet::new();
    for (leaf, found) in leaves.iter().zip(skimmed.leaves.iter()) {
        assert_eq!(told(&leaf, &leaves), told(&found, skimmed.leaves), "{html:?}");
        let element = |node: NodeId| -> Element {
            let values = SEEN.map(|name| page.attr(node, name).map(str::to_owned));
            (page.tag(node).unwrap_or_default().to_owned(), values.into())
        };
        let mut around: Vec<NodeId> =
            std::iter::once(leaf.element).chain(page.ancestors(leaf.element)).collect();
        around.pop();
        let place = skimmed.places[leaf.position];
        let n_common = around.iter().filter(|node| met.contains(node)).count();
        assert_eq!(usize::from(place.common), n_common, "{leaf:?} of {html:?}");
        met.extend(&around);
        let way: Vec<Element> = around.into_iter().rev().map(element).collect();
        assert_eq!(eye.ways[place.mark as usize], way, "{leaf:?} of {html:?}");
    }
    true
}

/// All of a leaf but its nodes.
fn told(leaf: &Leaf<'_>, of: &Leaves) -> impl PartialEq + std::fmt::Debug {
    let Leaf { text, kind, link, src, attribute, span, is_apart, .. } = *leaf;
    let path = of.paths().display(leaf.path).to_string();
    let owned = |it: Option<&str>| it.map(str::to_owned);
    (text.to_owned(), path, kind, (owned(link), owned(src)), attribute, span, is_apart)
}
