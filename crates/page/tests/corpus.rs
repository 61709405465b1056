use crate::{corpus_pages, files, laws, root};
use proptest::prelude::*;

#[test]
fn leaves_of_the_corpus_know_their_place() {
    for (_, bytes) in corpus_pages() {
        laws::leaves_know_their_place(&bytes);
    }
}

#[test]
fn the_corpus_has_the_same_trees_as_html5ever_gives() {
    for (_, bytes) in corpus_pages() {
        laws::same_tree_as_html5ever(&bytes);
    }
}

#[test]
fn the_corpus_is_within_the_limits() {
    for (path, bytes) in corpus_pages() {
        let page = page::parse(&bytes);
        let is_hostile = path.file_stem().is_some_and(|name| name == "deep-nesting");
        assert!(page.notes().is_empty() || is_hostile, "{path:?}: {:?}", page.notes());
    }
}

#[test]
fn texts_stand_where_their_spans_say() {
    for (path, bytes) in corpus_pages() {
        let page = page::parse(&bytes);
        for leaf in page.leaves().iter() {
            let written = &page.source()[leaf.span.range()];
            let is_plain = !written.contains(['&', '<', '\u{AD}', '\u{200B}', '\u{FEFF}']);
            if is_plain && leaf.attribute.is_none() {
                let collapsed = written.split_whitespace().collect::<Vec<_>>().join(" ");
                assert_eq!(collapsed, leaf.text, "{path:?}");
            }
        }
    }
}

#[test]
fn inputs_found_by_fuzzing_keep_the_laws() {
    let inputs = files(&root().join("fuzz/corpus"), |_| true);
    assert!(!inputs.is_empty(), "the fuzz corpus is there");
    for path in inputs {
        let bytes = std::fs::read(path).expect("readable");
        laws::leaves_know_their_place(&bytes);
        laws::same_tree_as_html5ever(&bytes);
    }
}

/// Tags, text and junk in any order: what a generator that knows some HTML comes up with.
fn soup() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        "</?(a|b|p|div|table|tr|td|ul|li|svg|math|template|select|option|script|title|h1|br|img)( (id|class|href|src|alt|hidden)=?\"?[a-z0-9 ]{0,3}\"?)?/?>",
        "[a-z 0-9$€.,:]{1,8}",
        "&[a-z#0-9]{0,6};?",
        "<!-?-?[a-z>-]{0,4}(-->)?",
        "\\PC{0,3}",
    ];
    prop::collection::vec(word, 0..40).prop_map(|words| words.concat())
}

proptest! {
    #[test]
    fn any_soup_keeps_the_laws(html in soup()) {
        laws::leaves_know_their_place(html.as_bytes());
        laws::same_tree_as_html5ever(html.as_bytes());
    }

    #[test]
    fn any_bytes_keep_the_laws(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        laws::leaves_know_their_place(&bytes);
    }

    #[test]
    fn leaves_are_the_same_for_any_chunking(
        page in any::<prop::sample::Index>(),
        cuts in prop::collection::vec(any::<usize>(), 0..20),
    ) {
        let pages = corpus_pages_once();
        laws::chunks_do_not_matter(&pages[page.index(pages.len())], &cuts);
    }
}

fn corpus_pages_once() -> &'static [Vec<u8>] {
    static PAGES: std::sync::OnceLock<Vec<Vec<u8>>> = std::sync::OnceLock::new();
    PAGES.get_or_init(|| corpus_pages().into_iter().map(|(_, bytes)| bytes).collect())
}
