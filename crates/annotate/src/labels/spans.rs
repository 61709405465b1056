//! Labels in the markup itself: elements that say, by an attribute or a class, what is below them.

use super::{Label, LabelProblem, Labels};
use crate::target::Target;
use page::{NodeId, Page, ParseConfig};
use std::ops::Range;
use thiserror::Error;

/// How labelled elements are known.
///
/// ```
/// use annotate::{Spans, Target};
///
/// let target = Target::parse("<!ELEMENT news (title, author*)>")?;
/// let page = page::parse(b"<h1 data-label=title>Dune</h1><p class=who>Ann Lee");
/// let spans = Spans::default().with_class("who", "author");
/// assert_eq!(spans.labels(&target, &page)?.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Spans {
    attribute: String,
    classes: Vec<(String, String)>,
}

/// Why the labels of a page cannot be taken.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct SpanError(LabelProblem);

impl Default for Spans {
    fn default() -> Spans {
        Spans { attribute: "data-label".to_owned(), classes: Vec::new() }
    }
}

impl Spans {
    /// Know labelled elements by this attribute.
    #[must_use]
    pub fn with_attribute(mut self, name: &str) -> Spans {
        self.attribute = name.to_ascii_lowercase();
        self
    }

    /// What is below elements of this class is of that element of the schema; of none, if its name is empty.
    #[must_use]
    pub fn with_class(mut self, class: &str, element: &str) -> Spans {
        self.classes.push((class.to_owned(), element.to_owned()));
        self
    }

    /// The labels of a page: of several labelled elements around a leaf the nearest counts.
    pub fn labels(&self, target: &Target, page: &Page) -> Result<Labels, SpanError> {
        // Parents come before their children, so one pass hands labels down.
        let mut of_node: Vec<Option<usize>> = vec![None; page.n_nodes()];
        for node in page.descendants(page.document()) {
            of_node[node.index()] = match self.name(page, node) {
                Some("") => None,
                Some(name) => {
                    let unknown = || SpanError(LabelProblem::unknown_element(name, target));
                    Some(target.find(name).ok_or_else(unknown)?)
                }
                None => page.parent(node).and_then(|parent| of_node[parent.index()]),
            };
        }
        let leaves = page.leaves();
        let labels = leaves.iter().filter(|leaf| !leaf.text.is_empty()).filter_map(|leaf| {
            of_node[leaf.element.index()].map(|element| Label::Leaf(leaf.position, element))
        });
        Ok(Labels::new(labels.collect()))
    }

    fn name<'s>(&'s self, page: &'s Page, node: NodeId) -> Option<&'s str> {
        if let Some(name) = page.attr(node, &self.attribute) {
            return Some(name.trim());
        }
        let mut classes = page.attr(node, "class")?.split_ascii_whitespace();
        classes
            .find_map(|class| self.classes.iter().find(|it| it.0 == class).map(|it| it.1.as_str()))
    }

    /// The page without what labels it, so that no model learns to look for labels. Its leaves are the same.
    pub fn cleaned(&self, page: &Page) -> Page {
        let mut changes = Vec::new();
        for node in page.descendants(page.document()) {
            if page.attr(node, &self.attribute).is_some() {
                let place = page.attr_span(node, &self.attribute);
                changes.extend(place.map(|place| (place.range(), String::new())));
            }
            let classes = page.attr(node, "class").unwrap_or_default();
            if classes.split_ascii_whitespace().any(|it| self.is_label(it)) {
                let place = page.attr_span(node, "class");
                changes.extend(place.map(|place| (place.range(), self.unlabelled(classes))));
            }
        }
        changes.sort_unstable_by_key(|(place, _)| place.start);
        // Elements that the parser opens again share their attributes, and where these stand.
        changes.dedup_by_key(|(place, _)| place.start);
        let source = changed(page.source(), &changes);
        page::parse_with(source.as_bytes(), &ParseConfig::default().with_charset("utf-8"))
    }

    fn is_label(&self, class: &str) -> bool {
        self.classes.iter().any(|(label, _)| label == class)
    }

    /// The classes that are no labels.
    fn unlabelled(&self, classes: &str) -> String {
        let kept = classes.split_ascii_whitespace().filter(|it| !self.is_label(it));
        kept.collect::<Vec<&str>>().join(" ").replace('&', "&amp;").replace('"', "&quot;")
    }
}

/// The source with other values of attributes.
fn changed(source: &str, changes: &[(Range<usize>, String)]) -> String {
    let mut text = String::with_capacity(source.len());
    let mut end = 0;
    for (place, value) in changes {
        text.push_str(&source[end..place.start]);
        match source[..place.start].ends_with(['"', '\'']) {
            true => text.push_str(value),
            // Without quotes there must be something, and no blank in it.
            false => text.push_str(&format!("\"{value}\"")),
        }
        end = place.end;
    }
    text + &source[end..]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target() -> Target {
        Target::parse("<!ELEMENT news (title, author*)>").unwrap()
    }

    fn labelled(spans: &Spans, html: &str) -> Vec<(String, usize)> {
        let page = page::parse(html.as_bytes());
        let leaves = page.leaves();
        let labels = spans.labels(&target(), &page).unwrap();
        let text = |label: &Label| match label {
            Label::Leaf(leaf, element) => (leaves.get(*leaf).text.to_owned(), *element),
            Label::Value(..) => panic!("spans name leaves"),
        };
        labels.labels.iter().map(text).collect()
    }

    #[test]
    fn the_nearest_labelled_element_counts() {
        let html = "<div class='a x'>One <b class=y>two</b> <i class=z>three</i></div><p>four";
        let spans =
            Spans::default().with_class("x", "title").with_class("y", "author").with_class("z", "");
        assert_eq!(labelled(&spans, html), [("One".to_owned(), 0), ("two".to_owned(), 1)]);
        let html = "<span tag=author>Ann</span>";
        assert_eq!(labelled(&Spans::default(), html), []);
        let spans = Spans::default().with_attribute("tag");
        assert_eq!(labelled(&spans, html), [("Ann".to_owned(), 1)]);
    }

    #[test]
    fn unknown_elements_are_told() {
        let page = page::parse(b"<p data-label=titel>x");
        assert_eq!(
            Spans::default().labels(&target(), &page).unwrap_err().to_string(),
            "the schema has no element \"titel\"; it has title, author"
        );
    }

    #[test]
    fn cleaned_pages_tell_nothing_and_keep_their_leaves() {
        let html = "<h1 class='big sel1'>Häuser</h1><p class=sel2 data-label='author'>Ann<p>rest";
        let spans = Spans::default().with_class("sel1", "title").with_class("sel2", "");
        let page = page::parse(html.as_bytes());
        let clean = spans.cleaned(&page);
        assert!(!clean.source().contains("sel") && !clean.source().contains("author"));
        assert!(clean.source().contains("class='big'"));
        let texts = |page: &Page| -> Vec<String> {
            page.leaves().iter().map(|it| it.text.to_owned()).collect()
        };
        assert_eq!(texts(&clean), texts(&page));
    }
}
