//! Codes with a form of their own: postal codes and book numbers.

use super::DataType;
use super::scan::Scan;

/// British `SW1A 1AA`, Canadian `K1A 0B1`, American `92093-0114`, Japanese `〒100-0001`. The five
/// digits that most of the world uses are left to the numbers.
pub(super) fn postal_code(scan: Scan<'_>) -> Option<DataType> {
    let text = match scan.rest() {
        ['〒', ' ', text @ ..] | ['〒', text @ ..] => return has_form(text, &["000-0000"]),
        text => text,
    };
    has_form(text, &POSTAL_FORMS)
}

/// `A` is a capital, `0` a digit, all else is itself.
const POSTAL_FORMS: [&str; 8] =
    ["00000-0000", "A0 0AA", "A00 0AA", "A0A 0AA", "AA0 0AA", "AA00 0AA", "AA0A 0AA", "A0A 0A0"];

fn has_form(text: &[char], forms: &[&str]) -> Option<DataType> {
    let fits = |form: &&str| {
        form.len() == text.len() && form.chars().zip(text).all(|(f, c)| fits_char(f, *c))
    };
    forms.iter().any(fits).then_some(DataType::PostalCode)
}

fn fits_char(form: char, c: char) -> bool {
    match form {
        'A' => c.is_ascii_uppercase(),
        '0' => c.is_ascii_digit(),
        _ => c == form,
    }
}

/// `978-0-306-40615-7`, `9780306406157`, `0-306-40615-2`, `080442957X`, with the right check digit.
///
/// Ten digits in one run are a number, as one in eleven of those would pass the check.
pub(super) fn isbn(scan: Scan<'_>) -> Option<DataType> {
    let is_mark = |c: &&char| matches!(c, '-' | ' ');
    let (mut digits, mut n_digits) = ([0u32; 13], 0);
    for c in scan.rest().iter().filter(|c| !is_mark(c)) {
        let digit = c.to_digit(10).or_else(|| (*c == 'X' && n_digits == 9).then_some(10))?;
        *digits.get_mut(n_digits)? = digit;
        n_digits += 1;
    }
    let n_marks = scan.rest().iter().filter(is_mark).count();
    let is_valid = match n_digits {
        10 => {
            is_isbn_10(&digits[..10])
                && (n_marks == 3 && has_check_group(scan.rest()) || digits[9] == 10)
        }
        13 => is_isbn_13(&digits) && n_marks <= 4,
        _ => false,
    };
    is_valid.then_some(DataType::Isbn)
}

/// Whether the last group is one character, which it is in no phone number.
fn has_check_group(text: &[char]) -> bool {
    matches!(text, [.., '-' | ' ', _])
}

fn is_isbn_10(digits: &[u32]) -> bool {
    let weighted = digits.iter().zip((1..=10).rev()).map(|(digit, weight)| digit * weight);
    weighted.sum::<u32>().is_multiple_of(11)
}

fn is_isbn_13(digits: &[u32; 13]) -> bool {
    let weighted = digits.iter().zip([1, 3].iter().cycle()).map(|(digit, weight)| digit * weight);
    matches!(digits, [9, 7, 8 | 9, ..]) && weighted.sum::<u32>().is_multiple_of(10)
}
