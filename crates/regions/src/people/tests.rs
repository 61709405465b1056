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
    assert_eq!(titles(html), ["Professors", "Emerita", "Professors", "Dean", "Professors"]);
}

/// A line that stands out is the title of the names below it, or of the one above it where each name has such a line.
#[test]
fn a_line_between_names_is_a_heading() {
    let html = "<p><b>Professors</b><br>Anna Berg<br>Maria Rossi<br><b>Lecturers</b><br>Tomasz Nowak<br>John Smith</p>";
    assert_eq!(titles(html), ["Professors", "Professors", "Lecturers", "Lecturers"]);
    let html = "<p>Anna Berg, Professor<br>Maria Rossi<br>Eva Klein<br><b>Lecturers</b><br>Tomasz Nowak<br>John Smith</p>";
    assert_eq!(titles(html), ["Professor", "", "", "Lecturers", "Lecturers"]);
    let html = "<p>Anna Berg<br><b>Professor</b><br>Maria Rossi<br><b>Lecturer</b><br>Tomasz Nowak<br><b>Dean</b></p>";
    assert_eq!(titles(html), ["Professor", "Lecturer", "Dean"]);
}

/// The titles of all people of a page; empty for those without.
fn titles(html: &str) -> Vec<String> {
    let page = page::parse(html.as_bytes());
    let title = |person: Person| person.title.map_or(String::new(), |it| it.text);
    people(&page, &Config::default()).into_iter().map(title).collect()
}
