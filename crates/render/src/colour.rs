//! Colours as pages write them: `#f80`, `rgb(255, 128, 0)`, `hsl(30 100% 50%)`, `orange`.

mod names;

use crate::look::Rgb;
use names::NAMES;

/// A colour of a style sheet. None if it is see-through or not known.
pub(crate) fn css(text: &str) -> Option<Rgb> {
    let text = text.trim();
    if let Some(digits) = text.strip_prefix('#') {
        return hex(digits);
    }
    match text.split_once('(') {
        Some((function, rest)) => call(function, rest.split(')').next().unwrap_or_default()),
        None => named(text),
    }
}

/// A colour of an attribute such as `bgcolor`, where the `#` is often left out.
pub(crate) fn attribute(text: &str) -> Option<Rgb> {
    let is_bare = |it: &str| it.len() == 6 && it.bytes().all(|byte| byte.is_ascii_hexdigit());
    css(text).or_else(|| Some(text.trim()).filter(|it| is_bare(it)).and_then(hex))
}

/// `f80`, `ff8000`, and both with how opaque they are at the end.
fn hex(digits: &str) -> Option<Rgb> {
    if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let number = u32::from_str_radix(digits, 16).ok()?;
    let spread = |number: u32| {
        let [red, green, blue] = [number >> 8 & 15, number >> 4 & 15, number & 15];
        Rgb::of((red << 16 | green << 8 | blue) * 17)
    };
    match digits.len() {
        3 => Some(spread(number)),
        4 if number & 15 != 0 => Some(spread(number >> 4)),
        6 => Some(Rgb::of(number)),
        8 if number & 255 != 0 => Some(Rgb::of(number >> 8)),
        _ => None,
    }
}

fn call(function: &str, arguments: &str) -> Option<Rgb> {
    let is_gap = |letter: char| letter == ',' || letter == '/' || letter.is_ascii_whitespace();
    let mut arguments = arguments.split(is_gap).filter(|it| !it.is_empty());
    let [first, second, third] = [arguments.next()?, arguments.next()?, arguments.next()?];
    if arguments.next().and_then(|it| part(it, 1.0)).is_some_and(|opaque| opaque <= 0.0) {
        return None;
    }
    match function.to_ascii_lowercase().as_str() {
        "rgb" | "rgba" => {
            let part = |text| part(text, 255.0).map(byte);
            Some(Rgb { red: part(first)?, green: part(second)?, blue: part(third)? })
        }
        "hsl" | "hsla" => {
            let hue: f32 = first.trim_end_matches("deg").parse().ok()?;
            Some(hsl(hue, part(second, 100.0)? / 100.0, part(third, 100.0)? / 100.0))
        }
        _ => None,
    }
}

/// A number, or a share of `whole`.
fn part(text: &str, whole: f32) -> Option<f32> {
    match text.strip_suffix('%') {
        Some(percent) => percent.parse().ok().map(|percent: f32| percent / 100.0 * whole),
        None => text.parse().ok(),
    }
}

fn byte(part: f32) -> u8 {
    // As a cast does, which also makes 0 of what is no number.
    part.round() as u8
}

/// By the formula of CSS Color 4, section 7.1.
fn hsl(hue: f32, saturation: f32, lightness: f32) -> Rgb {
    let reach = saturation * lightness.min(1.0 - lightness);
    let channel = |offset: f32| {
        let turn = (offset + hue / 30.0).rem_euclid(12.0);
        byte(255.0 * (lightness - reach * (turn - 3.0).min(9.0 - turn).clamp(-1.0, 1.0)))
    };
    Rgb { red: channel(0.0), green: channel(8.0), blue: channel(4.0) }
}

fn named(name: &str) -> Option<Rgb> {
    let name = name.to_ascii_lowercase();
    let found = NAMES.binary_search_by_key(&name.as_str(), |(known, _)| known);
    found.ok().map(|index| Rgb::of(NAMES[index].1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let found = attribute(text).map_or("none".to_owned(), |it| it.to_string());
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn colours_are_read_however_they_are_written() {
        check("#F80", "#ff8800");
        check("#f80a", "#ff8800");
        check(" #ff8000 ", "#ff8000");
        check("ff8000", "#ff8000");
        check("rgb(255, 128, 0)", "#ff8000");
        check("RGBA(100% 50% 0% / 0.5)", "#ff8000");
        check("hsl(30, 100%, 50%)", "#ff8000");
        check("hsl(210deg 100% 50%)", "#0080ff");
        check("DarkOrange", "#ff8c00");
        check("yellowgreen", "#9acd32");
    }

    #[test]
    fn what_is_see_through_or_no_colour_is_none() {
        for text in
            ["transparent", "inherit", "#ff800000", "rgba(0,0,0,0)", "#ggg", "#", "rgb(1)", "#+ff"]
        {
            check(text, "none");
        }
    }

    #[test]
    fn names_are_in_order() {
        assert!(NAMES.is_sorted_by_key(|(name, _)| name));
    }
}
