//! Computed styles, read back for each leaf.

use super::document::Document;
use crate::look::{Align, Look, Rgb};
use page::{Leaves, NodeId, Page};
use style::color::AbsoluteColor;
use style::computed_values::visibility::T as Visibility;
use style::properties::ComputedValues;
use style::properties::longhands::direction::computed_value::T as Direction;
use style::values::computed::font::FontStyle;
use style::values::specified::box_::Overflow;
use style::values::specified::text::TextAlignKeyword;

/// Put what the engine found in the place of what the rules say.
pub(super) fn read(page: &Page, leaves: &Leaves, document: &Document, looks: &mut [Look]) {
    let mut surroundings = Surroundings::new(page, document);
    for (leaf, look) in leaves.iter().zip(looks) {
        let Surrounding { background, is_seen } = surroundings.of(leaf.element);
        let node = document.node(leaf.element);
        match node.and_then(|node| node.primary_styles()) {
            Some(style) => {
                set(look, &style);
                look.background = background;
                look.is_visible &= is_seen;
            }
            // Not displayed, so no style was worked out.
            None => look.is_visible = false,
        }
    }
}

fn set(look: &mut Look, style: &ComputedValues) {
    look.size = style.clone_font_size().computed_size().px();
    look.weight = style.clone_font_weight().value().round() as u16;
    look.is_italic = style.clone_font_style() != FontStyle::NORMAL;
    look.colour = rgb(&style.clone_color());
    look.align = align(style);
    look.is_visible &= style.clone_visibility() == Visibility::Visible && look.size > 0.0;
}

fn align(style: &ComputedValues) -> Align {
    let is_rtl = style.clone_direction() == Direction::Rtl;
    match style.clone_text_align() {
        TextAlignKeyword::Left | TextAlignKeyword::MozLeft => Align::Left,
        TextAlignKeyword::Right | TextAlignKeyword::MozRight => Align::Right,
        TextAlignKeyword::Center | TextAlignKeyword::MozCenter => Align::Centre,
        TextAlignKeyword::Justify => Align::Justify,
        TextAlignKeyword::Start if is_rtl => Align::Right,
        TextAlignKeyword::End if !is_rtl => Align::Right,
        TextAlignKeyword::Start | TextAlignKeyword::End => Align::Left,
    }
}

fn rgb(colour: &AbsoluteColor) -> Rgb {
    let colour = colour.into_srgb_legacy();
    // As a cast does: what is out of range ends at its ends.
    let part = |part: f32| (part * 255.0).round() as u8;
    Rgb {
        red: part(colour.components.0),
        green: part(colour.components.1),
        blue: part(colour.components.2),
    }
}

/// What the elements around something do to it.
#[derive(Clone, Copy, Debug)]
struct Surrounding {
    background: Option<Rgb>,
    is_seen: bool,
}

/// Worked out once an element.
struct Surroundings<'a> {
    page: &'a Page,
    document: &'a Document,
    known: Vec<Option<Surrounding>>,
    way: Vec<NodeId>,
}

impl<'a> Surroundings<'a> {
    fn new(page: &'a Page, document: &'a Document) -> Self {
        Surroundings { page, document, known: vec![None; page.n_nodes()], way: Vec::new() }
    }

    fn of(&mut self, element: NodeId) -> Surrounding {
        let mut next = Some(element);
        let mut current = Surrounding { background: None, is_seen: true };
        while let Some(node) = next {
            if let Some(known) = self.known[node.index()] {
                current = known;
                break;
            }
            self.way.push(node);
            next = self.page.parent(node);
        }
        while let Some(node) = self.way.pop() {
            current = self.inside(node, current);
            self.known[node.index()] = Some(current);
        }
        current
    }

    fn inside(&self, node: NodeId, outer: Surrounding) -> Surrounding {
        let Some(node) = self.document.node(node).filter(|node| node.is_element()) else {
            return outer;
        };
        let Some(style) = node.primary_styles() else {
            return Surrounding { is_seen: false, ..outer };
        };
        let own = style.clone_background_color().resolve_to_absolute(&style.clone_color());
        Surrounding {
            background: if own.alpha > 0.0 { Some(rgb(&own)) } else { outer.background },
            is_seen: outer.is_seen && style.clone_opacity() > 0.0 && !is_clipped_away(node, &style),
        }
    }
}

/// Whether an element shows a pixel of what is in it at most: the way to hide text from all but screen readers. Where no
/// places were worked out, every element is as small.
fn is_clipped_away(node: &blitz_dom::Node, style: &ComputedValues) -> bool {
    let size = node.unrounded_layout().size;
    let is_tiny = size.width <= 1.0 && size.height <= 1.0 && size.width > 0.0 && size.height > 0.0;
    is_tiny && matches!(style.clone_overflow_x(), Overflow::Hidden | Overflow::Clip)
}
