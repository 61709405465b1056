//! What holds for any bytes whatever. Shared by the tests, which try the laws on stored pages, and by the fuzz targets,
//! which look for pages that break them.

use page::reference::{self, Conformance};

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
