use super::*;
use expect_test::expect;

fn read(written: &Written) -> Vec<Vec<String>> {
    let mut reader =
        ::csv::ReaderBuilder::new().has_headers(false).from_path(&written.path).unwrap();
    let rows = reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect());
    rows.collect()
}

#[test]
fn a_row_a_record_of_the_main_set() {
    expect![[r#"
        page,status,title,books_title,price,authors,offers
        1.html,verified,Sea,Herring,-5,Ada | Bo,"[{""shop"":""Quay"",""price"":""4""},{""shop"":""Mole""}]"
        1.html,verified,Sea,"Fog, ""thick""",,Cy,
        2.html,partial,Empty,,,,
        3.html,failed,,,,,
    "#]]
    .assert_eq(&Written::books("a.csv").text());
}

#[test]
fn a_row_a_page_if_that_is_asked_for() {
    let config = SinkConfig::default().with_csv_rows(CsvRows::Pages).with_template(true);
    let written = Written::new("a.csv", &books(), &config, &pages());
    let rows = read(&written);
    assert_eq!(rows[0], ["page", "status", "title", "imprint", "books", "links"]);
    assert_eq!(rows.len(), 4);
    assert_eq!(rows[1][5], "Home | Contact");
    assert_eq!(serde_json::from_str::<Json>(&rows[1][4]).unwrap(), pages()[0]["books"]);
}

#[test]
fn a_row_a_record_of_the_set_that_is_named() {
    let config = SinkConfig::default().with_csv_rows(CsvRows::RecordsOf("links".into()));
    let written = Written::new("a.csv", &books(), &config, &pages()[..1]);
    expect![[r#"
        page,status,title,link
        1.html,verified,Sea,Home
        1.html,verified,Sea,Contact
    "#]]
    .assert_eq(&written.text());

    let folder = TempDir::new().unwrap();
    let config = SinkConfig::default().with_csv_rows(CsvRows::RecordsOf("link".into()));
    let error = Sink::create(&folder.path().join("a.csv"), &books(), &config).err().unwrap();
    expect![[
        r#"cannot write a row per record of "link": the sets of these pages are books, links"#
    ]]
    .assert_eq(&error.to_string());
}

#[test]
fn the_main_set_is_what_a_page_is_about() {
    assert_eq!(main_set(&books()), Some("books"));
    let columns = |n: usize| (0..n).map(|index| column(&format!("c{index}")));
    let detail = |n_columns, sets: Vec<Field>| schema(columns(n_columns).chain(sets).collect());
    // A product with some links.
    assert_eq!(main_set(&detail(9, vec![set("links", 900, columns(2).collect())])), None);
    // A list with as much around it as a shop has.
    let menu = set("menu", 90, columns(1).collect());
    let list = detail(9, vec![menu, set("rows", 200, columns(5).collect())]);
    assert_eq!(main_set(&list), Some("rows"));
    assert_eq!(main_set(&detail(0, vec![])), None);
}

#[test]
fn a_row_a_record_where_a_page_is_about_more() {
    let config = SinkConfig::default().with_csv_rows(CsvRows::Records);
    let many = ["a", "b", "c", "d", "e", "f"].map(column).into_iter();
    let product = schema(many.chain([set("links", 9, vec![column("link")])]).collect());
    assert_eq!(main_set(&product), None);
    let written = Written::new("a.csv", &product, &config, &pages()[..1]);
    assert_eq!(read(&written).len(), 3);

    let folder = TempDir::new().unwrap();
    let no_sets = schema(vec![column("a")]);
    let error = Sink::create(&folder.path().join("a.csv"), &no_sets, &config).err().unwrap();
    assert!(error.to_string().contains("no sets"), "{error}");
}

#[test]
fn formulas_are_defused_unless_kept() {
    let cells = ["=1+1", "@x", "+A1", "-5", "+49 30 12-3", "\t=1", "plain"];
    let read_texts = |written: &Written| -> Vec<String> {
        read(written).into_iter().skip(1).map(|row| row[2].clone()).collect()
    };
    assert_eq!(
        read_texts(&texts("a.csv", &cells)),
        ["'=1+1", "'@x", "'+A1", "-5", "+49 30 12-3", "'\t=1", "plain"]
    );
    let schema = schema(vec![column("text")]);
    let pages: Vec<Json> = cells.iter().map(|text| json!({ "text": text })).collect();
    let config = SinkConfig::default().with_formulas(true);
    assert_eq!(read_texts(&Written::new("a.csv", &schema, &config, &pages)), cells);
}

#[test]
fn names_that_clash_and_names_that_are_formulas() {
    let schema = schema(vec![
        column("page"),
        column("Status"),
        column("=cmd"),
        set("s", 9, vec![column("page"), column("=CMD"), column("x"), column("y")]),
    ]);
    let written = Written::new("a.csv", &schema, &SinkConfig::default(), &[]);
    assert_eq!(
        read(&written)[0],
        ["page", "status", "page_2", "Status_2", "'=cmd", "s_page", "s_=CMD", "x", "y"]
    );
}

#[test]
fn hostile_texts_come_back_but_for_controls() {
    let hostile = hostile();
    let borrowed: Vec<&str> = hostile.iter().map(String::as_str).collect();
    let rows = read(&texts("a.csv", &borrowed));
    assert_eq!(rows[1][2], "a\u{FFFD}b");
    assert_eq!(rows[2][2], hostile[1]);
    assert_eq!(rows[3][2], "\u{FFFD}[31m\u{FFFD}\u{FFFD}\u{2028}");
    assert_eq!([&rows[4][2], &rows[5][2], &rows[6][2]], [&hostile[3], &hostile[4], &hostile[5]]);
}
