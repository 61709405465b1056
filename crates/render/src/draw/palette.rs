//! Which type and which field has which colour.

use crate::look::Rgb;
use page::DataType;
use std::fmt;

/// How an outline is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pen {
    colour: Rgb,
    style: Style,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    /// A thin line.
    Thin,
    /// A line that is seen from afar, with a breath of its colour inside.
    Strong,
    /// The same, broken in one of some ways: the colours are used once more.
    Dashed(&'static str),
}

/// How lines are broken, for more fields than there are colours.
const DASHES: [&str; 3] = ["6 3", "2 2", "10 2 2 2"];

/// Colours of fields, such as are told from each other when side by side.
const FIELDS: [u32; 12] = [
    0xd6_2728, 0x1f_77b4, 0x2c_a02c, 0xff_7f0e, 0x94_67bd, 0x17_becf, 0xe3_77c2, 0x8c_564b,
    0xbc_bd22, 0x39_3b79, 0x00_6d6f, 0x7b_68ee,
];

impl Pen {
    pub(super) fn of_type(data_type: DataType) -> Pen {
        Pen { colour: outline(data_type), style: Style::Thin }
    }

    pub(super) fn of_field(nth: usize) -> Pen {
        let style = match nth / FIELDS.len() {
            0 => Style::Strong,
            round => Style::Dashed(DASHES[(round - 1) % DASHES.len()]),
        };
        Pen { colour: Rgb::of(FIELDS[nth % FIELDS.len()]), style }
    }
}

/// The attributes of an SVG element.
impl fmt::Display for Pen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let colour = self.colour;
        if self.style == Style::Thin {
            return write!(f, "fill=\"none\" stroke=\"{colour}\"");
        }
        write!(
            f,
            "fill=\"{colour}\" fill-opacity=\"0.12\" stroke=\"{colour}\" stroke-width=\"2\""
        )?;
        match self.style {
            Style::Dashed(dashes) => write!(f, " stroke-dasharray=\"{dashes}\""),
            Style::Thin | Style::Strong => Ok(()),
        }
    }
}

/// The colour that leaves of a type are outlined in: plain text is pale, so that the rest is seen.
pub fn outline(data_type: DataType) -> Rgb {
    Rgb::of(match data_type {
        DataType::String => 0xc4_ccd4,
        DataType::Number => 0x1f_77b4,
        DataType::Money => 0x2c_a02c,
        DataType::Percent => 0x17_becf,
        DataType::Quantity => 0x00_6d6f,
        DataType::Duration => 0x8c_6d31,
        DataType::Range => 0x7b_68ee,
        DataType::Date => 0xd6_2728,
        DataType::DateTime => 0xa0_0000,
        DataType::Time => 0xff_7f0e,
        DataType::Url => 0x94_67bd,
        DataType::Email => 0xe3_77c2,
        DataType::Phone => 0xbc_bd22,
        DataType::PostalCode => 0x8c_564b,
        DataType::Isbn => 0x39_3b79,
    })
}
