//! What is told of a leaf's look.

use std::fmt;

/// How one leaf looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// The size of its letters in CSS pixels; 16 is what pages start from.
    pub size: f32,
    /// How bold it is: 400 is plain, 700 is bold.
    pub weight: u16,
    /// Whether it is slanted.
    pub is_italic: bool,
    /// The colour of its letters.
    pub colour: Rgb,
    /// The colour behind it, if some element around it paints one.
    pub background: Option<Rgb>,
    /// The side of its column that its lines stand at.
    pub align: Align,
    /// Whether a reader sees it when the page opens. What is in the head of a page or in a closed `<details>` is not seen.
    pub is_visible: bool,
    /// Where it stands, where that is known.
    pub area: Option<Area>,
}

impl Default for Look {
    fn default() -> Look {
        Look {
            size: 16.0,
            weight: 400,
            is_italic: false,
            colour: Rgb::BLACK,
            background: None,
            align: Align::Left,
            is_visible: true,
            area: None,
        }
    }
}

/// A colour of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rgb {
    /// From 0 to 255, as the others.
    pub red: u8,
    /// Between red and blue.
    pub green: u8,
    /// The last.
    pub blue: u8,
}

impl Rgb {
    /// What text is written in unless a page says otherwise.
    pub const BLACK: Rgb = Rgb { red: 0, green: 0, blue: 0 };

    /// The colour of a number such as `0xff8000`.
    pub const fn of(number: u32) -> Rgb {
        let [_, red, green, blue] = number.to_be_bytes();
        Rgb { red, green, blue }
    }
}

impl fmt::Display for Rgb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.red, self.green, self.blue)
    }
}

/// Where lines stand in their column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Align {
    /// At its left side.
    #[default]
    Left,
    /// In its middle.
    Centre,
    /// At its right side.
    Right,
    /// At both sides.
    Justify,
}

/// A rectangle on the page, in CSS pixels from its upper left corner.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Area {
    /// From the left side of the page to its left side.
    pub x: f32,
    /// From the top of the page to its top.
    pub y: f32,
    /// From its left to its right.
    pub width: f32,
    /// From its top to its bottom.
    pub height: f32,
}

impl Area {
    /// The smallest area that holds both.
    pub fn hull(self, other: Area) -> Area {
        let (x, y) = (self.x.min(other.x), self.y.min(other.y));
        let right = (self.x + self.width).max(other.x + other.width);
        let bottom = (self.y + self.height).max(other.y + other.height);
        Area { x, y, width: right - x, height: bottom - y }
    }

    /// Whether there is nothing in it.
    pub fn is_empty(self) -> bool {
        self.width <= 0.0 || self.height <= 0.0
    }
}

/// One line of a leaf's text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// Where it stands.
    pub area: Area,
    /// How many characters it has, white space left out.
    pub n_letters: usize,
}
