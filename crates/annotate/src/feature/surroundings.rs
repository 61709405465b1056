//! What the classes, ids and properties of the elements above a spot say of it.
//!
//! Most spots share most of the elements above them, and most elements are called as others are. So words are read once for each
//! distinct call of elements, and what they say together is handed down the tree: a spot costs as much as its own element does.

use super::evidence::{CALLS, N_NEAR, called, home, is_whole_page};
use super::weights::{Weights, hear_all};
use super::word::{Kind, Word};
use crate::sheet::{Sheet, Spot};
use crate::text::Map;
use page::{AttrKeys, NodeId};

/// What is said above the spots of a page.
pub(crate) struct Surroundings<'s, 'p, 'w> {
    sheet: &'s Sheet<'p>,
    weights: &'w Weights,
    keys: AttrKeys<{ CALLS.len() }>,
    /// By how elements are called: what their words say as near and as far ones.
    calls: Map<[&'p str; CALLS.len()], [Said; 2]>,
    /// By node: what it says itself, near and far.
    own: Vec<Option<[Said; 2]>>,
    /// By node: what is said by the nearest elements, from it upwards.
    near: Vec<Option<Said>>,
    /// By node: what it and all elements above it say from afar.
    far: Vec<Option<Said>>,
    /// What was said, by number.
    said: Vec<f32>,
    /// Elements whose parents are looked at first.
    open: Vec<NodeId>,
    word: String,
}

/// The number of what some words say together.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Said(u32);

impl Said {
    const NOTHING: Said = Said(0);

    fn at(self, width: usize) -> std::ops::Range<usize> {
        let start = self.0 as usize * width;
        start..start + width
    }
}

impl<'s, 'p, 'w> Surroundings<'s, 'p, 'w> {
    pub(crate) fn new(sheet: &'s Sheet<'p>, weights: &'w Weights) -> Surroundings<'s, 'p, 'w> {
        let n_nodes = sheet.page.n_nodes();
        Surroundings {
            sheet,
            weights,
            keys: sheet.page.attr_keys(CALLS),
            calls: Map::default(),
            own: vec![None; n_nodes],
            near: vec![None; n_nodes],
            far: vec![None; n_nodes],
            said: vec![0.0; weights.n_said()],
            open: Vec::new(),
            word: String::new(),
        }
    }

    /// Write down what is said of a spot by near elements, then by far ones.
    pub(crate) fn of(&mut self, spot: &Spot, said: &mut [f32]) {
        let Some(element) = home(self.sheet, spot) else { return };
        let width = self.weights.n_said();
        let (near, far) = (self.near(element), self.far_above(element));
        said[..width].copy_from_slice(&self.said[near.at(width)]);
        said[width..2 * width].copy_from_slice(&self.said[far.at(width)]);
    }

    fn near(&mut self, element: NodeId) -> Said {
        if let Some(known) = self.near[element.index()] {
            return known;
        }
        let mut said = Said::NOTHING;
        let mut next = Some(element);
        for _ in 0..N_NEAR {
            let Some(node) = next.filter(|it| !is_whole_page(self.sheet.page, *it)) else { break };
            let [own, _] = self.own(node);
            said = self.both(said, own);
            next = self.sheet.page.parent(node);
        }
        self.near[element.index()] = Some(said);
        said
    }

    /// What is said by the elements beyond the near ones.
    fn far_above(&mut self, element: NodeId) -> Said {
        let page = self.sheet.page;
        let mut node = element;
        for _ in 0..N_NEAR {
            match page.parent(node) {
                Some(parent) if !is_whole_page(page, node) => node = parent,
                _ => return Said::NOTHING,
            }
        }
        self.far(node)
    }

    fn far(&mut self, node: NodeId) -> Said {
        let page = self.sheet.page;
        let mut next = Some(node);
        let mut said = Said::NOTHING;
        self.open.clear();
        while let Some(node) = next.filter(|it| !is_whole_page(page, *it)) {
            if let Some(known) = self.far[node.index()] {
                said = known;
                break;
            }
            self.open.push(node);
            next = page.parent(node);
        }
        while let Some(node) = self.open.pop() {
            let [_, own] = self.own(node);
            said = self.both(own, said);
            self.far[node.index()] = Some(said);
        }
        said
    }

    /// What the words of one element say, as near and as far ones.
    fn own(&mut self, node: NodeId) -> [Said; 2] {
        if let Some(known) = self.own[node.index()] {
            return known;
        }
        let own = self.call(node);
        self.own[node.index()] = Some(own);
        own
    }

    /// The same of all that are called like it.
    fn call(&mut self, node: NodeId) -> [Said; 2] {
        let mut call = [""; CALLS.len()];
        for (place, value) in self.sheet.page.attrs_by(node, &self.keys) {
            call[place] = value;
        }
        if call.iter().all(|it| it.is_empty()) {
            return [Said::NOTHING; 2];
        }
        if let Some(known) = self.calls.get(&call) {
            return *known;
        }
        let width = self.weights.n_said();
        let mut said = vec![0.0; 2 * width];
        let weights = self.weights;
        called(self.sheet.page, node, &self.keys, &mut self.word, |mark, word| {
            let new = |kind: Kind| (kind, Word::new(kind, mark).and(word));
            weights.hear(&[new(Kind::Near), new(Kind::Far)], &mut said);
        });
        let (near, far) = said.split_at(width);
        let own = [self.keep(near), self.keep(far)];
        self.calls.insert(call, own);
        own
    }

    /// What two say together, the first going before.
    fn both(&mut self, first: Said, second: Said) -> Said {
        if second == Said::NOTHING {
            return first;
        }
        if first == Said::NOTHING {
            return second;
        }
        let width = self.weights.n_said();
        let mut said = self.said[first.at(width)].to_vec();
        hear_all(&mut said, &self.said[second.at(width)]);
        self.keep(&said)
    }

    fn keep(&mut self, said: &[f32]) -> Said {
        if said.iter().all(|it| *it == 0.0) {
            return Said::NOTHING;
        }
        let number = self.said.len() / self.weights.n_said().max(1);
        self.said.extend_from_slice(said);
        Said(u32::try_from(number).unwrap_or(0))
    }
}
