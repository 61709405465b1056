use super::*;
use crate::dictionary::Dictionary;

#[test]
fn names_of_units_are_told() {
    let known = Dictionary::built_in();
    let check =
        |text: &str, expected: bool| assert_eq!(is_unit_name(text, &known), expected, "{text}");
    check("Department of Computer Science", true);
    check("Mechanical and Aerospace Engineering", true);
    check("School of Medicine", true);
    check("Institut für Physikalische Ozeanographie", true);
    check("Department Office", false);
    check("Faculty", false);
    check("Eva Berg", false);
    check("Contact us", false);
    check("", false);
}
