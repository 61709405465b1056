use super::*;

fn names(html: &str) -> Vec<String> {
    let page = page::parse(html.as_bytes());
    people(&page, &Config::default()).into_iter().map(|it| it.name).collect()
}

#[test]
fn a_list_of_links() {
    let html = "<ul><li><a href=/>Home</a><li><a href=/c>Contact us</a></ul>\
        <ul><li><a href=/1>Anna Berg</a><li><a href=/2>Xhqro Vvilk</a><li><a href=/3>Tomasz Nowak</a><li><a href=/4>Maria Rossi</a></ul>";
    assert_eq!(names(html), ["Anna Berg", "Xhqro Vvilk", "Tomasz Nowak", "Maria Rossi"]);
}

#[test]
fn a_remark_behind_a_name_is_no_heading() {
    let html = "<h4>Professors</h4><p>Anna Berg, PhD</p><p>Maria Rossi, PhD, <em>Emerita</em></p><p>Tomasz Nowak, PhD</p>\
        <p>John Smith, <em>Dean</em></p><p>Eva Klein, PhD</p>";
    let page = page::parse(html.as_bytes());
    let titles = people(&page, &Config::default()).into_iter().map(|it| it.title.map(|it| it.text));
    let titles: Vec<Option<String>> = titles.collect();
    let expected = ["Professors", "Emerita", "Professors", "Dean", "Professors"];
    assert_eq!(titles, expected.map(|it| Some(it.to_owned())));
}
