use crate::{corpus, learn, parse};
use expect_test::expect;
use page::DataType;
use serde_json::Value as Json;
use wrapper::{Edit, EditError, Example, Extractor, Learnt, Value, Wrapper};

/// A shop of which some pages have a price, and others an offer; each has records of reviews.
fn shop() -> Learnt {
    let page = |title: &str, paid: &str, reviews: &str| {
        format!(
            "<h1>{title}</h1><p>{paid}</p><ul>{reviews}</ul><p class=stock>In stock: yes, {title}</p>"
        )
    };
    let price = |price: &str| format!("<b class=price>{price}</b>");
    let offer = |price: &str| format!("<i class=offer>Now: {price}</i>");
    let review = |by: &str, stars: &str| {
        format!("<li><em class=by>{by}</em> <span class=stars>{stars}</span></li>")
    };
    let pages = [
        page("Dune", &price("$9"), &(review("Ada", "4") + &review("Bob", "3"))),
        page("Emma", &offer("$7"), &(review("Cy", "5") + &review("Dee", "1"))),
        page("Kim", &price("$5"), &(review("Eve", "2") + &review("Flo", "4"))),
        page("Ubik", &offer("$8"), &(review("Gus", "5") + &review("Hal", "3"))),
        page("Solaris", &price("$6"), &(review("Ida", "3") + &review("Jo", "2"))),
        page("Momo", &offer("$4"), &(review("Kay", "1") + &review("Lu", "5"))),
    ];
    learn(&pages.iter().map(String::as_str).collect::<Vec<_>>())
}

const NEW: &str = "<h1>She</h1><p><i class=offer>Now: $3</i></p><ul><li><em class=by>Max</em> <span class=stars>4</span></li>\
    <li><em class=by>Ned</em> <span class=stars>1</span></li></ul><p class=stock>In stock: yes, She</p>";

fn paths(wrapper: &Wrapper) -> Vec<String> {
    let paths = wrapper.schema().paths();
    paths.into_iter().filter(|(_, field)| field.is_data()).map(|(path, _)| path).collect()
}

fn extracted(wrapper: &Wrapper) -> Json {
    Extractor::new(wrapper).extract(&parse(NEW)).data.into()
}

#[test]
fn names_change_everywhere() {
    let mut wrapper = shop().wrapper;
    expect![[r#"["title", "now", "price", "items", "items.by", "items.stars", "stock"]"#]]
        .assert_eq(&format!("{:?}", paths(&wrapper)));
    wrapper.edit(Edit::rename("items", "reviews")).unwrap();
    wrapper.edit(Edit::rename("reviews.by", "author")).unwrap();
    let found = extracted(&wrapper);
    assert_eq!(found["reviews"][1]["author"], "Ned");
    assert!(found.get("items").is_none());
    assert!(wrapper.schema().to_dtd().contains("<!ELEMENT reviews (author, stars)>"));
    assert_eq!(wrapper.learnt().paths()[0], wrapper.schema().paths()[0]);
    assert!(wrapper.learnt().field("items.by").is_some());
}

#[test]
fn merged_columns_read_the_first_that_is_there() {
    let mut wrapper = shop().wrapper;
    wrapper.edit(Edit::merge(["price", "now"])).unwrap();
    assert_eq!(paths(&wrapper), ["title", "price", "items", "items.by", "items.stars", "stock"]);
    assert_eq!(extracted(&wrapper)["price"], "$3");
    let mut extractor = Extractor::new(&wrapper);
    let found = extractor
        .extract(&parse(&NEW.replace("<i class=offer>Now: $3</i>", "<b class=price>$2</b>")));
    assert_eq!(found.data["price"], "$2");
    assert_eq!(wrapper.schema().field("price").unwrap().density(), 1000);
    // A choice of which one branch is gone is none.
    assert!(wrapper.schema().either.is_empty() && !wrapper.learnt().either.is_empty());
    wrapper.edit(Edit::rename("price", "paid")).unwrap();
    wrapper.edit(Edit::split("paid")).unwrap();
    assert_eq!(wrapper.schema().fields.len(), wrapper.learnt().fields.len());
    assert_eq!(extracted(&wrapper)["now"], "$3");
}

#[test]
fn what_has_been_one_since_it_was_learnt_can_be_split() {
    let page = |title: &str, price: &str| format!("<h1>{title}</h1>{price}<hr>{title}!");
    let one = |price: &str| format!("<div><b class=price>{price}</b></div>");
    let two = |price: &str| format!("<p><i class=price>{price}</i></p>");
    let pages = [
        page("Dune", &one("$9")),
        page("Emma", &two("$7")),
        page("Kim", &one("$5")),
        page("Ubik", &two("$8")),
        page("Momo", &one("$2")),
    ];
    let mut wrapper = learn(&pages.iter().map(String::as_str).collect::<Vec<_>>()).wrapper;
    assert_eq!(wrapper.schema().field("price").unwrap().density(), 1000);
    wrapper.edit(Edit::split("price")).unwrap();
    let density = |path: &str| wrapper.schema().field(path).unwrap().density();
    assert_eq!((density("price"), density("price_2")), (600, 400));
    let found = Extractor::new(&wrapper).extract(&parse(&page("She", &two("$1"))));
    assert_eq!((found.data.get("price"), &found.data["price_2"]), (None, &"$1".into()));
}

#[test]
fn what_is_dropped_is_nowhere_and_can_come_back() {
    let mut wrapper = shop().wrapper;
    wrapper.edit_all([Edit::drop("now"), Edit::drop("items.stars")]).unwrap();
    let found = extracted(&wrapper);
    assert!(found.get("now").is_none() && found["items"][0].get("stars").is_none());
    // A name is free once what had it is dropped.
    wrapper.edit(Edit::rename("price", "now")).unwrap();
    let taken = EditError::Taken { path: "now".into() };
    assert_eq!(wrapper.edit(Edit::keep("now")), Err(taken));
    wrapper.edit(Edit::keep("items.stars")).unwrap();
    assert_eq!(extracted(&wrapper)["items"][0]["stars"], "4");
    while wrapper.undo().is_some() {}
    assert_eq!(wrapper.schema(), wrapper.learnt());
    wrapper.edit(Edit::drop("items")).unwrap();
    assert!(extracted(&wrapper).get("items").is_none());
    assert!(wrapper.edit(Edit::rename("items.by", "author")).is_err());
}

#[test]
fn sets_of_the_same_things_become_one() {
    let list = |class: &str, names: [&str; 3]| {
        let row = |name: &&str| format!("<li><a href=/{name}>{name}</a></li>");
        format!(
            "<h2>{class} {}</h2><ul class={class}>{}</ul>",
            names[0],
            names.iter().map(row).collect::<String>()
        )
    };
    let page = |names: [&str; 6]| {
        list("cats", [names[0], names[1], names[2]]) + &list("dogs", [names[3], names[4], names[5]])
    };
    let pages = [
        page(["Tom", "Mia", "Kit", "Rex", "Ino", "Bo"]),
        page(["Leo", "Pip", "Sam", "Max", "Zoe", "Ace"]),
        page(["Kat", "Ivy", "Gus", "Fay", "Dot", "Abe"]),
    ];
    let mut wrapper = learn(&pages.iter().map(String::as_str).collect::<Vec<_>>()).wrapper;
    let sets: Vec<String> = wrapper
        .schema()
        .paths()
        .into_iter()
        .filter(|(_, field)| matches!(field, wrapper::Field::Set(_)))
        .map(|(path, _)| path)
        .collect();
    assert_eq!(sets.len(), 2, "{}", wrapper.schema());
    wrapper.edit(Edit::merge_as(&sets, "pets")).unwrap();
    let found = Extractor::new(&wrapper).extract(&parse(&pages[1]));
    let names: Vec<&Value> =
        found.data["pets"].as_records().unwrap().iter().map(|it| &it["link"]).collect();
    assert_eq!(names, ["Leo", "Pip", "Sam", "Max", "Zoe", "Ace"]);
}

#[test]
fn what_cannot_be_done_is_told() {
    let told = |edit: Edit| shop().wrapper.edit(edit).expect_err("not possible").to_string();
    let all = [
        told(Edit::rename("prize", "cost")),
        told(Edit::rename("items.star", "cost")),
        told(Edit::rename("xyz", "cost")),
        told(Edit::rename("price", "title")),
        told(Edit::rename("items.by", "stars")),
        told(Edit::rename("price", "Price (in $)")),
        told(Edit::rename("price", "")),
        told(Edit::rename("price", "a.b")),
        told(Edit::merge(["price"])),
        told(Edit::merge(["price", "price"])),
        told(Edit::merge(["price", "items.by"])),
        told(Edit::merge(["price", "items"])),
        told(Edit::merge_as(["price", "now"], "title")),
        told(Edit::split("title")),
        told(Edit::keep("title")),
        told(Edit::keep("titel")),
        told(Edit::set_type("items", DataType::Money)),
    ];
    expect![[r#"
        there is no "prize"; did you mean price?
        there is no "items.star"; did you mean items.stars, items, items.by?
        there is no "xyz"
        "title" is there already: rename or drop that first, or merge the two
        "items.stars" is there already: rename or drop that first, or merge the two
        "Price (in $)" is no name: names are up to 80 letters, digits, _ and -; did you mean price_in?
        "" is no name: names are up to 80 letters, digits, _ and -
        "a.b" is no name: names are up to 80 letters, digits, _ and -; did you mean a_b?
        to merge takes at least two columns
        "price" is there twice
        "price" and "items.by" are parts of different records: what is merged must stand in the same set
        "price" is a column and "items" a set of records: only like can be merged with like
        "title" is there already: rename or drop that first, or merge the two
        "title" was not merged, and is read from one place only: there is nothing to split
        "title" is there: nothing was dropped under this name
        there is no "titel"; did you mean title?
        "items" is a set of records: only columns have a type
    "#]]
    .assert_eq(&(all.join("\n") + "\n"));
}

#[test]
fn files_keep_edits_beside_what_was_learnt() {
    let mut wrapper = shop().wrapper;
    let plain = wrapper.to_json().unwrap();
    wrapper
        .edit_all([
            Edit::merge_as(["price", "now"], "paid"),
            Edit::drop("items.stars"),
            Edit::set_type("title", DataType::Date),
        ])
        .unwrap();
    let file = wrapper.to_json().unwrap();
    let head: String = file.lines().take(8).map(|line| format!("{line}\n")).collect();
    expect![[r#"
        {
          "pagemill": 2,
          "edits": [
            {"edit": "merge", "paths": ["price", "now"], "name": "paid"},
            {"edit": "drop", "path": "items.stars"},
            {"edit": "type", "path": "title", "type": "date"}
          ],
          "schema": {
    "#]]
    .assert_eq(&head);
    let mut read = Wrapper::from_json(file.as_bytes()).unwrap();
    assert_eq!(read.schema(), wrapper.schema());
    assert_eq!(extracted(&read), extracted(&wrapper));
    while read.undo().is_some() {}
    assert_eq!(read.to_json().unwrap(), plain);
    let wrong = file.replace("items.stars", "items.moons");
    let error = Wrapper::from_json(wrong.as_bytes()).unwrap_err().to_string();
    assert!(error.starts_with("its edits cannot be made: there is no \"items.moons\""), "{error}");
}

#[track_caller]
fn named(learnt: &mut Learnt, examples: &[(&str, &str)]) -> Vec<wrapper::Named> {
    let example =
        |(name, value): &(&str, &str)| Example { name: (*name).into(), value: (*value).into() };
    learnt.name(&examples.iter().map(example).collect::<Vec<_>>()).expect("they are there")
}

#[test]
fn columns_are_named_by_their_values() {
    let mut learnt = shop();
    let all = named(
        &mut learnt,
        &[("book", " Emma "), ("reader", "ada"), ("cost", "Now: $7"), ("was", "9")],
    );
    let pairs: Vec<(&str, &str)> = all.iter().map(|it| (&*it.was, &*it.path)).collect();
    assert_eq!(
        pairs,
        [("title", "book"), ("items.by", "items.reader"), ("now", "cost"), ("price", "was")]
    );
    let data = learnt.data[1].as_ref().unwrap();
    assert_eq!((&data["book"], &data["cost"]), (&"Emma".into(), &"$7".into()));
    assert_eq!(data["items"][0]["reader"], "Cy");
    let found = extracted(&learnt.wrapper);
    assert_eq!((&found["book"], &found["items"][0]["reader"]), (&"She".into(), &"Max".into()));
    assert_eq!(learnt.wrapper.edits().len(), 4);
}

#[test]
fn of_several_columns_with_a_value_the_page_s_own_is_taken() {
    let pages: Vec<_> =
        corpus("bookshop/detail/pages").iter().map(|it| page::parse(&it.1)).collect();
    let mut learnt = wrapper::learn(pages, &Default::default()).unwrap();
    let all = named(&mut learnt, &[("book", "Kestrel Down"), ("price", "£9.99")]);
    assert!(!all[0].path.contains('.'), "{all:?}");
    assert!(!all[0].others.is_empty(), "{all:?}");
    let kestrel =
        learnt.data.iter().flatten().find(|data| data.get("book") == Some(&"Kestrel Down".into()));
    assert!(kestrel.is_some());
}

#[test]
fn a_name_that_another_column_has_is_taken_from_it() {
    let mut learnt = shop();
    let all = named(&mut learnt, &[("title", "$9")]);
    assert_eq!(all[0].displaced, Some(("title".into(), "title_2".into())));
    let data = learnt.data[0].as_ref().unwrap();
    assert_eq!((&data["title"], &data["title_2"]), (&"$9".into(), &"Dune".into()));
}

#[test]
fn a_value_that_is_nowhere_is_told_with_the_nearest() {
    let mut learnt = shop();
    let before = learnt.wrapper.to_json().unwrap();
    let example = |name: &str, value: &str| Example { name: name.into(), value: value.into() };
    let error = learnt.name(&[example("book", "Dune"), example("other", "Solarium")]).unwrap_err();
    let expected = "cannot name \"other\": no column has \"Solarium\"; the nearest values are \"Solaris\" in book";
    assert!(error.to_string().starts_with(expected), "{error}");
    assert_eq!(learnt.wrapper.to_json().unwrap(), before, "all or nothing");
    let error = learnt.name(&[example("book", "Dune"), example("book", "$9")]).unwrap_err();
    assert!(error.to_string().contains("\"Dune\" and \"$9\""), "{error}");
}
