//! Which type has which colour.

use crate::look::Rgb;
use page::DataType;

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
