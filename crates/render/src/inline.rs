//! What an inline style says of letters, colours and lines.

use crate::colour;
use crate::look::Align;
use crate::rules::Style;

/// The size that pages start from, and that `rem` is counted in.
pub(crate) const ROOT_SIZE: f32 = 16.0;
/// Browsers draw nothing larger.
const MAX_SIZE: f32 = 10_000.0;

/// Take in the declarations of a `style` attribute. Sizes and weights may be relative to those of the parent.
pub(crate) fn apply(style: &mut Style, parent: &Style, declarations: &str) {
    for (name, value) in declarations.split(';').filter_map(|it| it.split_once(':')) {
        let value = value.split('!').next().unwrap_or_default().trim();
        match name.trim().to_ascii_lowercase().as_str() {
            "font-size" => set(&mut style.look.size, size(value, parent.look.size)),
            "font-weight" => set(&mut style.look.weight, weight(value, parent.look.weight)),
            "font-style" => set(&mut style.look.is_italic, slant(value)),
            "font" => font(style, parent, value),
            "color" => set(&mut style.look.colour, colour::css(value)),
            "background" | "background-color" => background(style, value),
            "text-align" => align(style, value),
            "direction" => style.is_rtl = value.eq_ignore_ascii_case("rtl"),
            "opacity" => style.look.is_visible &= value.parse() != Ok(0.0),
            _ => {}
        }
    }
}

fn set<T>(place: &mut T, value: Option<T>) {
    if let Some(value) = value {
        *place = value;
    }
}

/// A size in pixels, by that of the parent.
pub(crate) fn size(text: &str, parent: f32) -> Option<f32> {
    let pixels = match named_size(text, parent) {
        Some(pixels) => pixels,
        None => length(text, parent)?,
    };
    pixels.is_finite().then(|| pixels.clamp(0.0, MAX_SIZE))
}

fn named_size(text: &str, parent: f32) -> Option<f32> {
    Some(match text.to_ascii_lowercase().as_str() {
        "xx-small" => 9.0,
        "x-small" => 10.0,
        "small" => 13.0,
        "medium" | "initial" => ROOT_SIZE,
        "large" => 18.0,
        "x-large" => 24.0,
        "xx-large" => 32.0,
        "xxx-large" => 48.0,
        "smaller" => smaller(parent),
        "larger" => larger(parent),
        "inherit" | "unset" => parent,
        _ => return None,
    })
}

pub(crate) fn smaller(parent: f32) -> f32 {
    parent / 1.2
}

pub(crate) fn larger(parent: f32) -> f32 {
    parent * 1.2
}

fn length(text: &str, parent: f32) -> Option<f32> {
    let unit_start = text.find(|it: char| it.is_ascii_alphabetic() || it == '%');
    let (number, unit) = text.split_at(unit_start.unwrap_or(text.len()));
    let number: f32 = number.trim().parse().ok().filter(|number| *number >= 0.0)?;
    let unit = match unit.trim().to_ascii_lowercase().as_str() {
        "px" => 1.0,
        "pt" => 96.0 / 72.0,
        "pc" => 16.0,
        "in" => 96.0,
        "cm" => 96.0 / 2.54,
        "mm" => 96.0 / 25.4,
        "em" => parent,
        "ex" | "ch" => parent / 2.0,
        "rem" => ROOT_SIZE,
        "%" => parent / 100.0,
        // Old pages leave the unit out, and old browsers took it for pixels.
        "" => 1.0,
        _ => return None,
    };
    Some(number * unit)
}

fn weight(text: &str, parent: u16) -> Option<u16> {
    match text.to_ascii_lowercase().as_str() {
        "normal" | "initial" => Some(400),
        "bold" => Some(700),
        "bolder" => Some(bolder(parent)),
        "lighter" => Some(lighter(parent)),
        "inherit" | "unset" => Some(parent),
        number => number.parse().ok().filter(|number| (1..=1000).contains(number)),
    }
}

/// By the table of CSS Fonts 4, section 2.2.1.
pub(crate) fn bolder(parent: u16) -> u16 {
    match parent {
        ..350 => 400,
        350..550 => 700,
        550..900 => 900,
        _ => parent,
    }
}

fn lighter(parent: u16) -> u16 {
    match parent {
        ..100 => parent,
        100..550 => 100,
        550..750 => 400,
        _ => 700,
    }
}

fn slant(text: &str) -> Option<bool> {
    let text = text.to_ascii_lowercase();
    match text.split_ascii_whitespace().next()? {
        "italic" | "oblique" => Some(true),
        "normal" | "initial" => Some(false),
        _ => None,
    }
}

/// `font: italic bold 12px/1.5 Arial`: what stands before the size is style and weight, what follows is the family.
fn font(style: &mut Style, parent: &Style, value: &str) {
    (style.look.weight, style.look.is_italic) = (400, false);
    for word in value.split_ascii_whitespace() {
        let before_slash = word.split('/').next().unwrap_or_default();
        let is_number = before_slash.parse::<f32>().is_ok();
        if !is_number && let Some(pixels) = size(before_slash, parent.look.size) {
            style.look.size = pixels;
            return;
        }
        // `normal` may stand for either, and says nothing that is not so already.
        if !word.eq_ignore_ascii_case("normal") {
            set(&mut style.look.weight, weight(word, parent.look.weight));
            set(&mut style.look.is_italic, slant(word));
        }
    }
}

/// The colour among what else a background may have.
fn background(style: &mut Style, value: &str) {
    let whole = colour::css(value);
    let found = whole.or_else(|| value.split_ascii_whitespace().find_map(colour::css));
    if found.is_some() {
        style.look.background = found;
    }
}

/// `text-align`, and the attribute `align` with words of its own.
pub(crate) fn align(style: &mut Style, value: &str) {
    style.align = match value.trim().to_ascii_lowercase().as_str() {
        "left" => Some(Align::Left),
        "right" => Some(Align::Right),
        "center" | "middle" | "-webkit-center" | "-moz-center" => Some(Align::Centre),
        "justify" => Some(Align::Justify),
        "end" if style.is_rtl => Some(Align::Left),
        "end" => Some(Align::Right),
        "start" | "initial" => None,
        _ => return,
    };
}
