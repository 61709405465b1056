//! Features that need no training: how a spot looks, where it stands, what it is made of.

mod setting;
mod shape;

use super::{Feature, Scale};
use crate::sheet::{Origin, Sheet, Spot};
use crate::target::Group;
use page::{DataType, LeafKind};
use setting::{N_LANDMARKS, N_TAGS, Setting, Settings, Way, Ways};
use shape::Shape;

use Group::{Metadata, Structure, Style, Types};
use Scale::{Categories, Numbers};

const FEATURES: [Feature; 36] = [
    Feature { name: "origin", group: Structure, scale: Categories(7) },
    Feature { name: "tag", group: Structure, scale: Categories(N_TAGS + 1) },
    Feature { name: "block tag", group: Structure, scale: Categories(N_TAGS + 1) },
    Feature { name: "tag above block", group: Structure, scale: Categories(N_TAGS + 1) },
    Feature { name: "landmark", group: Structure, scale: Categories(N_LANDMARKS + 1) },
    Feature { name: "depth", group: Structure, scale: Numbers },
    Feature { name: "leaves of its path", group: Structure, scale: Numbers },
    Feature { name: "blocks of its kind beside it", group: Structure, scale: Numbers },
    Feature { name: "heading", group: Style, scale: Categories(8) },
    Feature { name: "bold", group: Style, scale: Categories(2) },
    Feature { name: "italic", group: Style, scale: Categories(2) },
    Feature { name: "link", group: Style, scale: Categories(2) },
    Feature { name: "size to common", group: Style, scale: Numbers },
    Feature { name: "size to largest", group: Style, scale: Numbers },
    Feature { name: "length", group: Style, scale: Numbers },
    Feature { name: "words", group: Style, scale: Numbers },
    Feature { name: "block length", group: Style, scale: Numbers },
    Feature { name: "block links", group: Style, scale: Numbers },
    Feature { name: "share of block", group: Style, scale: Numbers },
    Feature { name: "length before", group: Style, scale: Numbers },
    Feature { name: "links before", group: Style, scale: Numbers },
    Feature { name: "length after", group: Style, scale: Numbers },
    Feature { name: "links after", group: Style, scale: Numbers },
    Feature { name: "place", group: Style, scale: Numbers },
    Feature { name: "text before", group: Style, scale: Numbers },
    Feature { name: "from heading", group: Style, scale: Numbers },
    Feature { name: "share of text in parent", group: Style, scale: Numbers },
    Feature { name: "links in parent", group: Style, scale: Numbers },
    Feature { name: "share of text in grandparent", group: Style, scale: Numbers },
    Feature { name: "links in grandparent", group: Style, scale: Numbers },
    Feature { name: "type", group: Types, scale: Categories(DataType::ALL.len()) },
    Feature { name: "names a day", group: Types, scale: Categories(3) },
    Feature { name: "capitals", group: Types, scale: Categories(6) },
    Feature { name: "end", group: Types, scale: Categories(6) },
    Feature { name: "punctuation", group: Types, scale: Numbers },
    Feature { name: "statements alike", group: Metadata, scale: Numbers },
];

/// How many features there are.
pub(crate) const N_PLAIN: usize = FEATURES.len();

/// The features of all spots of a page.
pub(crate) struct Plain<'s, 'p> {
    sheet: &'s Sheet<'p>,
    ways: Ways,
    settings: Settings,
    common_size: f32,
    largest_size: f32,
    /// By leaf: bytes of text before it.
    before: Vec<usize>,
    total: usize,
    /// The leaf where the main heading starts.
    heading: Option<usize>,
}

impl<'s, 'p> Plain<'s, 'p> {
    pub(crate) const FEATURES: [Feature; N_PLAIN] = FEATURES;

    pub(crate) fn new(sheet: &'s Sheet<'p>) -> Plain<'s, 'p> {
        let leaves = &sheet.leaves;
        let ways = Ways::of(leaves);
        let mut before = Vec::with_capacity(leaves.len());
        let mut total = 0;
        let mut by_size: Vec<(f32, usize)> = Vec::new();
        for leaf in leaves.iter() {
            before.push(total);
            if leaf.kind == LeafKind::Text {
                total += leaf.text.len();
                let size = ways.get(leaf.path).size;
                match by_size.iter_mut().find(|it| it.0 == size) {
                    Some(known) => known.1 += leaf.text.len(),
                    None => by_size.push((size, leaf.text.len())),
                }
            }
        }
        let common = by_size.iter().max_by(|a, b| a.1.cmp(&b.1).then(b.0.total_cmp(&a.0)));
        let largest = by_size.iter().map(|it| it.0).max_by(f32::total_cmp);
        let total = total.max(1);
        Plain {
            sheet,
            common_size: common.map_or(1.0, |it| it.0),
            largest_size: largest.unwrap_or(1.0),
            heading: main_heading(sheet, &ways),
            ways,
            settings: Settings::of(sheet, total),
            before,
            total,
        }
    }

    pub(crate) fn of(&self, spot: &Spot, values: &mut Vec<f32>) {
        let start = values.len();
        if spot.leaves.is_empty() {
            // A statement stands nowhere.
            values.resize(start + N_PLAIN, 0.0);
            values[start] = 6.0;
        } else {
            self.place(spot, values);
            values.resize(start + N_PLAIN, 0.0);
        }
        texts(spot, self.sheet.text(spot), &mut values[start..]);
    }

    /// Where it stands and how it looks there.
    fn place(&self, spot: &Spot, values: &mut Vec<f32>) {
        let sheet = self.sheet;
        let position = spot.leaves.start;
        let leaf = sheet.leaves.get(position);
        let nth = sheet.block_of[position];
        let way: &Way = self.ways.get(leaf.path);
        let nowhere = Setting::default();
        let around =
            |nth: Option<usize>| nth.and_then(|it| self.settings.get(it)).unwrap_or(&nowhere);
        let (previous, here) = (around(nth.checked_sub(1)), around(Some(nth)));
        let next = around(Some(nth + 1));
        let origin = match (spot.origin, leaf.kind) {
            (Origin::Block, _) => 1.0,
            (Origin::Piece, _) => 2.0,
            (_, LeafKind::Text) => 0.0,
            (_, LeafKind::Image) => 3.0,
            (_, LeafKind::Field) => 4.0,
            (_, _) => 5.0,
        };
        let from_heading = self
            .heading
            .map_or(99.0, |heading| (position as f32 - heading as f32).clamp(-60.0, 60.0));
        values.extend([
            origin,
            way.tag,
            here.tag,
            here.tag_above,
            way.landmark,
            way.depth,
            way.n_leaves,
            here.alike,
            f32::from(way.heading),
            f32::from(u8::from(way.is_bold)),
            f32::from(u8::from(way.is_italic)),
            f32::from(u8::from(leaf.link.is_some())),
            way.size / self.common_size,
            way.size / self.largest_size,
            0.0,
            0.0,
            here.len,
            here.links,
            share(sheet.text(spot).len(), sheet.blocks[nth].len),
            previous.len,
            previous.links,
            next.len,
            next.links,
            position as f32 / sheet.leaves.len() as f32,
            self.before[position] as f32 / self.total as f32,
            from_heading,
            here.share_of_parent,
            here.links_of_parent,
            here.share_of_grandparent,
            here.links_of_grandparent,
        ]);
    }
}

/// What the text alone tells.
fn texts(spot: &Spot, text: &str, values: &mut [f32]) {
    let shape = Shape::of(text);
    values[14] = ln(text.len());
    values[15] = ln(shape.n_words);
    let data_type = DataType::classify(text);
    let code = DataType::ALL.iter().position(|it| *it == data_type).unwrap_or(0);
    values[30] = code as f32;
    values[31] = match spot.day {
        None => 0.0,
        Some(_) if text.len() > 40 => 1.0,
        Some(_) => 2.0,
    };
    values[32] = shape.capitals;
    values[33] = shape.end;
    values[34] = ln(shape.n_marks);
}

fn ln(n: usize) -> f32 {
    (n as f32).ln_1p()
}

fn share(part: usize, all: usize) -> f32 {
    if all == 0 { 0.0 } else { part as f32 / all as f32 }
}

/// Where the page's main heading starts: the first of the highest level that has a text of some length.
fn main_heading(sheet: &Sheet<'_>, ways: &Ways) -> Option<usize> {
    let mut first = [None; 3];
    for leaf in sheet.leaves.iter() {
        let level = usize::from(ways.get(leaf.path).heading).wrapping_sub(1);
        let is_long = || sheet.blocks[sheet.block_of[leaf.position]].len >= 12;
        if let Some(first @ None) = first.get_mut(level)
            && is_long()
        {
            *first = Some(leaf.position);
        }
    }
    first.into_iter().flatten().next()
}
