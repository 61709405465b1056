//! What leaves are outlined by: their types, or the fields that they are read as.

use super::palette::Pen;
use page::{DataType, Leaves};

/// What each leaf of a page is, for the colour of its outline.
///
/// ```
/// use render::{Marks, by_rules, draw, stack};
///
/// let page = page::parse(b"<h1>Dune</h1><p>$9.99<p>Imprint");
/// let leaves = page.leaves();
/// let mut looks = by_rules(&page, &leaves);
/// stack(&leaves, &mut looks, 300);
/// let fields = [Some("title".to_owned()), Some("price".to_owned()), None];
/// let drawing = draw(&leaves, &looks, &[], &Marks::fields(&fields), 300);
/// assert!(drawing.svg.contains(">title 1<") && drawing.svg.contains(">no field 1<"));
/// ```
#[derive(Clone, Debug)]
pub struct Marks {
    /// In the order of the legend.
    kinds: Vec<Kind>,
    /// The kind of each leaf.
    by_leaf: Vec<usize>,
}

/// Leaves that are outlined in the same way.
#[derive(Clone, Debug)]
pub(super) struct Kind {
    pub(super) name: String,
    pub(super) pen: Pen,
}

impl Marks {
    /// Leaves by their types.
    pub fn types(leaves: &Leaves) -> Marks {
        let kind = |it: &DataType| Kind { name: it.name().to_owned(), pen: Pen::of_type(*it) };
        let place = |it: DataType| DataType::ALL.iter().position(|known| *known == it);
        Marks {
            kinds: DataType::ALL.iter().map(kind).collect(),
            by_leaf: leaves.iter().map(|leaf| place(leaf.data_type()).unwrap_or(0)).collect(),
        }
    }

    /// Leaves by the fields that they are read as, one for each leaf; those that are none are pale. Colours go to fields in the
    /// order of the page.
    pub fn fields(by_leaf: &[Option<String>]) -> Marks {
        let mut names: Vec<&str> = Vec::new();
        for name in by_leaf.iter().flatten() {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        let place = |name: &str| names.iter().position(|known| *known == name);
        let of = |it: &Option<String>| it.as_deref().and_then(place).unwrap_or(names.len());
        let by_leaf = by_leaf.iter().map(of).collect();
        let field =
            |(nth, name): (usize, &&str)| Kind { name: name.to_string(), pen: Pen::of_field(nth) };
        let mut kinds: Vec<Kind> = names.iter().enumerate().map(field).collect();
        kinds.push(Kind { name: "no field".to_owned(), pen: Pen::of_type(DataType::String) });
        Marks { kinds, by_leaf }
    }

    /// Each kind, with how many of some leaves are of it.
    pub(super) fn counted(
        &self,
        leaves: impl Iterator<Item = usize>,
    ) -> impl Iterator<Item = (&Kind, usize)> {
        let mut counts = vec![0; self.kinds.len()];
        for kind in leaves.filter_map(|leaf| self.by_leaf.get(leaf)) {
            counts[*kind] += 1;
        }
        self.kinds.iter().zip(counts).filter(|(_, n_leaves)| *n_leaves > 0)
    }

    /// How a leaf is outlined.
    pub(super) fn pen(&self, leaf: usize) -> Pen {
        let kind = self.by_leaf.get(leaf).and_then(|kind| self.kinds.get(*kind));
        kind.map_or(Pen::of_type(DataType::String), |kind| kind.pen)
    }
}
