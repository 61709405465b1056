//! D1 to D7: what follows from facts without being written.

use crate::harness::{FIGURE, ask, on_both, refused, run};
use expect_test::expect;

const ANN: &str = "Insert College MCS [ Faculty -> { Professors: { Ann [since: 2001, chair: Optics] }, Lecturers: { Ann, Bob } } ];";

#[test]
fn d1_a_specific_role_is_each_generic_one() {
    on_both(|network| {
        run(network, ANN);
        assert_eq!(ask(network, "query College $c[Faculty: $p] construct $p"), "Ann\nBob");
        assert_eq!(ask(network, "query College $c[Professors: $p] construct $p"), "Ann");
        assert_eq!(
            ask(network, "query College $c[Faculty -> { Lecturers: $p }] construct $p"),
            "Ann\nBob"
        );
    });
}

#[test]
fn d2_an_inverse_is_there_from_the_other_end() {
    on_both(|network| {
        run(network, FIGURE);
        run(network, "Insert College MCS [ partners: Tepper ];");
        assert_eq!(
            ask(network, "query Person \"Ziv Bar-Joseph\"[worksIn: $o] construct $o"),
            "Mellon College of Science"
        );
        assert_eq!(ask(network, "query College Tepper[partnerOf: $o] construct $o"), "MCS");
        assert_eq!(
            ask(network, "query Department Department of Chemistry[belongsTo: $o] construct $o"),
            "Mellon College of Science"
        );
    });
}

#[test]
fn d3_each_role_has_its_own_context_also_two_in_one_unit() {
    on_both(|network| {
        run(network, ANN);
        let query = "query College MCS[$role: Ann] construct $role";
        assert_eq!(ask(network, query), "Lecturers\nProfessors");
        let query = "query College MCS[Professors: Ann[since: $y]] construct $y";
        assert_eq!(ask(network, query), "2001");
        assert_eq!(ask(network, "query College MCS[Lecturers: Ann[since: $y]]"), "false");
    });
}

#[test]
fn d4_the_identification_is_the_most_specific_role() {
    on_both(|network| {
        run(network, ANN);
        run(network, "Insert College MCS [ Faculty: Eve ];");
        let query = "query Person $p[worksIn: $o[title: $t]] construct $p, $t";
        assert_eq!(
            ask(network, query),
            "Ann | Lecturers\nAnn | Professors\nBob | Lecturers\nEve | Faculty"
        );
    });
}

#[test]
fn d5_players_are_of_the_induced_classes_while_they_play() {
    on_both(|network| {
        run(network, ANN);
        assert_eq!(ask(network, "query College.Faculty $p construct $p"), "Ann\nBob");
        assert_eq!(ask(network, "query College.Faculty.Professors $p construct $p"), "Ann");
        assert_eq!(ask(network, "query Professors $p[chair: $c] construct $p, $c"), "Ann | Optics");
        run(network, "Delete College MCS [ Faculty -> { Professors: Ann } ];");
        assert_eq!(ask(network, "query College.Faculty.Professors $p construct $p"), "");
        assert_eq!(ask(network, "query College.Faculty $p construct $p"), "Ann\nBob");
    });
}

#[test]
fn d6_containers_give_path_names() {
    on_both(|network| {
        run(network, "Insert University.College.Department CMU.MCS.Physics [ code: P ];");
        run(network, "Insert University.College.Department CMU.Arts.Physics [ code: A ];");
        assert_eq!(
            ask(
                network,
                "query University.College.Department CMU.Arts.Physics[code: $c] construct $c"
            ),
            "A"
        );
        assert_eq!(
            ask(network, "query College.Department $d[code: P, belongsTo: $c] construct $c"),
            "MCS"
        );
        let error = refused(network, "Insert Department Physics [ code: X ];");
        assert_eq!(
            error.to_string(),
            "line 1, column 19: there are 2 of Department \"Physics\": Physics in College \"MCS\"; Physics in College \"Arts\"; \
             say which by a path or a number"
        );
    });
}

#[test]
fn d7_a_context_comes_on_top_and_is_seen_in_it_only() {
    on_both(|network| {
        run(network, ANN);
        run(network, "Insert Person Ann [ email: ann@cmu.edu ];");
        let query = "query College $c[Professors: $p[since: $y, email: $e]] construct $p, $y, $e";
        assert_eq!(ask(network, query), "Ann | 2001 | ann@cmu.edu");
        let error = network.query("query Person $p[since: $y] construct $y").unwrap_err();
        expect![[r#"line 1, column 17: a Person has no "since"; "University.President.since" is seen in its context only (C1)"#]]
            .assert_eq(&error.to_string());
    });
}
