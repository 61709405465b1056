//! Looks by tags and attributes: what browsers' own style sheets say of them, and inline styles.
//!
//! Linear in the page: an element's style is worked out once, from its parent's, and shared by all below it that change
//! nothing.

use crate::colour;
use crate::inline::{self, ROOT_SIZE, bolder, larger, smaller};
use crate::look::{Align, Look, Rgb};
use page::{AttrKeys, Leaf, LeafKind, Leaves, NodeId, Page};

/// How each leaf looks by the tags and attributes around it, in the order of the leaves.
///
/// ```
/// let page = page::parse(b"<table><tr><th>Price<td align=right><font color=red>12</font></table>");
/// let looks = render::by_rules(&page, &page.leaves());
/// assert_eq!((looks[0].weight, looks[0].align), (700, render::Align::Centre));
/// assert_eq!((looks[1].colour.red, looks[1].align), (255, render::Align::Right));
/// ```
pub fn by_rules(page: &Page, leaves: &Leaves) -> Vec<Look> {
    let mut styles = Styles::new(page);
    leaves.iter().map(|leaf| styles.look(&leaf)).collect()
}

/// What is handed down from an element to those inside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Style {
    pub(crate) look: Look,
    /// None is the side that its script starts at.
    pub(crate) align: Option<Align>,
    pub(crate) is_rtl: bool,
    /// Whether its letters all have the same width; these are smaller.
    is_mono: bool,
    /// Whether it is a `<details>` that is not open: of what is in it only the summary is seen.
    is_closed: bool,
}

impl Style {
    const ROOT: Style = Style {
        look: Look {
            size: ROOT_SIZE,
            weight: 400,
            is_italic: false,
            colour: Rgb::BLACK,
            background: None,
            align: Align::Left,
            is_visible: true,
            area: None,
        },
        align: None,
        is_rtl: false,
        is_mono: false,
        is_closed: false,
    };
}

/// Attributes that change the look of an element.
const ATTRIBUTES: [&str; 9] =
    ["style", "align", "bgcolor", "color", "size", "text", "dir", "href", "open"];
const UNKNOWN: u32 = u32::MAX;

struct Styles<'p> {
    page: &'p Page,
    keys: AttrKeys<{ ATTRIBUTES.len() }>,
    /// By node: which of the styles.
    known: Vec<u32>,
    styles: Vec<Style>,
    /// Elements on the way to one that is known.
    way: Vec<NodeId>,
}

impl<'p> Styles<'p> {
    fn new(page: &'p Page) -> Self {
        let mut known = vec![UNKNOWN; page.n_nodes()];
        known[page.document().index()] = 0;
        let keys = page.attr_keys(ATTRIBUTES);
        Styles { page, keys, known, styles: vec![Style::ROOT], way: Vec::new() }
    }

    fn look(&mut self, leaf: &Leaf<'_>) -> Look {
        let Style { mut look, align, is_rtl, is_closed, .. } = *self.style(leaf.element);
        let start = if is_rtl { Align::Right } else { Align::Left };
        look.align = align.unwrap_or(start);
        look.is_visible &= !is_closed && look.size > 0.0 && is_drawn(self.page, leaf);
        look
    }

    fn style(&mut self, element: NodeId) -> &Style {
        let mut node = element;
        while self.known[node.index()] == UNKNOWN {
            self.way.push(node);
            let Some(parent) = self.page.parent(node) else { break };
            node = parent;
        }
        // The root of a tree that is not the document's is the document's like.
        let mut current = self.known[node.index()];
        if current == UNKNOWN {
            current = 0;
        }
        while let Some(node) = self.way.pop() {
            current = self.child(current, node);
            self.known[node.index()] = current;
        }
        &self.styles[current as usize]
    }

    /// The number of the style of an element in one of a known style.
    fn child(&mut self, parent: u32, element: NodeId) -> u32 {
        let outer = self.styles[parent as usize];
        let style = self.styled(&outer, element);
        if style == outer {
            return parent;
        }
        self.styles.push(style);
        u32::try_from(self.styles.len() - 1).unwrap_or_default()
    }

    fn styled(&self, outer: &Style, element: NodeId) -> Style {
        let tag = self.page.tag(element).unwrap_or_default();
        let mut style = *outer;
        by_tag(&mut style, tag);
        let mut inline = None;
        for (place, value) in self.page.attrs_by(element, &self.keys) {
            match ATTRIBUTES[place] {
                "style" => inline = Some(value),
                name => by_attribute(&mut style, tag, name, value),
            }
        }
        if let Some(declarations) = inline {
            inline::apply(&mut style, outer, declarations);
        }
        style
    }
}

/// Whether something is drawn for a leaf: values for machines are beside what people see.
fn is_drawn(page: &Page, leaf: &Leaf<'_>) -> bool {
    match leaf.kind {
        LeafKind::Text | LeafKind::Image | LeafKind::Field => true,
        LeafKind::Value => matches!(page.tag(leaf.element), Some("meter" | "progress")),
        LeafKind::Meta => false,
    }
}

/// What a tag changes, by the style sheet of the HTML standard, section 15.3.
fn by_tag(style: &mut Style, tag: &str) {
    if std::mem::take(&mut style.is_closed) {
        style.look.is_visible &= tag == "summary";
    }
    let look = &mut style.look;
    match tag {
        "h1" => heading(look, 2.0),
        "h2" => heading(look, 1.5),
        "h3" => heading(look, 1.17),
        "h4" => heading(look, 1.0),
        "h5" => heading(look, 0.83),
        "h6" => heading(look, 0.67),
        "b" | "strong" => look.weight = bolder(look.weight),
        "i" | "em" | "cite" | "address" | "dfn" | "var" => look.is_italic = true,
        "small" | "sub" | "sup" => look.size = smaller(look.size),
        "big" => look.size = larger(look.size),
        "rt" => look.size /= 2.0,
        "mark" => (look.background, look.colour) = (Some(Rgb::of(0xff_ff00)), Rgb::BLACK),
        "head" | "title" | "option" => look.is_visible = false,
        "center" | "caption" => style.align = Some(Align::Centre),
        "th" => (look.weight, style.align) = (700, Some(Align::Centre)),
        "details" => style.is_closed = true,
        "pre" | "code" | "kbd" | "samp" | "tt" | "listing" | "xmp" | "plaintext" => mono(style),
        "button" => field(style, Some(Align::Centre)),
        "input" | "select" | "textarea" => field(style, None),
        _ => {}
    }
}

fn heading(look: &mut Look, factor: f32) {
    look.size *= factor;
    look.weight = 700;
}

/// Browsers draw letters of one width at 13 pixels where others have 16.
fn mono(style: &mut Style) {
    if !std::mem::replace(&mut style.is_mono, true) {
        style.look.size *= 13.0 / 16.0;
    }
}

/// Form fields look like the system, not like the page around them.
fn field(style: &mut Style, align: Option<Align>) {
    let Look { background, is_visible, .. } = style.look;
    style.look = Look { size: 40.0 / 3.0, background, is_visible, ..Look::default() };
    style.align = align;
}

/// What an attribute changes, by the same standard's list of hints.
fn by_attribute(style: &mut Style, tag: &str, name: &str, value: &str) {
    match (tag, name) {
        ("details", "open") => style.is_closed = false,
        ("a", "href") => style.look.colour = Rgb::of(0x00_00ee),
        ("font", "color") | ("body", "text") => {
            style.look.colour = colour::attribute(value).unwrap_or(style.look.colour);
        }
        ("font", "size") => {
            style.look.size = font_size(value).unwrap_or(style.look.size);
        }
        // These place the element, not its text.
        ("table" | "img" | "hr" | "input" | "caption" | "iframe" | "object", "align") => {}
        (_, "align") => inline::align(style, value),
        (_, "bgcolor") => {
            style.look.background = colour::attribute(value).or(style.look.background);
        }
        (_, "dir") => style.is_rtl = value.trim().eq_ignore_ascii_case("rtl"),
        _ => {}
    }
}

/// `<font size>`: from 1 to 7, or steps from 3.
fn font_size(value: &str) -> Option<f32> {
    const SIZES: [f32; 7] = [10.0, 13.0, 16.0, 18.0, 24.0, 32.0, 48.0];
    let value = value.trim();
    let number: i32 = value.parse().ok()?;
    let step = if value.starts_with(['+', '-']) { number.saturating_add(3) } else { number };
    SIZES.get(usize::try_from(step.clamp(1, 7) - 1).unwrap_or_default()).copied()
}

#[cfg(test)]
mod tests;
