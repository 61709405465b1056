//! `pagemill network`, as users meet it.

use crate::harness::Run;
use expect_test::expect;

/// A small university, in the schema that is built in.
const FACTS: &str = "
    Insert University.College Alder University.College of Science [
        url: https://alder.example/science,
        Faculty -> { Professors: { Ann Lee [title: Alder Professor of Optics, email: ann@alder.example] } },
        Contain departments: { Department of Physics, Department of Chemistry } ];
    Insert Department Department of Chemistry [
        Faculty -> { Lecturers: { Bob Stone, Ann Lee } }, Staff: Eva Berg [title: Secretary] ];
    Insert Person Bob Stone [ email: bob@alder.example ];
    Insert Person B. Stone [ worksIn: Department of Chemistry [role: Staff] ];";

fn made() -> Run {
    let run = Run::with(&[("facts.inm", FACTS.as_bytes())]);
    assert_eq!(
        run.run(&["network", "u.db", "define", "university"]).all(),
        "pagemill: the network has 7 classes\nexit 0\n"
    );
    assert_eq!(
        run.run(&["network", "u.db", "run", "facts.inm"]).all(),
        "pagemill: 18 new facts\nexit 0\n"
    );
    run
}

#[test]
fn queries_give_lines_of_json_and_an_exit_code() {
    let run = made();
    expect![[r#"
        {"class":"College","count(object)":1}
        {"class":"Department","count(object)":2}
        {"class":"Person","count(object)":4}
        {"class":"University","count(object)":1}
        exit 0
    "#]]
    .assert_eq(&run.run(&["network", "u.db"]).all());
    let query = "query Unit $u[Members: $p[role: $r]] construct $p, $r, $u limit 2";
    expect![[r#"
        {"p":"Ann Lee","r":"Lecturers","u":"Department of Chemistry"}
        {"p":"Ann Lee","r":"Professors","u":"College of Science"}
        exit 0
    "#]]
    .assert_eq(&run.run(&["network", "u.db", query, "--json"]).all());
    assert_eq!(run.run(&["network", "u.db", "query Person Eva Berg"]).all(), "true\nexit 0\n");
    assert_eq!(run.run(&["network", "u.db", "query Person Nobody"]).all(), "false\nexit 1\n");
    let plan = run.run(&[
        "network",
        "u.db",
        "query Person Eva Berg[worksIn: $u] construct $u",
        "--explain",
    ]);
    assert!(plan.stdout.contains("USING INDEX net_role_player"), "{}", plan.stdout);
}

#[test]
fn what_is_wrong_is_told() {
    let run = made();
    let told = |args: &[&str]| run.run(&[&["network"], args].concat()).all();
    expect![[r#"
        pagemill: line 1, column 7: no class is called "Persn"; there are Unit, University, College, School, Department, Group, Person (C1)
        exit 2
    "#]]
    .assert_eq(&told(&["u.db", "query Persn $p"]));
    expect![[r#"
        pagemill: none.db is no network that this version of Pagemill can read: there is no such file
        exit 3
    "#]]
    .assert_eq(&told(&["none.db", "query Person $p"]));
    run.write("text.db", b"this is no database, but a text that is long enough to be looked at as one, with its first hundred bytes");
    expect![[r#"
        pagemill: text.db is no network that this version of Pagemill can read: it is no database
        exit 3
    "#]]
    .assert_eq(&told(&["text.db", "query Person $p"]));
    run.write("wrong.inm", b"Insert Person Zoe;\nInsert Person Yan [ mail: y ];");
    expect![[r#"
        pagemill: wrong.inm: line 2, column 21: a Person has no "mail"; there are url, email, phone, image, worksIn (C1); what stands before it was done
        exit 3
    "#]]
    .assert_eq(&told(&["u.db", "run", "wrong.inm"]));
    assert_eq!(told(&["u.db", "query Person Zoe"]), "true\nexit 0\n");
    assert_eq!(told(&["u.db", "query Person Yan"]), "false\nexit 1\n");
    run.write("clipped.inm", b"Insert Person Xi [ email: ");
    expect![[r#"
        pagemill: clipped.inm: line 1, column 27: expected a value or a name, but the text ends; what stands before it was done
        exit 3
    "#]]
    .assert_eq(&told(&["u.db", "run", "clipped.inm"]));
}

#[test]
fn a_clipped_database_is_refused() {
    let run = made();
    let whole = std::fs::read(run.path().join("u.db")).unwrap();
    run.write("cut.db", &whole[..whole.len() / 3]);
    let outcome = run.run(&["network", "cut.db", "query Person $p construct $p"]);
    assert_eq!(outcome.code, Some(3), "{}", outcome.all());
    assert!(outcome.stderr.contains("damaged, or not whole"), "{}", outcome.stderr);
}

#[test]
fn one_object_whole() {
    let run = made();
    expect![[r#"
        Person Ann Lee  #5
          in College of Science: Professors
            title: Alder Professor of Optics
            email: ann@alder.example
          in Department of Chemistry: Lecturers
        exit 0
    "#]]
    .assert_eq(&run.run(&["network", "u.db", "show", "Ann Lee"]).all());
    let json = run.run(&["network", "u.db", "show", "ann lee", "--json"]);
    assert!(
        json.stdout.starts_with(r#"{"id":5,"class":"Person","name":"Ann Lee""#),
        "{}",
        json.stdout
    );
    assert_eq!(
        run.run(&["network", "u.db", "show", "Nobody"]).all(),
        "pagemill: nothing is called \"Nobody\"\nexit 1\n"
    );
}

#[test]
fn lines_of_json() {
    let run = made();
    expect![[r#"
        {"class":"University","name":"Alder University"}
        {"class":"College","name":"College of Science","url":"https://alder.example/science","in":"Alder University"}
        {"class":"Person","name":"Ann Lee","title":"Alder Professor of Optics","email":"ann@alder.example","role":"Professors","in":"College of Science"}
        {"class":"Person","name":"Ann Lee","role":"Lecturers","in":"Department of Chemistry"}
        {"class":"Department","name":"Department of Physics","in":"College of Science"}
        {"class":"Department","name":"Department of Chemistry","in":"College of Science"}
        {"class":"Person","name":"Bob Stone","role":"Lecturers","in":"Department of Chemistry","email":"bob@alder.example"}
        {"class":"Person","name":"Eva Berg","title":"Secretary","role":"Staff","in":"Department of Chemistry"}
        {"class":"Person","name":"B. Stone","role":"Staff","in":"Department of Chemistry"}
        exit 0
    "#]]
    .assert_eq(&run.run(&["network", "u.db", "export", "--format", "jsonl"]).all());
    assert_eq!(run.run(&["network", "u.db", "export", "-o", "u.xyz"]).code, Some(2));
}

#[test]
fn statements_make_the_same_network_again() {
    let run = made();
    assert_eq!(run.run(&["network", "u.db", "export", "-o", "u.inm"]).all(), "exit 0\n");
    assert_eq!(run.run(&["network", "again.db", "run", "u.inm"]).code, Some(0));
    let query = "query Unit $u[Members: $p[role: $r]] construct $u, $r, $p";
    let asked = |store: &str| run.run(&["network", store, query]).stdout;
    assert_eq!(asked("u.db"), asked("again.db"));
    assert_eq!(run.run(&["network", "again.db", "export", "-o", "again.inm"]).code, Some(0));
    assert_eq!(run.run(&["network", "third.db", "run", "again.inm"]).code, Some(0));
    assert_eq!(run.run(&["network", "third.db", "export", "-o", "third.inm"]).code, Some(0));
    assert_eq!(run.read("again.inm"), run.read("third.inm"));
}

#[test]
fn two_become_one_and_two_again() {
    let run = made();
    let before = run.run(&["network", "u.db", "export", "--format", "jsonl"]).stdout;
    let joined = run.run(&["network", "u.db", "join", "Bob Stone", "B. Stone"]);
    assert_eq!(joined.code, Some(0), "{}", joined.all());
    expect![[r#"
        Person Bob Stone  #11
          also called B. Stone
          email: bob@alder.example
          in Department of Chemistry: Lecturers
          in Department of Chemistry: Staff
        exit 0
    "#]]
    .assert_eq(&run.run(&["network", "u.db", "show", "B. Stone"]).all());
    let doubts = run.run(&["network", "u.db", "doubts", "--all"]);
    assert!(doubts.stdout.contains(r#""state":"joined""#), "{}", doubts.all());
    let number = joined.stderr.trim().rsplit(' ').next().unwrap().to_owned();
    assert_eq!(run.run(&["network", "u.db", "split", &number]).code, Some(0));
    assert_eq!(run.run(&["network", "u.db", "export", "--format", "jsonl"]).stdout, before);
}

#[test]
fn a_picture_of_the_units() {
    let run = made();
    assert_eq!(run.run(&["network", "u.db", "draw", "-o", "u.svg"]).all(), "exit 0\n");
    let picture = run.read("u.svg");
    for name in
        ["Alder University", "College of Science", "Department of Physics", "0 (4)", "1 (4)"]
    {
        assert!(picture.contains(name), "{name}");
    }
}
