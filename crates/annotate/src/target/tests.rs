use super::*;
use expect_test::{Expect, expect};

fn check(dtd: &str, expected: &Expect) {
    let shown = match Target::parse(dtd) {
        Ok(target) => {
            let elements = target.elements().iter();
            elements.map(|it| format!("{}{}\n", it.full_name(), it.cardinality.mark())).collect()
        }
        Err(error) => format!("{error}\n"),
    };
    expected.assert_eq(&shown);
}

#[test]
fn elements_have_paths_and_cardinalities() {
    check(
        "<!-- a shop --><!ELEMENT product (name, offer+, (isbn | issn)?, note*)>
         <!ELEMENT offer (price, seller?)> <!ELEMENT price (#PCDATA)> <!ATTLIST price unit CDATA '>'>",
        &expect![[r#"
            name
            offer/price+
            offer/seller*
            isbn?
            issn?
            note*
        "#]],
    );
}

#[test]
fn the_root_is_what_nothing_contains() {
    let target = Target::parse("<!ELEMENT a (#PCDATA)><!ELEMENT top (a, b)>").unwrap();
    assert_eq!(target.name(), "top");
    assert_eq!(target.find("b"), Some(1));
}

#[test]
fn errors_say_where() {
    check(
        "<!ELEMENT news (title,\n  date? content)>",
        &expect![[r#"
        line 2, column 9: expected a comma, | or )
    "#]],
    );
    check(
        "<!ELEMENT a (b)>\n<!ELEMENT b (a)>",
        &expect![[r#"
        line 2, column 1: element "a" contains itself
    "#]],
    );
    check(
        "",
        &expect![[r#"
        line 1, column 1: no element is declared; write <!ELEMENT name (child, child?)>
    "#]],
    );
    check(
        "<!ELEMENT a (b)> <!-- x",
        &expect![[r#"
        line 1, column 18: the comment is not closed
    "#]],
    );
    check(
        "<!ELEMENT a (b)><?pagemill type isbn='['?>",
        &expect![[r#"
        line 1, column 33: not a pattern: regex parse error:
            ^(?:[)$
                ^
        error: unclosed character class
    "#]],
    );
    check(
        "<!ELEMENT a (b)><?pagemill thesaurus c='x'?>",
        &expect![[r#"
        line 1, column 38: no element is called "c"
    "#]],
    );
}

#[test]
fn mappings_are_checked() {
    let of = |pairs: &str| format!("<!ELEMENT a (b)>\n<?pagemill mapping {pairs}?>");
    check(
        &of("clusters='regoin'"),
        &expect![[r#"
            line 2, column 20: unknown in a mapping: "regoin"; known are none, unit, ancestor, blocks, region
        "#]],
    );
    check(
        &of("clusters='ancestor' dominance='much'"),
        &expect![[r#"
            line 2, column 40: unknown in a mapping: "much"; known are numbers from 1 on
        "#]],
    );
    check(
        &of("cluster='unit'"),
        &expect![[r#"
            line 2, column 20: unknown in a mapping: "cluster"; known are clusters, dominance
        "#]],
    );
    check(
        &of("clusters='ancestor' dominance='1.5'"),
        &expect![[r#"
            b
        "#]],
    );
}

#[test]
fn instructions_say_what_a_dtd_cannot() {
    let target = Target::parse(
        "<!ELEMENT product (price, isbn?)>
         <?pagemill features style='off'?>
         <?pagemill type isbn='97[89][-0-9]{10,14}'?>
         <?pagemill thesaurus price='Our price, List Price'?>",
    )
    .unwrap();
    assert!(!target.uses(Group::Style) && target.uses(Group::Structure));
    assert!(target.patterns()[0].regex.is_match("978-0441013593"));
    assert!(!target.patterns()[0].regex.is_match("ISBN 978-0441013593"));
    assert_eq!(target.introductions(0), ["our price", "list price"]);
}

#[test]
fn hostile_schemas_are_refused() {
    let deep = format!("<!ELEMENT a {}b{}>", "(".repeat(1000), ")".repeat(1000));
    assert_eq!(Target::parse(&deep).unwrap_err().problem, DtdProblem::TooLarge);
    let mut wide = String::new();
    for level in 0..15 {
        wide += &format!("<!ELEMENT e{level} (a{level}, e{})>", level + 1);
        wide += &format!("<!ELEMENT a{level} (e{}, x{level})>", level + 1);
    }
    assert_eq!(Target::parse(&wide).unwrap_err().problem, DtdProblem::TooLarge);
}
