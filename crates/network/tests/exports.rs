//! What is exported can be read by the tools it is for.

use crate::harness::{on_both, run};
use expect_test::expect;
use network::{Format, Network};
use std::path::Path;
use std::process::Command;

/// Names with all that formats trip over.
const FACTS: &str = "
    Insert University CMU [ url: \"https://cmu.example/?a=1&b=<2>\" ];
    Insert University.College CMU.\"Arts, \"\"fine\"\" & <more>\" [
        Faculty -> { Professors: { \"Ann\nLee\" [since: 2001] }, Lecturers: { Wei Wang #1, Wei Wang #2 } }, partners: MCS ];
    Insert Person Wei Wang #2 [ email: { a@x.example, b@x.example } ];";

#[test]
fn other_tools_read_what_is_exported() {
    on_both(|network| {
        run(network, FACTS);
        let folder = tempfile::tempdir().unwrap();
        for format in Format::ALL {
            write(network, format, &folder.path().join(format!("u.{}", format.name())));
        }
        expect![[r#"
            ttl | Ann
            Lee | Professors | Arts, "fine" & <more>
            ttl | Wei Wang | Lecturers | Arts, "fine" & <more>
            ttl | Wei Wang | Lecturers | Arts, "fine" & <more>
            ttl faculty 3
            graphml | contain | CMU | colleges | Arts, "fine" & <more> | 
            graphml | normal | Arts, "fine" & <more> | partners | MCS | 
            graphml | role | Arts, "fine" & <more> | Professors | Ann
            Lee | 2001
            graphml | role | Arts, "fine" & <more> | Lecturers | Wei Wang | 
            graphml | role | Arts, "fine" & <more> | Lecturers | Wei Wang | 
            csv | College | Arts, "fine" & <more> |  | CMU |  | 
            csv | College | MCS |  |  |  | 
            csv | Person | Ann
            Lee | Professors | Arts, "fine" & <more> | 2001 | 
            csv | Person | Wei Wang | Lecturers | Arts, "fine" & <more> |  | a@x.example; b@x.example
            csv | Person | Wei Wang | Lecturers | Arts, "fine" & <more> |  | 
            csv | University | CMU |  |  |  | 
        "#]]
        .assert_eq(&read_by_others(folder.path()));
    });
}

/// Statements that make the same network on the other database.
#[test]
fn statements_carry_a_network_over() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = (folder.path().join("a.inm"), folder.path().join("b.inm"));
    let mut here = Network::open(&folder.path().join("u.db").display().to_string()).unwrap();
    here.define(crate::harness::SCHEMA).unwrap();
    run(&mut here, FACTS);
    write(&mut here, Format::Inm, &first);
    let mut there = Network::open(&crate::postgres::database()).unwrap();
    run(&mut there, &std::fs::read_to_string(&first).unwrap());
    write(&mut there, Format::Inm, &second);
    let sorted = |path: &Path| {
        let text = std::fs::read_to_string(path).unwrap();
        let mut lines: Vec<String> = text.split(";\n").map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(sorted(&first), sorted(&second));
}

fn write(network: &mut Network, format: Format, path: &Path) {
    let mut out = std::fs::File::create(path).unwrap();
    network.export(format, &mut out).unwrap();
}

fn read_by_others(folder: &Path) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let python = root.join("target/test-python/bin/python");
    assert!(
        python.exists(),
        "no Python with rdflib, networkx and duckdb: run `cargo xtask test`, which installs it"
    );
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/exports.py");
    let output = Command::new(python).arg(script).arg(folder).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}
