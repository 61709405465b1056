//! Where leaves stand.
//!
//! The engine lays out text by paragraphs (its inline roots): one text for all that flows together, with a mark on each
//! stretch of the element it is directly in. Which text node a stretch comes from is told by counting: white space may
//! have been collapsed, but what is not white space comes in the same order and number.

use super::document::Document;
use crate::look::{Area, Line, Look};
use blitz_dom::node::{ListItemLayout, ListItemLayoutPosition, Marker, TextBrush, TextLayout};
use blitz_dom::{BaseDocument, Node, NodeId};
use page::{LeafKind, Leaves, Page};
use parley::PositionedLayoutItem;
use std::collections::HashMap;
use std::ops::Range;
use style::values::specified::text::TextTransform;

/// Give each leaf its place and its lines; what has none is not seen.
pub(super) fn read(
    page: &Page,
    leaves: &Leaves,
    document: &Document,
    looks: &mut [Look],
    lines: &mut [Vec<Line>],
) {
    let mut texts = text_lines(&document.inner);
    for ((leaf, look), lines) in leaves.iter().zip(looks).zip(lines) {
        if !look.is_visible {
            continue;
        }
        let text = document.id(leaf.node).filter(|_| leaf.kind == LeafKind::Text);
        *lines = text.and_then(|id| texts.remove(&id)).unwrap_or_default();
        let area = lines.iter().map(|line| line.area).reduce(Area::hull);
        // The text of a field to write into is not laid out with the page.
        let is_box = leaf.kind != LeafKind::Text || page.tag(leaf.element) == Some("textarea");
        let area = if is_box { box_area(document, leaf.element) } else { area };
        look.area = area.filter(|area| is_on_page(*area));
        look.is_visible = look.area.is_some();
    }
}

/// Pages put above or left of the page what only screen readers should find.
fn is_on_page(area: Area) -> bool {
    !area.is_empty() && area.x + area.width > 0.0 && area.y + area.height > 0.0
}

fn box_area(document: &Document, element: page::NodeId) -> Option<Area> {
    let rectangle = document.inner.get_client_bounding_rect(document.id(element)?)?;
    Some(Area {
        x: rectangle.x as f32,
        y: rectangle.y as f32,
        width: rectangle.width as f32,
        height: rectangle.height as f32,
    })
}

/// By text node: its lines, from the first to the last.
fn text_lines(document: &BaseDocument) -> HashMap<NodeId, Vec<Line>> {
    let mut lines = HashMap::new();
    for (_, node) in document.tree().iter() {
        let paragraph = node.element_data().and_then(|data| data.inline_layout_data.as_deref());
        if let Some(paragraph) = paragraph.filter(|_| node.flags.is_inline_root()) {
            paragraph_lines(document, node, paragraph, &mut lines);
        }
    }
    lines
}

fn paragraph_lines(
    document: &BaseDocument,
    root: &Node,
    paragraph: &TextLayout,
    lines: &mut HashMap<NodeId, Vec<Line>>,
) {
    let mut letters = letters(paragraph);
    // Lines are read as they are drawn, from left to right.
    letters.sort_by_key(|letter| letter.place);
    let mut n_skipped = marker_len(root);
    letters.retain(|letter| {
        let is_marker = letter.span == root.id && n_skipped > 0;
        n_skipped -= if is_marker { letter.n_shown.min(n_skipped) } else { 0 };
        !is_marker
    });
    let (x, y) = origin(document, root, paragraph);
    let mut spans: HashMap<NodeId, Span> = HashMap::new();
    for stretch in letters.chunk_by(|a, b| (a.span, a.line) == (b.span, b.line)) {
        let id = stretch[0].span;
        let span = spans.entry(id).or_insert_with(|| Span::new(document, id));
        for (text, mut line) in span.lines(stretch) {
            line.area = Area { x: line.area.x + x, y: line.area.y + y, ..line.area };
            lines.entry(text).or_default().push(line);
        }
    }
}

/// Something drawn, mostly one letter.
struct Letter {
    /// Where it starts in the paragraph's text.
    place: usize,
    /// The element it is directly in.
    span: NodeId,
    /// How many characters it has that are not white space.
    n_shown: usize,
    line: usize,
    area: Area,
}

fn letters(paragraph: &TextLayout) -> Vec<Letter> {
    let mut letters = Vec::new();
    for (line_number, line) in paragraph.layout.lines().enumerate() {
        let mut last_run = None;
        for item in line.items() {
            let PositionedLayoutItem::GlyphRun(glyphs) = item else { continue };
            let run = glyphs.run();
            // Items are runs cut by style; all of a run is read at its first.
            if last_run.replace(run.index()) == Some(run.index()) {
                continue;
            }
            let metrics = run.font_metrics();
            let y = glyphs.baseline() - metrics.ascent;
            let height = metrics.ascent + metrics.descent;
            let mut x = glyphs.offset();
            for cluster in run.visual_clusters() {
                let (width, range) = (cluster.advance(), cluster.text_range());
                let TextBrush { id: span } = cluster.style().brush;
                let n_shown = n_shown(part(&paragraph.text, range.clone()));
                if n_shown > 0 {
                    let area = Area { x, y, width, height };
                    letters.push(Letter {
                        place: range.start,
                        span,
                        n_shown,
                        line: line_number,
                        area,
                    });
                }
                x += width;
            }
        }
    }
    letters
}

fn part(text: &str, range: Range<usize>) -> &str {
    text.get(range).unwrap_or_default()
}

fn n_shown(text: &str) -> usize {
    text.chars().filter(|letter| !letter.is_whitespace()).count()
}

/// How much of the paragraph is the number or bullet of a list item.
fn marker_len(root: &Node) -> usize {
    let item = root.element_data().and_then(|data| data.list_item_data.as_deref());
    match item {
        Some(ListItemLayout { marker, position: ListItemLayoutPosition::Inside }) => match marker {
            Marker::Char(_) => 1,
            Marker::String(text) => n_shown(text),
        },
        _ => 0,
    }
}

/// The upper left corner of a paragraph's text on the page.
fn origin(document: &BaseDocument, root: &Node, paragraph: &TextLayout) -> (f32, f32) {
    let layout = root.unrounded_layout();
    let mut x = layout.padding.left + layout.border.left;
    let mut y = layout.padding.top + layout.border.top + paragraph.block_offset;
    let mut next = Some(root);
    while let Some(node) = next {
        let location = node.unrounded_layout().location;
        (x, y) = (x + location.x, y + location.y);
        next = node.containing_block().and_then(|id| document.get_node(id));
    }
    (x, y)
}

/// The texts directly in an element, used up from the first to the last.
struct Span {
    texts: Vec<(NodeId, usize)>,
    current: usize,
}

impl Span {
    fn new(document: &BaseDocument, element: NodeId) -> Span {
        let mut texts = Vec::new();
        own_texts(document, element, &mut texts);
        Span { texts, current: 0 }
    }

    /// What a stretch of one line has of each text.
    fn lines(&mut self, stretch: &[Letter]) -> Vec<(NodeId, Line)> {
        let mut lines: Vec<(NodeId, Line)> = Vec::new();
        for letter in stretch {
            let Some(text) = self.take(letter.n_shown) else { continue };
            match lines.last_mut().filter(|(last, _)| *last == text) {
                Some((_, line)) => {
                    line.area = line.area.hull(letter.area);
                    line.n_letters += letter.n_shown;
                }
                None => lines.push((text, Line { area: letter.area, n_letters: letter.n_shown })),
            }
        }
        lines
    }

    /// The text that has the next characters. Case may have changed their number: what is too much is of the last.
    fn take(&mut self, n_shown: usize) -> Option<NodeId> {
        while self.current + 1 < self.texts.len() && self.texts[self.current].1 == 0 {
            self.current += 1;
        }
        let (text, left) = self.texts.get_mut(self.current)?;
        *left = left.saturating_sub(n_shown);
        Some(*text)
    }
}

fn own_texts(document: &BaseDocument, element: NodeId, texts: &mut Vec<(NodeId, usize)>) {
    let Some(element) = document.get_node(element) else { return };
    let is_upper = is_upper(document, element);
    for id in &element.children {
        let Some(child) = document.get_node(*id) else { continue };
        if let Some(text) = child.text_data() {
            let n_shown = match is_upper {
                true => n_shown(&text.content.to_uppercase()),
                false => n_shown(&text.content),
            };
            if n_shown > 0 {
                texts.push((*id, n_shown));
            }
        } else if child.primary_styles().is_some_and(|style| style.clone_display().is_contents()) {
            // It has no box, and its text is marked as its parent's.
            own_texts(document, *id, texts);
        }
    }
}

/// Whether its text is drawn in capitals, of which there may be more than it has letters: `ß` is two.
fn is_upper(document: &BaseDocument, element: &Node) -> bool {
    let parent = element.parent.and_then(|id| document.get_node(id));
    // Boxes that the engine made up have no style of their own.
    let styled = [Some(element), parent].into_iter().flatten().find_map(|it| it.primary_styles());
    styled.is_some_and(|style| style.clone_text_transform().contains(TextTransform::UPPERCASE))
}
