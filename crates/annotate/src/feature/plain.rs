//! Features that need no training: how a spot looks, where it stands, what it is made of.

use super::{Feature, Scale};
use crate::sheet::{Block, Mass, Origin, Sheet, Spot};
use crate::target::Group;
use page::{DataType, LeafKind, NodeId, Page};

const TAGS: [&str; 43] = [
    "a",
    "p",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "span",
    "div",
    "li",
    "td",
    "th",
    "time",
    "strong",
    "b",
    "em",
    "i",
    "dt",
    "dd",
    "label",
    "button",
    "option",
    "cite",
    "figcaption",
    "article",
    "section",
    "header",
    "footer",
    "aside",
    "main",
    "nav",
    "title",
    "small",
    "font",
    "blockquote",
    "pre",
    "code",
    "address",
    "center",
    "body",
    "address",
    "meta",
];

const LANDMARKS: [&str; 12] = [
    "article", "main", "aside", "nav", "header", "footer", "form", "section", "figure", "li", "td",
    "head",
];

use Group::{Metadata, Structure, Style, Types};
use Scale::{Categories, Numbers};

const FEATURES: [Feature; 36] = [
    Feature { name: "origin", group: Structure, scale: Categories(7) },
    Feature { name: "tag", group: Structure, scale: Categories(TAGS.len() + 1) },
    Feature { name: "block tag", group: Structure, scale: Categories(TAGS.len() + 1) },
    Feature { name: "tag above block", group: Structure, scale: Categories(TAGS.len() + 1) },
    Feature { name: "landmark", group: Structure, scale: Categories(LANDMARKS.len() + 1) },
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
    looks: Vec<Look>,
    common_size: f32,
    largest_size: f32,
    /// By leaf: how many leaves are at the same path.
    n_at_path: Vec<usize>,
    /// By leaf: bytes of text before it.
    before: Vec<usize>,
    total: usize,
    /// The leaf where the main heading starts.
    heading: Option<usize>,
}

/// How a leaf looks, told by tags.
#[derive(Clone, Copy)]
struct Look {
    size: f32,
    heading: u8,
    is_bold: bool,
    is_italic: bool,
}

impl<'s, 'p> Plain<'s, 'p> {
    pub(crate) const FEATURES: [Feature; N_PLAIN] = FEATURES;

    pub(crate) fn new(sheet: &'s Sheet<'p>) -> Plain<'s, 'p> {
        let page = sheet.page;
        let leaves = &sheet.leaves;
        let looks: Vec<Look> = leaves.iter().map(|leaf| look(page, leaf.element)).collect();
        let mut counts = vec![0; leaves.paths().len()];
        let mut before = Vec::with_capacity(leaves.len());
        let mut total = 0;
        let mut by_size: Vec<(f32, usize)> = Vec::new();
        for (leaf, look) in leaves.iter().zip(&looks) {
            counts[leaf.path.index()] += 1;
            before.push(total);
            if leaf.kind == LeafKind::Text {
                total += leaf.text.len();
                match by_size.iter_mut().find(|it| it.0 == look.size) {
                    Some(known) => known.1 += leaf.text.len(),
                    None => by_size.push((look.size, leaf.text.len())),
                }
            }
        }
        let common = by_size.iter().max_by(|a, b| a.1.cmp(&b.1).then(b.0.total_cmp(&a.0)));
        let largest = by_size.iter().map(|it| it.0).max_by(f32::total_cmp);
        let n_at_path = leaves.iter().map(|leaf| counts[leaf.path.index()]).collect();
        Plain {
            sheet,
            common_size: common.map_or(1.0, |it| it.0),
            largest_size: largest.unwrap_or(1.0),
            heading: main_heading(sheet, &looks),
            looks,
            n_at_path,
            before,
            total: total.max(1),
        }
    }

    pub(crate) fn of(&self, spot: &Spot, values: &mut Vec<f32>) {
        let sheet = self.sheet;
        let page = sheet.page;
        let text = sheet.text(spot);
        let start = values.len();
        let Some(position) = Some(spot.leaves.start).filter(|_| !spot.leaves.is_empty()) else {
            // A statement stands nowhere.
            values.resize(start + N_PLAIN, 0.0);
            values[start] = 6.0;
            self.texts(spot, text, &mut values[start..]);
            return;
        };
        let leaf = sheet.leaves.get(position);
        let nth = sheet.block_of[position];
        let block = &sheet.blocks[nth];
        let look = self.looks[position];
        let parent = page.parent(block.element);
        let grandparent = parent.and_then(|parent| page.parent(parent));
        let mass =
            |node: Option<NodeId>| node.map(|node| sheet.masses[node.index()]).unwrap_or_default();
        let neighbour = |nth: Option<usize>| nth.and_then(|nth| sheet.blocks.get(nth));
        let (previous, next) = (neighbour(nth.checked_sub(1)), neighbour(Some(nth + 1)));
        let origin = match (spot.origin, leaf.kind) {
            (Origin::Block, _) => 1.0,
            (Origin::Piece, _) => 2.0,
            (_, LeafKind::Text) => 0.0,
            (_, LeafKind::Image) => 3.0,
            (_, LeafKind::Field) => 4.0,
            (_, _) => 5.0,
        };
        values.extend([
            origin,
            tag_code(page.tag(leaf.element)),
            tag_code(page.tag(block.element)),
            tag_code(parent.and_then(|parent| page.tag(parent))),
            landmark(page, leaf.element),
            sheet.leaves.paths().depth(leaf.path) as f32,
            (self.n_at_path[position] as f32).ln(),
            (alike(page, block.element) as f32).ln(),
            f32::from(look.heading),
            f32::from(u8::from(look.is_bold)),
            f32::from(u8::from(look.is_italic)),
            f32::from(u8::from(leaf.link.is_some())),
            look.size / self.common_size,
            look.size / self.largest_size,
            0.0,
            0.0,
            ln(block.len),
            share(block.link_len, block.len),
            share(text.len(), block.len),
            length(previous),
            links(previous),
            length(next),
            links(next),
            position as f32 / sheet.leaves.len() as f32,
            self.before[position] as f32 / self.total as f32,
            self.heading
                .map_or(99.0, |heading| (position as f32 - heading as f32).clamp(-60.0, 60.0)),
            own_share(mass(parent), self.total),
            mass_links(mass(parent)),
            own_share(mass(grandparent), self.total),
            mass_links(mass(grandparent)),
        ]);
        values.resize(start + N_PLAIN, 0.0);
        self.texts(spot, text, &mut values[start..]);
    }

    /// What the text alone tells.
    fn texts(&self, spot: &Spot, text: &str, values: &mut [f32]) {
        let n_words = text.split_whitespace().count();
        values[14] = ln(text.len());
        values[15] = ln(n_words);
        let data_type = DataType::classify(text);
        let code = DataType::ALL.iter().position(|it| *it == data_type).unwrap_or(0);
        values[30] = code as f32;
        values[31] = match spot.day {
            None => 0.0,
            Some(_) if text.len() > 40 => 1.0,
            Some(_) => 2.0,
        };
        values[32] = capitals(text, n_words);
        values[33] = end(text);
        values[34] = ln(text
            .chars()
            .filter(|c| matches!(c, ',' | '.' | ';' | '，' | '。' | '、' | '！' | '？'))
            .count());
    }
}

fn ln(n: usize) -> f32 {
    (n as f32).ln_1p()
}

fn share(part: usize, all: usize) -> f32 {
    if all == 0 { 0.0 } else { part as f32 / all as f32 }
}

fn length(block: Option<&Block>) -> f32 {
    block.map_or(0.0, |block| ln(block.len))
}

fn links(block: Option<&Block>) -> f32 {
    block.map_or(0.0, |block| share(block.link_len, block.len))
}

fn own_share(mass: Mass, total: usize) -> f32 {
    share(mass.len - mass.link_len, total)
}

fn mass_links(mass: Mass) -> f32 {
    share(mass.link_len, mass.len)
}

fn code(list: &[&str], tag: &str) -> f32 {
    list.iter().position(|it| *it == tag).map_or(0.0, |nth| (nth + 1) as f32)
}

fn tag_code(tag: Option<&str>) -> f32 {
    tag.map_or(0.0, |tag| code(&TAGS, tag))
}

fn landmark(page: &Page, element: NodeId) -> f32 {
    let all = std::iter::once(element).chain(page.ancestors(element));
    let mut codes = all.filter_map(|node| Some(code(&LANDMARKS, page.tag(node)?)));
    codes.find(|code| *code > 0.0).unwrap_or(0.0)
}

/// Siblings of the same tag, itself included.
fn alike(page: &Page, element: NodeId) -> usize {
    const MANY: usize = 40;
    let Some(parent) = page.parent(element) else { return 1 };
    let tag = page.tag(element);
    page.children(parent).filter(|child| page.tag(*child) == tag).take(MANY).count().max(1)
}

fn look(page: &Page, element: NodeId) -> Look {
    let mut look = Look { size: 1.0, heading: 0, is_bold: false, is_italic: false };
    let all = std::iter::once(element).chain(page.ancestors(element));
    for tag in all.filter_map(|node| page.tag(node)) {
        match tag {
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                let level = tag.as_bytes()[1] - b'0';
                look.heading = level;
                look.is_bold = true;
                look.size *= [2.0, 1.5, 1.17, 1.0, 0.83, 0.67][usize::from(level) - 1];
                break;
            }
            "title" => {
                look.heading = 7;
                break;
            }
            "b" | "strong" | "th" => look.is_bold = true,
            "i" | "em" | "cite" | "address" => look.is_italic = true,
            "small" | "sub" | "sup" => look.size *= 0.83,
            "big" => look.size *= 1.2,
            _ => {}
        }
    }
    look
}

/// Where the page's main heading starts: the first of the highest level that has a text of some length.
fn main_heading(sheet: &Sheet<'_>, looks: &[Look]) -> Option<usize> {
    let is_long = |position: usize| {
        let block = &sheet.blocks[sheet.block_of[position]];
        block.len >= 12
    };
    let level = |level: u8| (0..looks.len()).find(|it| looks[*it].heading == level && is_long(*it));
    (1..=3).find_map(level)
}

/// How words are capitalised: 1 as a name, 2 each word, 3 all letters, 4 as a sentence, 5 not at all.
fn capitals(text: &str, n_words: usize) -> f32 {
    const MANY: usize = 30;
    let firsts = text
        .split_whitespace()
        .take(MANY)
        .filter_map(|word| word.chars().find(|c| c.is_alphanumeric()));
    let n_upper = firsts.clone().filter(|c| c.is_uppercase()).count();
    let n = firsts.count();
    let has_digit = text.bytes().any(|c| c.is_ascii_digit());
    let letters = text.chars().filter(|c| c.is_alphabetic()).take(200);
    let n_lower = letters.clone().filter(|c| c.is_lowercase()).count();
    match () {
        () if n == 0 => 0.0,
        () if n_upper == n && n_lower == 0 => 3.0,
        () if n_upper == n && (2..=4).contains(&n_words) && !has_digit => 1.0,
        () if n_upper * 4 >= n * 3 => 2.0,
        () if n_upper > 0 => 4.0,
        () => 5.0,
    }
}

/// The kind of the last character.
fn end(text: &str) -> f32 {
    match text.chars().next_back() {
        None => 0.0,
        Some('.' | '!' | '。' | '！') => 1.0,
        Some('?' | '？') => 2.0,
        Some(':' | '：') => 3.0,
        Some('"' | '”' | '’' | '»' | '…' | '」') => 4.0,
        Some(_) => 5.0,
    }
}
