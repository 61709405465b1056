use super::*;
use ::parquet::file::reader::{FileReader, SerializedFileReader};
use ::parquet::record::Field as Value;

fn open(path: &Path) -> SerializedFileReader<fs::File> {
    SerializedFileReader::new(fs::File::open(path).unwrap()).unwrap()
}

fn to_json(value: &Value) -> Json {
    match value {
        Value::Null => Json::Null,
        Value::Str(text) => Json::from(text.as_str()),
        Value::Group(row) => {
            row.get_column_iter().map(|(name, value)| (name.clone(), to_json(value))).collect()
        }
        Value::ListInternal(list) => list.elements().iter().map(to_json).collect(),
        other => unreachable!("no column has such values: {other:?}"),
    }
}

fn read(path: &Path) -> Vec<Json> {
    let reader = open(path);
    let rows = reader.get_row_iter(None).unwrap();
    rows.map(|row| to_json(&Value::Group(row.unwrap()))).collect()
}

#[test]
fn a_row_a_page_nested_as_the_schema() {
    let rows = read(&Written::books("a.parquet").path);
    let problems = json!(["no price", "no \"name\""]);
    assert_eq!(
        rows,
        [
            json!({ "page": "1.html", "status": "verified", "problems": [], "title": "Sea",
                "books": [
                    { "title": "Herring", "price": "-5",
                      "authors": [{ "name": "Ada" }, { "name": "Bo" }],
                      "offers": [{ "shop": "Quay", "price": "4" }, { "shop": "Mole", "price": null }] },
                    { "title": "Fog, \"thick\"", "price": null, "authors": [{ "name": "Cy" }], "offers": null },
                ],
                "links": [{ "link": "Home" }, { "link": "Contact" }] }),
            json!({ "page": "2.html", "status": "partial", "problems": problems, "title": "Empty",
                "books": [], "links": null }),
            json!({ "page": "3.html", "status": "failed", "problems": problems, "title": null,
                "books": null, "links": null }),
        ]
    );
}

#[test]
fn names_that_clash_get_a_number() {
    let schema = schema(["page", "PAGE", "", "page"].map(column).into());
    let pages = [json!({ "page": "a", "PAGE": "b", "": "c" })];
    let rows = read(&Written::new("a.parquet", &schema, &SinkConfig::default(), &pages).path);
    assert_eq!(
        rows[0],
        json!({ "page": "1.html", "status": "verified", "problems": [],
            "page_2": "a", "PAGE_3": "b", "unnamed": "c" })
    );
}

#[test]
fn hostile_texts_come_back() {
    let hostile = hostile();
    let borrowed: Vec<&str> = hostile.iter().map(String::as_str).collect();
    let rows = read(&texts("a.parquet", &borrowed).path);
    assert_eq!(rows.iter().map(|row| row["text"].clone()).collect::<Vec<_>>(), hostile);
}

#[test]
fn many_pages_are_written_in_groups_of_bounded_size() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.parquet");
    let mut sink = Sink::create(&path, &books(), &SinkConfig::default()).unwrap();
    let data = data_of(&pages()[0]);
    let n_pages = 100_000;
    for n in 0..n_pages {
        let page_id = format!("https://shop.example/list?page={n}");
        let row = Row {
            page: &page_id,
            status: Status::Verified,
            data: data.as_ref(),
            problems: &[],
            warnings: &[],
        };
        sink.write(&row).unwrap();
    }
    sink.finish().unwrap();
    let reader = open(&path);
    let groups = reader.metadata().row_groups();
    let n_rows: Vec<i64> = groups.iter().map(|group| group.num_rows()).collect();
    assert_eq!(n_rows.iter().sum::<i64>(), n_pages);
    // Such a page takes some 1,000 bytes while it is collected.
    assert!(n_rows.len() > 2, "{n_rows:?}");
    assert!(n_rows.iter().all(|n| *n < 60_000), "{n_rows:?}");
    let last = reader.get_row_iter(None).unwrap().last().unwrap().unwrap();
    let last = to_json(&Value::Group(last));
    assert_eq!(last["page"], "https://shop.example/list?page=99999");
    assert_eq!(last["books"][0]["authors"], pages()[0]["books"][0]["authors"]);
}
