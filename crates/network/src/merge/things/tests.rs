//! Which mentions are of one thing, and what is said of it.

use super::*;

fn mention(class: &str, name: &str, url: &str) -> Mention {
    let url = Some(url.to_owned()).filter(|it| !it.is_empty());
    Mention {
        class: class.to_owned(),
        name: name.to_owned(),
        url,
        confidence: 1.0,
        ..Mention::default()
    }
}

fn price(value: &str) -> (String, String, Place) {
    ("price".to_owned(), value.to_owned(), Place::default())
}

fn rules() -> ThingRules {
    ThingRules {
        same: BTreeMap::from([
            ("Category".to_owned(), Same::Place),
            ("Brand".to_owned(), Same::Name),
        ]),
        singles: BTreeSet::from([("Product".to_owned(), "price".to_owned())]),
    }
}

fn shown(things: &[Thing]) -> Vec<String> {
    let inside = |it: &Thing| it.container.map_or("-", |at| things[at].name.as_str()).to_owned();
    things.iter().map(|it| format!("{} {} in {}", it.class, it.name, inside(it))).collect()
}

#[test]
fn one_address_is_one_thing_and_its_own_page_names_it() {
    let mentions = [
        Mention { values: vec![price("$5")], ..mention("Product", "Dune (pb)", "/dune") },
        Mention { is_own: true, values: vec![price("$6")], ..mention("Product", "Dune", "/dune") },
        mention("Product", "Dune", "/dune-audio"),
    ];
    let things = things(&mentions, &rules());
    assert_eq!(shown(&things), ["Product Dune in -", "Product Dune in -"]);
    assert_eq!(things[0].aliases, ["Dune (pb)"]);
    assert_eq!(things[0].values, [("price".into(), "$6".into(), vec![Place::default()])]);
}

#[test]
fn addresses_are_said_where_they_are_said() {
    let at = |url: &str| Place { url: url.to_owned(), ..Place::default() };
    let mentions = [
        Mention { place: at("/list"), ..mention("Brand", "Ann Lee", "/ann") },
        Mention { place: at("/news"), ..mention("Brand", "Ann Lee", "/ann-lee") },
        Mention { place: at("/more"), ..mention("Brand", "Ann Lee", "/ann") },
        Mention { place: at("/me"), is_own: true, ..mention("Brand", "Ann Lee", "/me") },
    ];
    let things = things(&mentions, &rules());
    let expected = [
        ("/me", vec![at("/me")]),
        ("/ann", vec![at("/list"), at("/more")]),
        ("/ann-lee", vec![at("/news")]),
    ];
    assert_eq!(things[0].urls, expected.map(|(url, places)| (url.to_owned(), places)));
}

#[test]
fn names_and_places_tell_what_addresses_do_not() {
    let mentions = [
        mention("Category", "Fiction", "/fiction"),
        mention("Category", "Fiction", "/fiction?page=2"),
        Mention { within: Some((0, 1)), ..mention("Category", "Poetry", "/poetry") },
        Mention { within: Some((1, 1)), ..mention("Category", "Poetry", "") },
        mention("Category", "Poetry", "/gifts/poetry"),
        mention("Brand", "Ann Lee", ""),
        mention("Brand", "Ann Lee", "/ann"),
    ];
    let expected = [
        "Category Fiction in -",
        "Category Poetry in -",
        "Brand Ann Lee in -",
        "Category Poetry in Fiction",
    ];
    assert_eq!(shown(&things(&mentions, &rules())), expected);
}

#[test]
fn the_innermost_container_holds_and_others_are_elsewhere() {
    let mentions = [
        mention("Category", "Crime", "/crime"),
        Mention { within: Some((0, 2)), ..mention("Category", "Thrillers", "/thrillers") },
        mention("Category", "Sale", "/sale"),
        Mention { within: Some((0, 1)), ..mention("Product", "Kestrel", "/k") },
        Mention { within: Some((1, 2)), ..mention("Product", "Kestrel", "/k") },
        Mention { within: Some((2, 1)), ..mention("Product", "Kestrel", "/k") },
    ];
    let things = things(&mentions, &rules());
    let kestrel = &things[3];
    assert_eq!(shown(&things)[3], "Product Kestrel in Thrillers");
    let elsewhere: Vec<&str> =
        kestrel.elsewhere.iter().map(|it| things[it.0].name.as_str()).collect();
    assert_eq!(elsewhere, ["Sale"]);
}

#[test]
fn rings_are_opened() {
    let mentions = [
        Mention { within: Some((1, 1)), ..mention("Category", "A", "/a") },
        Mention { within: Some((0, 1)), ..mention("Category", "B", "/b") },
    ];
    assert_eq!(shown(&things(&mentions, &rules())), ["Category A in -", "Category B in A"]);
}
