//! Selectors are read by the engine of Servo and Firefox, on the same pages.

use crate::corpus_pages;
use scraper::{Html, Selector};
use std::path::Path;

#[test]
fn selectors_lead_others_to_the_same_element() {
    // Of MathML's integration points, where HTML goes on inside, scraper's tree knows nothing.
    let has_same_tree = |path: &Path| !path.ends_with("odd/foreign-content.html");
    for (path, bytes) in corpus_pages().into_iter().filter(|(path, _)| has_same_tree(path)) {
        let page = page::parse(&bytes);
        let leaves = page.leaves();
        let addresses = page.addresses(&leaves);
        let html = Html::parse_document(page.source());
        let stride = leaves.len() / 60 + 1;
        for leaf in leaves.iter().step_by(stride) {
            let address = addresses.of(&leaf);
            let selector = Selector::parse(&address.selector).expect("a selector that others read");
            let found: Vec<_> = html.select(&selector).collect();
            assert_eq!(found.len(), 1, "{path:?}: {}", address.selector);
            assert_eq!(Some(found[0].value().name()), page.tag(leaf.element), "{path:?}");
            let text: String = found[0].text().collect();
            assert_eq!(text, page.text_content(leaf.element), "{path:?}: {}", address.selector);
        }
    }
}
