//! What a block is part of: the elements above it, and the blocks that stand in elements of the same kind.

use super::super::block::Text;
use super::super::crumb::Crumbs;
use super::{flag, ln};
use crate::context::heaviest;
use crate::sheet::{Sheet, Sums};
use crate::text::Map;
use page::NodeId;

pub(super) struct Kin<'s, 'p> {
    sheet: &'s Sheet<'p>,
    crumbs: &'s Crumbs,
    texts: &'s [Text],
    /// By leaf, at the first of each block.
    prose: Sums<usize>,
    words: Sums<usize>,
    linked: Sums<usize>,
    /// Words of prose on the page.
    total: f32,
    region: Option<NodeId>,
    kinds: Map<u64, Kind>,
    /// By block: prose of its kind before it.
    before: Vec<usize>,
    /// The block where the first paragraph is.
    first: usize,
    /// How many children of each kind elements have, and which elements' children are counted.
    alike: Map<(NodeId, u64), usize>,
    counted: Map<NodeId, ()>,
}

/// All blocks of one kind.
#[derive(Default)]
struct Kind {
    prose: usize,
    words: usize,
    first: usize,
}

/// The region is gone down to while one child has so much of the prose.
const MOST: f32 = 0.6;
/// Elements above a block that may repeat.
const N_ABOVE: usize = 8;
/// Blocks further away are far.
const FAR: f32 = 30.0;

impl<'s, 'p> Kin<'s, 'p> {
    pub(super) fn of(
        sheet: &'s Sheet<'p>,
        crumbs: &'s Crumbs,
        texts: &'s [Text],
        first: usize,
    ) -> Kin<'s, 'p> {
        let sums = |of: fn(&Text) -> usize| {
            let mut counts = vec![0; sheet.leaves.len()];
            texts.iter().for_each(|text| counts[text.leaves.start] = of(text));
            Sums::of(counts.into_iter())
        };
        let prose = sums(Text::prose);
        let mass = |node: NodeId| prose.over(sheet.extents.below(node)) as f32;
        let region = heaviest(sheet.page, mass, 1.0, MOST);
        let mut kinds: Map<u64, Kind> = Map::default();
        let mut before = Vec::with_capacity(texts.len());
        for (nth, text) in texts.iter().enumerate() {
            let fresh = || Kind { first: nth, ..Kind::default() };
            let kind = kinds.entry(crumbs.get(text.element).way).or_insert_with(fresh);
            before.push(kind.prose);
            kind.prose += text.prose();
            kind.words += text.n_words;
        }
        Kin {
            sheet,
            crumbs,
            texts,
            total: prose.over(0..sheet.leaves.len()).max(1) as f32,
            prose,
            words: sums(|text| text.n_words),
            linked: sums(|text| text.n_linked),
            region,
            kinds,
            before,
            first,
            alike: Map::default(),
            counted: Map::default(),
        }
    }

    pub(super) fn push(&mut self, nth: usize, values: &mut Vec<f32>) {
        let sheet = self.sheet;
        let text = &self.texts[nth];
        let mut above =
            sheet.page.ancestors(text.element).filter(|it| sheet.page.tag(*it).is_some());
        let (parent, grandparent) = (above.next(), above.next());
        let below = |node: NodeId| sheet.extents.below(node);
        let share = |node: Option<NodeId>| {
            node.map_or(1.0, |node| self.prose.over(below(node)) as f32 / self.total)
        };
        let links = parent.map_or(1.0, |node| {
            self.linked.over(below(node)) as f32 / self.words.over(below(node)).max(1) as f32
        });
        let is_inside = self.region.is_some_and(|it| sheet.is_below(text.leaves.start, it));
        let shares = [share(parent), share(grandparent)];
        values.extend(shares);
        values.extend([links, flag(is_inside), self.repeats_above(text.element)]);
        let nothing = Kind::default();
        let kind = self.kinds.get(&self.crumbs.get(text.element).way).unwrap_or(&nothing);
        values.extend([
            kind.prose as f32 / self.total,
            kind.prose as f32 / kind.words.max(1) as f32,
            self.before[nth] as f32 / self.total,
            (kind.first as f32 - self.first as f32).clamp(-FAR, FAR),
        ]);
    }

    /// The logarithm of how often the element above that repeats most is there beside itself.
    fn repeats_above(&mut self, element: NodeId) -> f32 {
        let page = self.sheet.page;
        let mut most = 1;
        for node in page.ancestors(element).take(N_ABOVE) {
            let Some(parent) = page.parent(node) else { break };
            if matches!(page.tag(node), None | Some("body" | "html")) {
                break;
            }
            if self.counted.insert(parent, ()).is_none() {
                for child in page.children(parent) {
                    if self.words.over(self.sheet.extents.below(child)) > 0 {
                        *self.alike.entry((parent, self.crumbs.get(child).kind)).or_default() += 1;
                    }
                }
            }
            let alike = self.alike.get(&(parent, self.crumbs.get(node).kind));
            most = most.max(alike.copied().unwrap_or(1));
        }
        ln(most - 1)
    }
}
