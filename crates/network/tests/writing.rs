//! Where facts come from, what is gone, updates and deletions, and several who write.

use crate::harness::{SCHEMA, ask, on_both, refused, run};
use network::{Error, Network, Source};
use std::time::Duration;

#[test]
fn update_sets_and_delete_takes_away() {
    on_both(|network| {
        run(
            network,
            "Insert College MCS [ founded: 1967, Faculty -> { Professors: { Ann [since: 1990], Bob } }, partners: { A, B } ];",
        );
        run(
            network,
            "Update College MCS [ founded: 1968, partners: { B, C }, Faculty -> { Professors: { Ann [since: 1991], Eve } } ];",
        );
        assert_eq!(ask(network, "query College MCS[founded: $y] construct $y"), "1968");
        assert_eq!(ask(network, "query College MCS[partners: $p] construct $p"), "B\nC");
        assert_eq!(ask(network, "query College MCS[Professors: $p] construct $p"), "Ann\nEve");
        assert_eq!(
            ask(network, "query College MCS[Professors: $p[since: $y]] construct $y"),
            "1991"
        );
        run(
            network,
            "Delete College MCS [ founded, partners: B, Faculty -> { Professors: { Ann [since] } } ];",
        );
        assert_eq!(ask(network, "query College MCS[founded: $y]"), "false");
        assert_eq!(ask(network, "query College MCS[partners: $p] construct $p"), "C");
        assert_eq!(ask(network, "query College MCS[Professors: $p] construct $p"), "Ann\nEve");
        assert_eq!(ask(network, "query College MCS[Professors: $p[since: $y]]"), "false");
        run(
            network,
            "Update College MCS [ name: Mellon College ]; Update Person Ann [ worksIn: Mellon College [title: Lecturers] ];",
        );
        assert_eq!(
            ask(network, "query College Mellon College[$r: $p] construct $r, $p"),
            "Lecturers | Ann\nProfessors | Eve\npartners | C"
        );
        // The old name leads there too.
        run(network, "Insert College MCS [ founded: 1969 ];");
        assert_eq!(
            ask(network, "query College $c[founded: $y] construct $c, $y"),
            "Mellon College | 1969"
        );
        run(
            network,
            "Insert College.Department Mellon College.Physics; Update College C [ departments: <Department> Physics ];",
        );
        assert_eq!(ask(network, "query Department Physics[belongsTo: $c] construct $c"), "C");
        run(network, "Delete Department Physics [ belongsTo ];");
        assert_eq!(ask(network, "query Department Physics[belongsTo: $c]"), "false");
    });
}

#[test]
fn what_is_not_there_is_not_deleted_or_updated() {
    on_both(|network| {
        run(network, "Insert College MCS [ founded: 1967 ];");
        for (statement, expected) in [
            ("Delete College CS;", "line 1, column 16: there is no College called \"CS\""),
            (
                "Update College CS [ founded: 3 ];",
                "line 1, column 16: there is no College called \"CS\"",
            ),
            (
                "Delete College MCS [ budget ];",
                "line 1, column 22: there is no \"College.budget\" to delete",
            ),
            (
                "Delete College MCS [ founded: 3 ];",
                "line 1, column 31: \"College.founded\" has no value \"3\" to delete",
            ),
            (
                "Delete College MCS [ Faculty: Ann ];",
                "line 1, column 31: there is no Person called \"Ann\"",
            ),
            (
                "Insert College.Department MCS.St. John's;",
                "line 1, column 33: a path of 2 classes has 2 names; quote a name that has a dot in it",
            ),
            (
                "Insert College MCS [ founded 1967 ];",
                "line 1, column 35: expected \":\" and a value, or \"->\" and specific relationships, but found \"];\"",
            ),
            (
                "Insert College MCS [ founded: 1967",
                "line 1, column 35: expected \",\" or \"]\", but the text ends",
            ),
            (
                "Insert College MCS [ founded: \"19",
                "line 1, column 31: expected a closing quote, but the text ends",
            ),
            (
                "Remove College MCS;",
                "line 1, column 1: expected a statement (class, Insert, Update, Delete or query), but found \"Remove College MCS;\"",
            ),
        ] {
            assert_eq!(refused(network, statement).to_string(), expected, "{statement}");
        }
    });
}

#[test]
fn facts_know_their_pages_and_when_they_were_last_seen() {
    on_both(|network| {
        let text = "Insert College MCS [ Faculty: Ann [since: 2001] ];";
        let page = |url: &str, time| {
            Source::page(url, time).with_wrapper("people.json").at("li[3]").with_confidence(0.8)
        };
        network.run(text, &page("https://a.example/", 1000)).unwrap();
        network.run(text, &page("https://b.example/", 2000)).unwrap();
        let found = network.profiles("Ann").unwrap().remove(0);
        let context = &found.contexts[0];
        let pages: Vec<&str> =
            context.seen.sources.iter().map(|source| source.page.as_str()).collect();
        assert_eq!(pages, ["https://a.example/", "https://b.example/"]);
        assert_eq!((context.seen.first, context.seen.last, context.seen.gone), (1000, 2000, None));
        assert_eq!(context.facts[0].seen.sources[0], page("https://a.example/", 1000));
        assert_eq!(context.seen.sources[1].place, "li[3]");
    });
}

#[test]
fn what_pages_say_no_more_is_gone_until_they_say_it_again() {
    on_both(|network| {
        let (a, b) = ("https://a.example/", "https://b.example/");
        network
            .run("Insert College MCS [ Faculty: { Ann, Bob } ];", &Source::page(a, 1000))
            .unwrap();
        network.run("Insert College MCS [ Faculty: Bob ];", &Source::page(b, 1000)).unwrap();
        network.run("Insert College MCS [ Faculty: Eve ];", &Source::page("", 1000)).unwrap();
        // Page a is read again and names nobody; page b was not.
        let n_gone =
            network.change(&Source::page(a, 2000), |facts| facts.mark_gone(&[(a, 2000)])).unwrap();
        assert!(n_gone > 0);
        network.run("Insert College MCS;", &Source::page(a, 2000)).unwrap();
        assert_eq!(ask(network, "query College MCS[Faculty: $p] construct $p"), "Bob\nEve");
        let ann = network.profiles("Ann").unwrap().remove(0);
        assert_eq!((ann.contexts[0].seen.last, ann.contexts[0].seen.gone), (1000, Some(2000)));
        network.run("Insert College MCS [ Faculty: Ann ];", &Source::page(a, 3000)).unwrap();
        assert_eq!(ask(network, "query College MCS[Faculty: $p] construct $p"), "Ann\nBob\nEve");
    });
}

/// After a part of the pages was fetched again, a fact is gone only if every page that said it is among them; and it is gone since the
/// last of these was fetched.
#[test]
fn a_fact_is_gone_when_the_last_of_its_pages_says_it_no_more() {
    on_both(|network| {
        let (a, b) = ("https://a.example/", "https://b.example/");
        for page in [a, b] {
            let text = "Insert College MCS [ founded: 1967, Faculty: Ann [since: 2001] ];";
            network.run(text, &Source::page(page, 1000)).unwrap();
        }
        let read = |network: &mut Network, pages: &[(&str, i64)], says: &str| {
            network
                .change(&Source::page(pages[0].0, pages[0].1), |facts| {
                    let college = facts.schema().class_named("College").unwrap();
                    let founded = facts.schema().property_named(college, "founded").unwrap();
                    let mcs = facts.find(college, "MCS")?[0].id;
                    facts.see(mcs)?;
                    facts.say(mcs, founded, says)?;
                    facts.mark_gone(pages)
                })
                .unwrap()
        };
        // Page a says something else by now, and page b was not read: what it says is not known to have changed.
        assert_eq!(read(network, &[(a, 2000)], "1968"), 0);
        assert_eq!(ask(network, "query College MCS[Faculty: $p] construct $p"), "Ann");
        assert_eq!(ask(network, "query College MCS[founded: $y] construct $y"), "1968");
        // Both were read, and nobody speaks of Ann, of her role, or of when it began.
        assert_eq!(read(network, &[(a, 2000), (b, 3000)], "1968"), 3);
        assert_eq!(ask(network, "query College MCS[Faculty: $p] construct $p"), "");
        let ann = network.profiles("Ann").unwrap().remove(0);
        assert_eq!((ann.seen.last, ann.seen.gone), (1000, Some(3000)));
        let mcs = network.profiles("MCS").unwrap().remove(0);
        let gone: Vec<&str> = mcs
            .facts
            .iter()
            .filter(|it| it.seen.gone.is_some())
            .map(|it| it.value.as_str())
            .collect();
        assert_eq!(gone, ["1967"]);
    });
}

#[test]
fn two_of_one_name_are_told_apart() {
    on_both(|network| {
        run(
            network,
            "Insert Person Wei Wang #1 [ email: one@x.example ]; Insert Person Wei Wang #2 [ email: two@x.example ];",
        );
        let error = refused(network, "Insert Person Wei Wang [ isActive: true ];");
        assert!(
            error.to_string().contains("Wei Wang #1; Wei Wang #2; say which by a path or a number"),
            "{error}"
        );
        assert_eq!(
            ask(network, "query Person Wei Wang #2[email: $e] construct $e"),
            "two@x.example"
        );
    });
}

#[test]
fn joins_can_be_undone() {
    on_both(|network| {
        run(
            network,
            "Insert College MCS [ Faculty -> { Professors: { Ann Lee [since: 1], A. Lee [since: 2] }, Lecturers: A. Lee } ];",
        );
        run(
            network,
            "Insert Person Ann Lee [ email: a@x.example ]; Insert Person A. Lee [ email: { a@x.example, b@x.example }, born: 1970 ];",
        );
        let whole = "query Person $p[worksIn: $o[title: $t]] construct $p, $t";
        let mails = "query Person $p[email: $e] construct $p, $e";
        let before = (ask(network, whole), ask(network, mails));
        let (a, b) = network
            .look(|facts| Ok((facts.called("Ann Lee")?[0].id, facts.called("A. Lee")?[0].id)))
            .unwrap();
        let doubt = network.join(a, b).unwrap();
        assert_eq!(ask(network, whole), "Ann Lee | Lecturers\nAnn Lee | Professors");
        assert_eq!(ask(network, mails), "Ann Lee | a@x.example\nAnn Lee | b@x.example");
        assert_eq!(network.profiles("A. Lee").unwrap()[0].name, "Ann Lee");
        network.split(doubt).unwrap();
        assert_eq!((ask(network, whole), ask(network, mails)), before);
        assert_eq!(network.profiles("A. Lee").unwrap()[0].name, "A. Lee");
        assert!(network.look(|facts| facts.is_split(a, b)).unwrap());
    });
}

#[test]
fn one_becomes_two_by_a_page() {
    on_both(|network| {
        network
            .run(
                "Insert College MCS [ Faculty: Wei Wang ];",
                &Source::page("https://a.example/", 1),
            )
            .unwrap();
        network
            .run(
                "Insert College Arts [ Faculty: Wei Wang ];",
                &Source::page("https://b.example/", 1),
            )
            .unwrap();
        let one = network.look(|facts| Ok(facts.called("Wei Wang")?[0].id)).unwrap();
        network.split_off(one, "https://b.example/").unwrap();
        assert_eq!(ask(network, "query Person Wei Wang #1[worksIn: $o] construct $o"), "MCS");
        assert_eq!(ask(network, "query Person Wei Wang #2[worksIn: $o] construct $o"), "Arts");
        assert!(network.split_off(one, "https://c.example/").is_err());
    });
}

#[test]
fn views_have_plain_names() {
    on_both(|network| {
        run(
            network,
            "Insert University.School CMU.Tepper [ founded: 1949, dean: Bajeux, Faculty -> { Professors: Ann } ];",
        );
        // The views are asked through the very tables of SQL, by the tools of the databases.
        let rows = sql(network, "SELECT name, class, container, founded, dean FROM school");
        assert_eq!(rows, "Tepper|School|CMU|1949|Bajeux");
        assert_eq!(sql(network, "SELECT name, founded FROM college"), "Tepper|1949");
        assert_eq!(sql(network, "SELECT unit, role, player FROM role"), "Tepper|Professors|Ann");
        assert_eq!(
            sql(network, "SELECT name, n_players FROM unit ORDER BY name"),
            "CMU|0\nTepper|1"
        );
        assert_eq!(
            sql(network, "SELECT class, count(*) FROM object GROUP BY class ORDER BY class"),
            "Person|1\nSchool|1\nUniversity|1"
        );
    });
}

/// What `sqlite3` or `psql` say.
fn sql(network: &Network, query: &str) -> String {
    let store = network.store();
    let mut command = match store.starts_with("postgres") {
        true => {
            let mut command = std::process::Command::new("psql");
            command.args(["--no-psqlrc", "-At", store, "-c", query]);
            command
        }
        false => {
            let script = "import sqlite3, sys\nfor row in sqlite3.connect(sys.argv[1]).execute(sys.argv[2]):\n    \
                          print(*(f'{c:g}' if isinstance(c, float) else c for c in row), sep='|')";
            let mut command = std::process::Command::new("python3");
            command.args(["-c", script, store, query]);
            command
        }
    };
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

#[test]
fn two_writers_wait_for_each_other() {
    on_both(|network| {
        let store = address(network);
        let work = |name: &'static str| {
            let store = store.clone();
            std::thread::spawn(move || {
                let mut network = Network::open(&store).unwrap();
                for n in 0..20 {
                    network
                        .run(
                            &format!("Insert College MCS [ Faculty: {name} {n} ];"),
                            &Source::page("", n),
                        )
                        .unwrap();
                }
            })
        };
        let threads = [work("Ann"), work("Bob")];
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        assert_eq!(ask(network, "query College $c[Faculty: $p] construct count($p)"), "40");
        assert_eq!(ask(network, "query College $c construct count($c)"), "1");
    });
}

#[test]
fn who_waits_too_long_is_told_and_nothing_is_lost() {
    on_both(|network| {
        let mut other = Network::open(&address(network)).unwrap();
        other.set_patience(Duration::from_millis(50)).unwrap();
        network
            .change(&Source::page("", 1), |facts| {
                let class = facts.schema().class_named("Person").unwrap();
                facts.add_object(class, "Ann", None)?;
                let error = other.run("Insert Person Bob;", &Source::page("", 1)).unwrap_err();
                assert!(matches!(error, Error::Busy { .. }), "{error}");
                assert!(
                    error.to_string().ends_with(
                        "is being written by another process; try again when it is done"
                    )
                );
                // Those who ask do not wait.
                assert_eq!(ask(&mut other, "query Person $p construct $p"), "");
                Ok(())
            })
            .unwrap();
        other.run("Insert Person Bob;", &Source::page("", 1)).unwrap();
        assert_eq!(ask(network, "query Person $p construct $p"), "Ann\nBob");
    });
}

/// Stores are told without passwords; ours have none, so that what is told is the address.
fn address(network: &Network) -> String {
    network.store().to_owned()
}

#[test]
fn a_network_is_opened_again_as_it_was_and_its_schema_grows() {
    on_both(|network| {
        run(network, "Insert College MCS [ founded: 1967 ];");
        let mut again = Network::open_existing(&address(network)).unwrap();
        assert_eq!(again.schema().print(), network.schema().print());
        again
            .define("class College [ motto: string ]; class Club [ contain clubs: Club* ];")
            .unwrap();
        run(&mut again, "Insert College MCS [ motto: Ever on ]; Insert Club Chess;");
        assert_eq!(
            ask(&mut again, "query College $c[founded: 1967, motto: $m] construct $m"),
            "Ever on"
        );
        let error = again.define("class College [ motto: int ];").unwrap_err();
        assert_eq!(
            error.to_string(),
            "line 1, column 17: \"College.motto\" is declared otherwise already; a schema can grow, not change (C1)"
        );
        again.define(SCHEMA).unwrap();
    });
}

#[test]
fn the_schemas_that_are_built_in_hold_what_they_are_for() {
    let folder = tempfile::tempdir().unwrap();
    let mut shop = Network::open(&folder.path().join("shop.db").display().to_string()).unwrap();
    shop.define(network::built_in("shop").unwrap()).unwrap();
    run(
        &mut shop,
        "Insert Shop.Category.Category Alder Books.Fiction.Crime [ products: { The Long Fen, Cold Tide } ];
         Insert Product The Long Fen [ price: £7.99, brand: { Heron Press }, offeredIn: <Shop.Category> Alder Books.Fiction ];",
    );
    assert_eq!(
        ask(&mut shop, "query Brand $b[products: $p[belongsTo: $c]] construct $b, $p, $c"),
        "Heron Press | The Long Fen | Crime"
    );
    let mut university = Network::open(&folder.path().join("u.db").display().to_string()).unwrap();
    university.define(network::built_in("university").unwrap()).unwrap();
    run(&mut university, crate::harness::FIGURE);
    assert_eq!(ask(&mut university, "query College $c[Faculty: $p] construct count($p)"), "3");
    assert_eq!(
        ask(&mut university, "query Person Ziv Bar-Joseph[worksIn: $o[role: $r]] construct $o, $r"),
        "Mellon College of Science | Associate Professors"
    );
}
