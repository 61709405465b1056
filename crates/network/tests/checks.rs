//! C1 to C14: what is refused, and what is said then. Nothing of a statement that is refused is done.

use crate::harness::{ask, on_both, refused, run};
use network::{Rule, Schema};

/// Statements that come before, the one that is refused, the rule, and what is said.
#[track_caller]
fn check(before: &str, statement: &str, rule: Rule, expected: &str) {
    on_both(|network| {
        run(network, before);
        let error = refused(network, statement);
        assert_eq!(error.to_string(), format!("{expected} ({rule})"));
        assert_eq!(error.rule(), Some(rule));
    });
}

#[track_caller]
fn check_schema(schema: &str, rule: Rule, expected: &str) {
    let error = Schema::parse(schema).unwrap_err();
    assert_eq!(error.to_string(), format!("{expected} ({rule})"));
}

#[test]
fn c1_names_are_declared() {
    check(
        "",
        "Insert Colege MCS;",
        Rule::Declared,
        "line 1, column 8: no class is called \"Colege\"; there are University, College, School, Department, Group, Office, Person",
    );
    check(
        "",
        "Insert College MCS [ found: 1967 ];",
        Rule::Declared,
        "line 1, column 22: a College has no \"found\"; there are founded, budget, departments, partners, Faculty, belongsTo, partnerOf",
    );
    check(
        "",
        "Insert College MCS [ Faculty: Ann [ until: 3 ] ];",
        Rule::Declared,
        "line 1, column 37: the context of \"College.Faculty\" has no \"until\"; there are since, mentor",
    );
    check(
        "",
        "Insert University.Department CMU.Physics;",
        Rule::Declared,
        "line 1, column 19: \"University\" contains no class \"Department\"; it contains College, School",
    );
    check_schema(
        "class A [ contain b: B* ];",
        Rule::Declared,
        "line 1, column 22: no class is called \"B\"; there are A",
    );
}

#[test]
fn c2_the_kind_is_the_declared_one() {
    check(
        "",
        "Insert College MCS [ role departments: Physics ];",
        Rule::Kind,
        "line 1, column 27: \"College.departments\" is declared as contain, not role",
    );
    check(
        "",
        "Insert College MCS [ Contain founded: 1967 ];",
        Rule::Kind,
        "line 1, column 30: \"College.founded\" is declared as an attribute, not contain",
    );
}

#[test]
fn c3_what_is_below_is_a_specific_relationship() {
    check(
        "",
        "Insert College MCS [ Faculty -> { Profesors: Ann } ];",
        Rule::Specific,
        "line 1, column 35: \"College.Faculty\" has no specific relationship \"Profesors\"; \
         there are Professors, Associate Professors, Assistant Professors, Lecturers",
    );
}

#[test]
fn c4_there_are_as_many_as_declared() {
    check(
        "",
        "Insert College MCS [ founded: { 1967, 1968 } ];",
        Rule::Cardinality,
        "line 1, column 22: \"College.founded\" has one value, not 2",
    );
    check(
        "Insert College MCS [ founded: 1967 ];",
        "Insert College MCS [ founded: 1968 ];",
        Rule::Cardinality,
        "line 1, column 22: \"College.founded\" has one value and it is \"1967\", not \"1968\"; change it with Update",
    );
    check(
        "Insert University CMU [ President: Ann ];",
        "Insert University CMU [ President: Bob ];",
        Rule::Cardinality,
        "line 1, column 36: University \"CMU\" has one \"President\" and it is Person \"Ann\"; change it with Update",
    );
    check(
        "Insert Department Physics [ office: One ];",
        "Insert Department Physics [ office: Two ];",
        Rule::Cardinality,
        "line 1, column 37: Department \"Physics\" has one \"office\" and it is Office \"One\"; change it with Update",
    );
}

#[test]
fn c5_values_are_of_their_type() {
    let cases = [
        (
            "Insert College MCS [ founded: long ago ];",
            "22: \"College.founded\" is a whole number, and \"long ago\" is none",
        ),
        (
            "Insert College MCS [ budget: much ];",
            "22: \"College.budget\" is a number, and \"much\" is none",
        ),
        (
            "Insert Person Ann [ isActive: yes ];",
            "21: \"Person.isActive\" is true or false, and \"yes\" is none",
        ),
        (
            "Insert Person Ann [ email: nobody ];",
            "21: \"Person.email\" is a mail address such as ann@example.org, and \"nobody\" is none",
        ),
        (
            "Insert Person Ann [ born: 2026-13-01 ];",
            "21: \"Person.born\" is a date such as 2026-11-18, 2026-11 or 2026, and \"2026-13-01\" is none",
        ),
        (
            "Insert University CMU [ url: somewhere ];",
            "25: \"University.url\" is an address such as https://example.org/, and \"somewhere\" is none",
        ),
    ];
    for (statement, expected) in cases {
        check("", statement, Rule::Type, &format!("line 1, column {expected}"));
    }
}

#[test]
fn c6_only_roles_have_a_context() {
    check(
        "",
        "Insert College MCS [ Contain departments: { Physics [since: 3] } ];",
        Rule::Context,
        "line 1, column 45: \"College.departments\" is a contain relationship, and only roles have a context",
    );
    check(
        "",
        "Insert College MCS [ founded: 1967 [since: 3] ];",
        Rule::Context,
        "line 1, column 31: \"College.founded\" is an attribute, and only roles have a context",
    );
    check_schema(
        "class A [ role r: A [contain b: A] ];",
        Rule::Context,
        "line 1, column 30: \"b\" cannot be in a context: it has attributes, and normal relationships without an inverse",
    );
}

#[test]
fn c7_there_is_one_container() {
    check(
        "Insert College MCS [ departments: Physics ]; Insert College Arts;",
        "Insert College Arts [ departments: { <College.Department> MCS.Physics } ];",
        Rule::Container,
        "line 1, column 39: Department \"Physics\" is in College \"MCS\" already, and an object has one container; move it with Update",
    );
    check(
        "Insert College MCS [ departments: Physics ]; Insert College Arts;",
        "Insert Department Physics [ belongsTo: Arts ];",
        Rule::Container,
        "line 1, column 40: Department \"Physics\" is in College \"MCS\" already, and an object has one container; move it with Update",
    );
}

#[test]
fn c8_nothing_contains_itself() {
    let before = "Insert Group A [ groups: B ]; Insert Group B [ groups: C ];";
    check(
        before,
        "Update Group C [ groups: A ];",
        Rule::Cycle,
        "line 1, column 26: Group \"A\" cannot be in Group \"C\", which it contains or is",
    );
    check(
        before,
        "Insert Group A [ within: C ];",
        Rule::Cycle,
        "line 1, column 26: Group \"A\" cannot be in Group \"C\", which it contains or is",
    );
    check(
        "Insert Group A;",
        "Insert Group A [ within: A ];",
        Rule::Cycle,
        "line 1, column 26: Group \"A\" cannot be in Group \"A\", which it contains or is",
    );
}

#[test]
fn c9_targets_are_of_their_class() {
    check(
        "Insert Department Physics;",
        "Insert College MCS [ Faculty: <Department> Physics ];",
        Rule::Target,
        "line 1, column 32: Department \"Physics\" is no Person, which \"College.Faculty\" asks for",
    );
    on_both(|network| {
        // A kind of the class is of the class.
        run(network, "Insert School Tepper; Insert University CMU [ colleges: <School> Tepper ];");
        assert_eq!(ask(network, "query University $u[colleges: $c] construct $c"), "Tepper");
        let error = network.query("query College $c[Faculty: $c] construct $c").unwrap_err();
        assert_eq!(
            error.to_string(),
            "line 1, column 27: $c would have to be a College and a Person, and nothing is both (C9)"
        );
    });
}

#[test]
fn c10_a_key_is_unique_in_its_container() {
    let before =
        "Insert College MCS [ departments: Physics ]; Insert Department Physics [ code: P ];";
    check(
        before,
        "Insert College.Department MCS.Poetry [ code: P ];",
        Rule::Key,
        "line 1, column 40: \"Department.code\" is a key, and Department \"Physics\" has \"P\" already",
    );
    on_both(|network| {
        run(network, before);
        // In another container it is another thing.
        run(network, "Insert College.Department Arts.Poetry [ code: P ];");
        let error = refused(
            network,
            "Update College MCS [ departments: <College.Department> Arts.Poetry ];",
        );
        assert_eq!(error.rule(), Some(Rule::Key));
    });
}

#[test]
fn c11_nothing_is_inserted_into_the_class_of_a_role() {
    check(
        "",
        "Insert College.Faculty MCS.Ann;",
        Rule::Induced,
        "line 1, column 16: \"College.Faculty\" is the class of those who play this role, and follows from it; \
         insert the role: Insert College … [ Faculty: … ]",
    );
    check(
        "",
        "Insert Professors Ann;",
        Rule::Induced,
        "line 1, column 8: \"College.Faculty.Professors\" is the class of those who play this role, and follows from it; \
         insert the role: Insert College … [ Professors: … ]",
    );
}

#[test]
fn c12_an_inverse_takes_no_other_name() {
    check_schema(
        "class P [ works: string ]; class U [ role r(inverse works): P* ];",
        Rule::Inverse,
        "inverse \"works\" of \"U.r\" takes the name of \"P.works\"",
    );
    check_schema(
        "class P; class U [ role r(inverse x): P*, contain c(inverse x): P* ];",
        Rule::Inverse,
        "inverse \"x\" of \"U.c\" takes the name of \"U.r\"",
    );
}

#[test]
fn c13_contexts_go_with_either_end_and_parts_with_the_whole() {
    on_both(|network| {
        let all = "Insert University.College CMU.MCS [ Faculty: { Ann [since: 3], Bob [since: 4] }, departments: { Physics } ];";
        run(network, all);
        run(network, "Delete Person Ann;");
        assert_eq!(
            ask(network, "query College $c[Faculty: $p[since: $y]] construct $p, $y"),
            "Bob | 4"
        );
        run(network, "Delete University CMU;");
        assert_eq!(ask(network, "query $k $o construct $k, $o"), "Person | Bob");
        assert_eq!(ask(network, "query Person $p[worksIn: $o]"), "false");
        run(network, all);
        run(network, "Delete College MCS [ departments: Physics, Faculty ];");
        assert_eq!(ask(network, "query Department $d construct $d"), "");
        assert_eq!(ask(network, "query Person $p construct $p"), "Ann\nBob");
    });
}

#[test]
fn c14_a_shared_inverse_names_the_role() {
    let before = "Insert College MCS;";
    check(
        before,
        "Insert Person Ann [ worksIn: MCS ];",
        Rule::Identification,
        "line 1, column 30: \"worksIn\" is the inverse of University.President and College.Faculty; say which role is meant: [title: …]",
    );
    check(
        before,
        "Insert Person Ann [ worksIn: MCS [title: Janitors] ];",
        Rule::Identification,
        "line 1, column 35: no role behind \"worksIn\" is called \"Janitors\"; \
         there are President, Faculty, Professors, Associate Professors, Assistant Professors, Lecturers",
    );
    on_both(|network| {
        run(network, before);
        run(
            network,
            "Insert Person Ann [ worksIn: MCS [title: Professors, since: 2001, chair: Optics] ];",
        );
        let query = "query College MCS[Professors: $p[since: $y, chair: $c]] construct $p, $y, $c";
        assert_eq!(ask(network, query), "Ann | 2001 | Optics");
    });
}

#[test]
fn what_is_wrong_at_the_end_undoes_the_start() {
    on_both(|network| {
        refused(
            network,
            "Insert University.College CMU.MCS [ Faculty: { Ann, Bob }, departments: Physics, founded: never ];",
        );
        assert_eq!(ask(network, "query $k $o construct $k, $o"), "");
    });
}
