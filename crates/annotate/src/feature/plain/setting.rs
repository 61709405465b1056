//! What spots share with others: the tags on the way to them, and the block they stand in. Each is looked at once.

use super::{ln, share};
use crate::sheet::Sheet;
use crate::text::Map;
use page::{Leaves, NodeId, Page, PathId};

/// Tags that are told apart, and those that part a page.
pub(super) const N_TAGS: usize = 43;
pub(super) const N_LANDMARKS: usize = 12;

/// What the tags from the root to a leaf tell.
#[derive(Clone, Copy)]
pub(super) struct Way {
    pub(super) tag: f32,
    /// The nearest element that parts a page.
    pub(super) landmark: f32,
    pub(super) depth: f32,
    /// The logarithm of how many leaves have the same.
    pub(super) n_leaves: f32,
    pub(super) size: f32,
    /// The level of the heading it is in; 7 is the title of the window.
    pub(super) heading: u8,
    pub(super) is_bold: bool,
    pub(super) is_italic: bool,
}

/// By path.
pub(super) struct Ways(Vec<Way>);

impl Ways {
    pub(super) fn of(leaves: &Leaves) -> Ways {
        let paths = leaves.paths();
        let root = Way {
            tag: 0.0,
            landmark: 0.0,
            depth: 0.0,
            n_leaves: 0.0,
            size: 1.0,
            heading: 0,
            is_bold: false,
            is_italic: false,
        };
        let mut ways = vec![root];
        for path in paths.iter().skip(1) {
            let above = ways[paths.parent(path).index()];
            ways.push(Way { depth: paths.depth(path) as f32, ..above.down(paths.tag(path)) });
        }
        let mut counts = vec![0usize; paths.len()];
        leaves.iter().for_each(|leaf| counts[leaf.path.index()] += 1);
        for (way, count) in ways.iter_mut().zip(counts) {
            way.n_leaves = (count as f32).ln();
        }
        Ways(ways)
    }

    pub(super) fn get(&self, path: PathId) -> &Way {
        &self.0[path.index()]
    }
}

impl Way {
    /// The way to an element that is in the last one.
    fn down(self, tag: &str) -> Way {
        // An attribute's value looks as its element does.
        if tag.starts_with('@') {
            return self;
        }
        let landmark = landmark_code(tag);
        let landmark = if landmark > 0.0 { landmark } else { self.landmark };
        let mut way = Way { tag: tag_code(tag), landmark, ..self };
        match tag {
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                let level = tag.as_bytes()[1] - b'0';
                way.heading = level;
                way.is_bold = true;
                way.is_italic = false;
                way.size = [2.0, 1.5, 1.17, 1.0, 0.83, 0.67][usize::from(level) - 1];
            }
            "title" => {
                way = Way { heading: 7, size: 1.0, is_bold: false, is_italic: false, ..way };
            }
            "b" | "strong" | "th" => way.is_bold = true,
            "i" | "em" | "cite" | "address" => way.is_italic = true,
            "small" | "sub" | "sup" => way.size *= 0.83,
            "big" => way.size *= 1.2,
            _ => {}
        }
        way
    }
}

/// What the block of a spot tells, and what is around it.
#[derive(Clone, Copy, Default)]
pub(super) struct Setting {
    pub(super) tag: f32,
    pub(super) tag_above: f32,
    /// The logarithm of how many elements of its kind are beside it, itself included.
    pub(super) alike: f32,
    /// The logarithm of its bytes, and the share of those inside links.
    pub(super) len: f32,
    pub(super) links: f32,
    /// Text beside links, as a share of the page's.
    pub(super) share_of_parent: f32,
    pub(super) links_of_parent: f32,
    pub(super) share_of_grandparent: f32,
    pub(super) links_of_grandparent: f32,
}

/// By block.
pub(super) struct Settings(Vec<Setting>);

impl Settings {
    /// Of a page that has so many bytes of text.
    pub(super) fn of(sheet: &Sheet<'_>, total: usize) -> Settings {
        let page = sheet.page;
        let code = |node: Option<NodeId>| node.and_then(|it| page.tag(it)).map_or(0.0, tag_code);
        let shares = |node: Option<NodeId>| {
            let mass = node.map(|node| sheet.mass(node)).unwrap_or_default();
            (share(mass.len - mass.link_len, total), share(mass.link_len, mass.len))
        };
        let mut siblings = Siblings::default();
        let settings = sheet.blocks.iter().map(|block| {
            let parent = page.parent(block.element);
            let (share_of_parent, links_of_parent) = shares(parent);
            let (share_of_grandparent, links_of_grandparent) =
                shares(parent.and_then(|parent| page.parent(parent)));
            Setting {
                tag: code(Some(block.element)),
                tag_above: code(parent),
                alike: (siblings.alike(page, block.element) as f32).ln(),
                len: ln(block.len),
                links: share(block.link_len, block.len),
                share_of_parent,
                links_of_parent,
                share_of_grandparent,
                links_of_grandparent,
            }
        });
        Settings(settings.collect())
    }

    pub(super) fn get(&self, block: usize) -> Option<&Setting> {
        self.0.get(block)
    }
}

/// How many children of each tag elements have. The children of one are counted once, however many blocks ask.
#[derive(Default)]
struct Siblings<'p> {
    counted: Map<NodeId, ()>,
    counts: Map<(NodeId, &'p str), usize>,
}

impl<'p> Siblings<'p> {
    /// Siblings of the same tag, itself included.
    fn alike(&mut self, page: &'p Page, element: NodeId) -> usize {
        const MANY: usize = 40;
        let (Some(parent), Some(tag)) = (page.parent(element), page.tag(element)) else { return 1 };
        if self.counted.insert(parent, ()).is_none() {
            for tag in page.children(parent).filter_map(|child| page.tag(child)) {
                *self.counts.entry((parent, tag)).or_default() += 1;
            }
        }
        self.counts.get(&(parent, tag)).copied().unwrap_or(1).min(MANY)
    }
}

fn landmark_code(tag: &str) -> f32 {
    let code: u8 = match tag {
        "article" => 1,
        "main" => 2,
        "aside" => 3,
        "nav" => 4,
        "header" => 5,
        "footer" => 6,
        "form" => 7,
        "section" => 8,
        "figure" => 9,
        "li" => 10,
        "td" => 11,
        "head" => 12,
        _ => 0,
    };
    f32::from(code)
}

fn tag_code(tag: &str) -> f32 {
    let code: u8 = match tag {
        "a" => 1,
        "p" => 2,
        "h1" => 3,
        "h2" => 4,
        "h3" => 5,
        "h4" => 6,
        "h5" => 7,
        "h6" => 8,
        "span" => 9,
        "div" => 10,
        "li" => 11,
        "td" => 12,
        "th" => 13,
        "time" => 14,
        "strong" => 15,
        "b" => 16,
        "em" => 17,
        "i" => 18,
        "dt" => 19,
        "dd" => 20,
        "label" => 21,
        "button" => 22,
        "option" => 23,
        "cite" => 24,
        "figcaption" => 25,
        "article" => 26,
        "section" => 27,
        "header" => 28,
        "footer" => 29,
        "aside" => 30,
        "main" => 31,
        "nav" => 32,
        "title" => 33,
        "small" => 34,
        "font" => 35,
        "blockquote" => 36,
        "pre" => 37,
        "code" => 38,
        "address" => 39,
        "center" => 40,
        "body" => 41,
        "meta" => 43,
        _ => 0,
    };
    f32::from(code)
}
