//! Every form of query.

use crate::harness::{ask, on_both, run};
use network::Network;

const FACTS: &str = "
    Insert University CMU [ founded: 1900, President: Eve [since: 2013] ];
    Insert University.College CMU.MCS [ founded: 1967, budget: 1.5,
        Faculty -> { Professors: { Ann [since: 1990, chair: Optics], Bob [since: 2005] }, Lecturers: { Cyd [mentor: Ann] } },
        departments: { Physics, Chemistry } ];
    Insert University.School CMU.Tepper [ founded: 1949, budget: 20, Faculty -> { Professors: { Ann [since: 2010], Eve [since: 1980] } } ];
    Insert Person Dan [ email: { dan@cmu.edu, d@x.org }, isActive: true, born: 1970-01-02 ];
    Insert Person Ann [ email: ann@cmu.edu ];";

#[track_caller]
fn check(queries: &[(&str, &str)]) {
    let folder = tempfile::tempdir().unwrap();
    let stores = [folder.path().join("u.db").display().to_string(), crate::postgres::database()];
    for store in &stores {
        let mut network = Network::open(store).unwrap();
        network.define(crate::harness::SCHEMA).unwrap();
        run(&mut network, FACTS);
        for (query, expected) in queries {
            assert_eq!(&ask(&mut network, query), expected, "{query} on {store}");
            // As it is printed it asks the same.
            let read = network::query::parse(query, network.schema()).unwrap();
            let printed = network::query::print(&read, network.schema());
            assert_eq!(&ask(&mut network, &printed), expected, "{printed}");
        }
    }
}

#[test]
fn the_five_of_the_model() {
    check(&[
        (
            "query College $c[Faculty: $p] construct $c, $p",
            "MCS | Ann\nMCS | Bob\nMCS | Cyd\nTepper | Ann\nTepper | Eve",
        ),
        (
            "query Person $p[worksIn: $o] construct $p, $o",
            "Ann | MCS\nAnn | Tepper\nBob | MCS\nCyd | MCS\nEve | CMU\nEve | Tepper",
        ),
        (
            "query College $c[$role: $p[since: $y]] construct $p, $role, $c, $y",
            "Ann | Professors | MCS | 1990\nAnn | Professors | Tepper | 2010\nBob | Professors | MCS | 2005\nEve | Professors | Tepper | 1980",
        ),
        (
            "query University $u[$r1: $p], College $c[$r2: $p] construct $p, $r1, $r2",
            "Eve | President | Professors",
        ),
        ("query Person $p, not Person $p[worksIn: $o] construct $p", "Dan"),
    ]);
}

#[test]
fn truth_without_construct() {
    check(&[
        ("query College MCS[Faculty: Ann]", "true"),
        ("query College MCS[Faculty: Dan]", "false"),
        ("query School MCS", "false"),
        ("query College Tepper", "true"),
    ]);
}

#[test]
fn not_exists_and_forall() {
    check(&[
        ("query College $c, not College $c[departments: $d] construct $c", "Tepper"),
        ("query College $c, exists College $c[departments: $d] construct $c", "MCS"),
        ("query Person $p, not (Person $p[worksIn: $c], College $c) construct $p", "Dan"),
        (
            "query College $c, forall (College $c[Faculty: $p]) (Professors $p) construct $c",
            "Tepper",
        ),
        ("query College $c, forall (College $c[Faculty: $p]) ($p[email: $e]) construct $c", ""),
        (
            "query College $c, forall (College $c[Faculty: $p], $p[email: $e]) (College $c[Professors: $p]) construct $c",
            "MCS\nTepper",
        ),
        ("query Person $p, not exists (Person $p[email: $e]) construct $p", "Bob\nCyd\nEve"),
    ]);
}

#[test]
fn variables_for_classes_relationships_and_values() {
    check(&[
        (
            "query $k $o[founded: $y] construct $k, $o, $y",
            "College | MCS | 1967\nSchool | Tepper | 1949\nUniversity | CMU | 1900",
        ),
        ("query $k Ann construct $k", "Person"),
        (
            "query University $u[$r: $o] construct $r, $o",
            "President | Eve\ncolleges | MCS\ncolleges | Tepper",
        ),
        ("query Person Eve[$r: $o] construct $r, $o", "worksIn | CMU\nworksIn | Tepper"),
        (
            "query College MCS[$r: $o] construct $r, count($o)",
            "Lecturers | 1\nProfessors | 2\nbelongsTo | 1\ndepartments | 2",
        ),
        ("query $k $o[$r: Ann], $k != College construct $k, $r", "School | Professors"),
        ("query College $c[$r: $p], $r = Lecturers construct $p", "Cyd"),
        (
            "query Person $p[email: $e] construct $p, $e",
            "Ann | ann@cmu.edu\nDan | d@x.org\nDan | dan@cmu.edu",
        ),
    ]);
}

#[test]
fn contexts() {
    check(&[
        (
            "query Person $p[worksIn: $o[title: $t, since: > 2004]] construct $p, $o, $t",
            "Ann | Tepper | Professors\nBob | MCS | Professors\nEve | CMU | President",
        ),
        (
            "query College $c[Lecturers: $p[mentor: $m[email: $e]]] construct $p, $m, $e",
            "Cyd | Ann | ann@cmu.edu",
        ),
        ("query Person $p[worksIn: $o[title: Lecturers]] construct $p", "Cyd"),
        ("query College.Faculty $p[chair: $c] construct $p, $c", "Ann | Optics"),
    ]);
}

#[test]
fn comparisons_and_names() {
    check(&[
        ("query College $c[founded: < 1950] construct $c", "Tepper"),
        ("query College $c[budget: >= 1.5] construct $c", "MCS\nTepper"),
        ("query College $c[founded: 1967] construct $c", "MCS"),
        ("query College $c[founded: $y], $y != 1967 construct $c", "Tepper"),
        (
            "query College $a[founded: $x], College $b[founded: $y], $x < $y construct $a, $b",
            "Tepper | MCS",
        ),
        ("query College $a[Faculty: $p], College $b[Faculty: $p], $a != $b construct $p", "Ann"),
        ("query Person $p[name: $n], $n >= D construct $n", "Dan\nEve"),
        ("query Person $p, $p = Dan construct $p", "Dan"),
        ("query Person $p[isActive: true, born: < 1980-01-01] construct $p", "Dan"),
        (
            "query University.College $c[Contain departments: $d] construct $c, $d",
            "MCS | Chemistry\nMCS | Physics",
        ),
    ]);
}

#[test]
fn aggregates_order_and_limit() {
    check(&[
        (
            "query College $c[Faculty: $p] construct $c, count($p) order by count($p) desc",
            "MCS | 3\nTepper | 2",
        ),
        ("query College $c[Faculty: $p] construct count($p)", "4"),
        (
            "query College $c[Faculty: $p[since: $y]] construct $c, min($y), max($y)",
            "MCS | 1990 | 2005\nTepper | 1980 | 2010",
        ),
        ("query College $c[founded: $y] construct $c, $y order by $y", "Tepper | 1949\nMCS | 1967"),
        ("query College $c[budget: $b] construct $b, $c order by $b desc limit 1", "20 | Tepper"),
        ("query Person $p construct $p order by $p desc limit 2", "Eve\nDan"),
        ("query Person $p, not Person $p construct count($p)", "0"),
        ("query Person $p construct min($p), max($p)", "Ann | Eve"),
    ]);
}

#[test]
fn wrong_queries_say_what_is_wrong() {
    let cases = [
        (
            "query",
            "line 1, column 6: expected a class, a variable such as $p, or not, exists or forall, but the text ends",
        ),
        ("quary Person $p", "line 1, column 1: expected \"query\", but found \"quary Person $p\""),
        (
            "query Persn $p",
            "line 1, column 7: no class is called \"Persn\"; there are University, College, School, Department, Group, Office, Person (C1)",
        ),
        (
            "query Person $p[mail: $m]",
            "line 1, column 17: a Person has no \"mail\"; there are email, born, isActive, worksIn (C1)",
        ),
        (
            "query Person $p construct $q",
            "line 1, column 27: $q is not bound: name it in a pattern first, outside of not, exists and forall (C1)",
        ),
        (
            "query Person $p, not Person $p[worksIn: $o] construct $o",
            "line 1, column 55: $o is not bound: name it in a pattern first, outside of not, exists and forall (C1)",
        ),
        (
            "query Person $p[email: $e], $e[email: $p]",
            "line 1, column 29: $e is a value and cannot be an object too (C2)",
        ),
        (
            "query Person $p[email $e]",
            "line 1, column 23: expected \":\" and a variable, value or name, but found \"$e]\"",
        ),
        (
            "query Person $p construct $p order by $x",
            "line 1, column 39: order by $x: it is not constructed (C1)",
        ),
        (
            "query Person $p construct $p limit many",
            "line 1, column 36: expected a number, but found \"many\"",
        ),
        (
            "query College $c[founded: old]",
            "line 1, column 27: the value is a whole number, and \"old\" is none (C5)",
        ),
        (
            "query College $c[Faculty -> { Deans: $p }]",
            "line 1, column 31: \"College.Faculty\" has no specific relationship \"Deans\"; there are Professors, Associate Professors, Assistant Professors, Lecturers (C3)",
        ),
        (
            "query Person $p construct",
            "line 1, column 26: expected a variable such as $p, or count, min or max of one, but the text ends",
        ),
        (
            "query Person $p; query Person $q",
            "line 1, column 18: expected one query and nothing after it, but found \"query Person $q\"",
        ),
        (
            "query Person $p construct $p order $p",
            "line 1, column 36: expected \"by\", but found \"$p\"",
        ),
    ];
    on_both(|network| {
        for (query, expected) in cases {
            let error = network.query(query).expect_err(query);
            assert_eq!(error.to_string(), expected, "{query}");
        }
    });
}

#[test]
fn the_plan_is_told_and_uses_indexes() {
    on_both(|network| {
        let plan = network.explain("query Person \"Ann\"[worksIn: $o] construct $o").unwrap();
        assert!(plan.contains("net_object"), "{plan}");
        assert!(plan.contains("?1 = \"Ann\""), "{plan}");
        if plan.contains("SEARCH") {
            assert!(!plan.contains("SCAN net_"), "{plan}");
        }
    });
}
