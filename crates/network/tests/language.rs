//! Statements are read, done and written again.

use crate::harness::{FIGURE, SCHEMA, ask, on_both, run};
use network::{Schema, statement};

#[test]
fn the_papers_statement_runs_and_prints_back() {
    on_both(|network| {
        run(network, FIGURE);
        let query = "query University $u[colleges: $c[Faculty: $p]] construct $u, $c, $p";
        assert_eq!(
            ask(network, query),
            "Carnegie Mellon University | Mellon College of Science | Bruce A. Armitage\n\
             Carnegie Mellon University | Mellon College of Science | Eric T. Ahrens\n\
             Carnegie Mellon University | Mellon College of Science | Ziv Bar-Joseph"
        );
        let query = "query College $c[departments: $d] construct $d";
        assert_eq!(
            ask(network, query),
            "Department of Biological Sciences\nDepartment of Chemistry"
        );
    });
    let schema = Schema::parse(SCHEMA).unwrap();
    let read = statement::parse(FIGURE, &schema).unwrap();
    let printed = statement::print(&read, &schema);
    assert_eq!(statement::parse(&printed, &schema).unwrap(), read);
    let blanks = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(blanks(&printed), blanks(FIGURE));
}
