//! Several leaves as one text.

use page::{Leaf, LeafKind};

/// The texts of some leaves, joined as they stand on the page: with a blank only where there is one.
pub(crate) fn joined<'a>(leaves: impl ExactSizeIterator<Item = Leaf<'a>> + Clone) -> String {
    let is_alone = leaves.len() == 1;
    let mut out = String::with_capacity(leaves.clone().map(|leaf| leaf.text.len() + 1).sum());
    // A value for machines beside the text for people would say it twice.
    for leaf in leaves.filter(|leaf| is_alone || leaf.kind != LeafKind::Value) {
        if leaf.is_apart && !out.is_empty() {
            out.push(' ');
        }
        out.push_str(leaf.text);
    }
    out
}
