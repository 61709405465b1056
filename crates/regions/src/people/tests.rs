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
