//! Pages made for the bench: the same records, more and more of them.

/// How many leaves the pages have, about.
const SIZES: [usize; 3] = [2_000, 6_600, 20_000];

const GIVEN: [&str; 12] = [
    "Anna", "Tomasz", "Maria", "John", "Wei", "Fatima", "Carlos", "Ingrid", "Pierre", "Yuki",
    "Olga", "David",
];
const SURNAMES: [&str; 12] = [
    "Berg", "Nowak", "Rossi", "Smith", "Zhang", "Haddad", "Garcia", "Larsen", "Dubois", "Tanaka",
    "Ivanova", "Cohen",
];
const TITLES: [&str; 5] = [
    "Professor",
    "Associate Professor",
    "Senior Lecturer",
    "Research Associate",
    "Professor Emerita",
];
const FIELDS: [&str; 8] = [
    "Physics",
    "Computer Science",
    "Chemistry",
    "History",
    "Applied Mathematics",
    "Linguistics",
    "Marine Biology",
    "Economics",
];
const UNITS: [&str; 4] = ["Department of", "School of", "Institute of", "Faculty of"];

/// Pages of one kind, by size.
pub(crate) fn pages(kind: &str) -> Vec<(String, Vec<u8>)> {
    // What is listed, a record, and how many leaves ten records have.
    let (head, record, n_leaves): (&str, fn(usize) -> String, usize) = match kind {
        "people" => ("Our staff", person, 40),
        "units" => ("Departments", unit, 20),
        _ => ("Books", book, 34),
    };
    let page = |size: &usize| {
        let n_records = size * 10 / n_leaves;
        let records: String = (0..n_records).map(record).collect();
        let html = format!("<title>{head}</title><h1>{head}</h1><ul>{records}</ul>");
        (format!("made, {n_records} records"), html.into_bytes())
    };
    SIZES.iter().map(page).collect()
}

fn pick<'w>(words: &[&'w str], number: usize) -> &'w str {
    words[number % words.len()]
}

/// A word for a number, in letters.
fn letters(number: usize) -> String {
    let letter = |digit: u32| (number / 26_usize.pow(digit) % 26) as u8 + b'a';
    (0..3).map(|digit| char::from(letter(digit))).collect()
}

fn person(n: usize) -> String {
    let (given, surname) = (pick(&GIVEN, n), pick(&SURNAMES, n / GIVEN.len()));
    let (title, field, middle) = (pick(&TITLES, n / 3), pick(&FIELDS, n / 7), letters(n));
    format!(
        "<li class='person p{n}'><a href='/people/{n}'>{given} {middle}{surname}</a>\
         <p class=title>{title}</p><p>{field}, room {n}</p>\
         <p><a href='mailto:{given}.{n}@example.org'>{given}.{n}@example.org</a></p>"
    )
}

fn unit(n: usize) -> String {
    let (unit, field, other) = (pick(&UNITS, n), pick(&FIELDS, n / 4), letters(n));
    format!(
        "<li class=unit><a href='/{n}'>{unit} {field}</a> <a href='/{n}/people'>Faculty of {other}</a>"
    )
}

fn book(n: usize) -> String {
    let badge = if n.is_multiple_of(3) { "<em>new</em>" } else { "" };
    format!(
        "<li class='book b{n}'><a href=/{n}>Book {n}</a>{badge} <span class=price>${n}.99</span>\
         <p>About book {n}</p>"
    )
}
