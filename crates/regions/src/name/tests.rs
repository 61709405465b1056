use super::*;

fn read(text: &str) -> Option<(String, f64, Form)> {
    let known = Dictionary::built_in();
    let mut reader = NameReader::new(&known);
    reader.read(text).map(|it| (text[it.place].to_owned(), it.odds, it.form))
}

#[test]
fn names_are_read() {
    let check = |text: &str, expected: &str| {
        let found = read(text);
        let name = found.as_ref().filter(|it| it.1 > 0.0).map(|it| it.0.as_str());
        assert_eq!(name, Some(expected), "{text}: {found:?}");
    };
    check("Anna Berg", "Anna Berg");
    check("Prof. Dr. Anna Berg", "Anna Berg");
    check("Berg, Anna", "Berg, Anna");
    check("BERG Anna", "BERG Anna");
    check("Anna Berg, Ph.D.", "Anna Berg");
    check("Anna K. Berg, M.D., Ph.D.", "Anna K. Berg");
    check("Anna Berg, Associate Professor", "Anna Berg");
    check("Anna Berg – Professor", "Anna Berg");
    check("Dr. Anna Berg (Chair)", "Anna Berg");
    check("Associate Professor Anna Berg", "Anna Berg");
    check("J. R. Thompson", "J. R. Thompson");
    check("J.R. Thompson", "J.R. Thompson");
    check("Petronella van der Berg", "Petronella van der Berg");
    check("William (Bill) Thompson", "William (Bill) Thompson");
    check("Martin Luther King, Jr.", "Martin Luther King, Jr.");
    check("Anna Berg, anna@example.org", "Anna Berg");
    check("Xiaoming Zhang", "Xiaoming Zhang");
    check("Иван Петров", "Иван Петров");
    check("Robert Hall", "Robert Hall");
    check("王小明", "王小明");
}

/// What is a degree, a particle or a name by where it stands.
#[test]
fn degrees_are_told_from_names() {
    let check = |text: &str, expected: &str| {
        assert_eq!(read(text).map(|it| it.0).as_deref(), Some(expected), "{text}");
    };
    check("M.Sc. Anna Berg", "Anna Berg");
    check("Ph.D. Anna Berg", "Anna Berg");
    check("Anna Berg, M. Sc.", "Anna Berg");
    check("M. Sc. Anna Berg", "Anna Berg");
    check("M.A. Thompson", "M.A. Thompson");
    check("Anna Berg, MEng", "Anna Berg");
    check("Anna Berg, MA", "Anna Berg");
    check("Richard Peng", "Richard Peng");
    check("Jigen PENG", "Jigen PENG");
    check("Xiaomei MA", "Xiaomei MA");
    check("Matthews, Ben", "Matthews, Ben");
}

#[test]
fn other_texts_are_no_names() {
    let check = |text: &str| {
        let found = read(text);
        assert!(found.as_ref().is_none_or(|it| it.1 <= 0.0), "{text}: {found:?}");
    };
    for text in [
        "Contact Us",
        "Computer Science",
        "Research Groups",
        "Department of Physics",
        "School of Law",
        "About the College",
        "Anna Berg won the prize of the year",
        "Associate Professor",
        "Professors",
        "Campus Map",
        "Current Students",
        "Summer School",
        "计算机科学",
        "教授",
        "Read more",
        "Faculty and Staff",
        "News & Events",
        "2015",
        "",
        "...",
        "Prof. Dr.",
        "Office Hours",
        "Machine Learning",
        "Data Structures",
        "Bachelor of Science",
        "United States",
        "Privacy Policy",
    ] {
        check(text);
    }
}
