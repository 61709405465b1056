//! The picture of a university of fifty units. It stays below `target/tmp`, to be looked at.

use crate::harness::run;
use network::Network;

#[test]
fn fifty_units_can_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let mut network = Network::open(&folder.path().join("u.db").display().to_string()).unwrap();
    network.define(network::built_in("university").unwrap()).unwrap();
    let mut names = vec!["Alder University".to_owned()];
    for college in [
        "Arts & Letters",
        "Engineering",
        "Health Sciences",
        "Natural Sciences",
        "Social Sciences",
        "Oceanography and Marine Affairs",
    ] {
        let unit = format!("College of {college}");
        names.push(unit.clone());
        run(
            &mut network,
            &format!(
                "Insert University.College Alder University.{unit} [ Deans: Dean of {college} ];"
            ),
        );
        for n in 1..=7 {
            let department = format!("Department of {college} {n}");
            let people: Vec<String> =
                (0..n * 5).map(|idx| format!("P {college} {}", idx + n)).collect();
            run(
                &mut network,
                &format!(
                    "Insert University.College.Department Alder University.{unit}.{department} [ Faculty: {{ {} }} ];",
                    people.join(", ")
                ),
            );
            names.push(department);
        }
    }
    run(
        &mut network,
        "Insert University.Department Alder University.Interdisciplinary Program in Extraordinarily Long Names of Departments <of> Something;",
    );
    let drawing = network.draw().unwrap();
    std::fs::write(concat!(env!("CARGO_TARGET_TMPDIR"), "/fifty-units.svg"), &drawing).unwrap();
    for name in &names {
        assert!(drawing.contains(&format!(">{}</text>", name.replace('&', "&amp;"))), "{name}");
    }
    let lines: Vec<&str> = drawing.lines().filter(|line| line.contains("<rect x=")).collect();
    assert_eq!(lines.len(), 50);
    assert!(drawing.contains(">35</text>") && drawing.contains(">1 (42)</text>"), "counts");
    assert!(!drawing.contains("<of>"), "names of strangers are no markup");
}
