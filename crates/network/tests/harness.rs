//! Networks to test with, and what they are expected to say.

use network::{Answer, Error, Network, Source};
use tempfile::TempDir;

/// The schema of the model's description, with what its examples leave out.
pub(crate) const SCHEMA: &str = "
    class University [ founded: int, url: url*,
        contain colleges(inverse belongsTo): College*,
        role President(inverse worksIn, id title): Person [since: int] ];
    class College [ founded: int, budget: number,
        contain departments(inverse belongsTo): Department*,
        normal partners(inverse partnerOf): College*,
        role Faculty(inverse worksIn, id title): Person* [since: int, normal mentor: Person] {
            Professors [chair: string], Associate Professors, Assistant Professors, Lecturers } ];
    class School isa College [ dean: string ];
    class Department [ @code: string, contain groups: Group*, contain office: Office ];
    class Group [ contain groups(inverse within): Group* ];
    class Office;
    class Person [ email: email*, born: date, isActive: bool ];
";

/// Figure 8 of the paper, as its description has it.
pub(crate) const FIGURE: &str = "Insert University.College Carnegie Mellon University.Mellon College of Science [
      Faculty -> { Professors: { Eric T. Ahrens, Bruce A. Armitage }, Associate Professors: { Ziv Bar-Joseph }, Lecturers: { … } },
      Contain departments: { Department of Biological Sciences, Department of Chemistry } ];";

/// A network of each kind, empty but for the schema.
pub(crate) fn on_both(test: impl Fn(&mut Network)) {
    let folder = TempDir::new().expect("a folder");
    for store in [folder.path().join("u.db").display().to_string(), crate::postgres::database()] {
        let mut network = Network::open(&store).expect("a network");
        network.define(SCHEMA).expect("a schema");
        test(&mut network);
    }
}

/// What is said by nobody in particular, at a time that does not change.
pub(crate) fn source() -> Source {
    Source::page("", 1_000)
}

pub(crate) fn run(network: &mut Network, statements: &str) {
    if let Err(error) = network.run(statements, &source()) {
        panic!("{error}\nin {statements}");
    }
}

/// The rows of a query, a line each.
#[track_caller]
pub(crate) fn ask(network: &mut Network, query: &str) -> String {
    match network.query(query) {
        Ok(Answer::Truth(truth)) => truth.to_string(),
        Ok(Answer::Table(table)) => {
            let line = |row: &Vec<network::AnswerValue>| {
                row.iter().map(network::AnswerValue::text).collect::<Vec<String>>().join(" | ")
            };
            table.rows.iter().map(line).collect::<Vec<String>>().join("\n")
        }
        Err(error) => panic!("{error}\nin {query}"),
    }
}

/// Run what must be refused, and see that nothing came of it.
#[track_caller]
pub(crate) fn refused(network: &mut Network, statement: &str) -> Error {
    let before = counts(network);
    let error = network.run(statement, &source()).expect_err(statement);
    assert_eq!(counts(network), before, "something came of {statement}");
    error
}

fn counts(network: &mut Network) -> String {
    ask(network, "query $k $o construct $k, count($o)")
        + &ask(network, "query Person $p[worksIn: $o] construct count($p)")
}
