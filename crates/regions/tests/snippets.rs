use crate::{main_set, sets};
use expect_test::{Expect, expect};
use regions::{Outline, Rect, RepeatConfig, SetConfig, record_sets, repeats};

fn check(html: &str, expected: Expect) {
    expected.assert_eq(&main_set(html));
}

#[test]
fn items_of_a_list_are_records() {
    check(
        "<nav><a href=/>Home</a><a href=/a>About us</a><a href=/b>Where to find us</a></nav>
         <ul><li><b>Dune</b> <i>$9</i><li><b>Emma</b> <i>$7</i><li><b>Kim</b> <i>$5</i></ul>",
        expect![[r#"
            Dune $9 | Dune | $9
            Emma $7 | Emma | $7
            Kim $5 | Kim | $5
        "#]],
    );
}

#[test]
fn siblings_that_take_turns_are_one_record() {
    check(
        "<dl><dt>Dune<dd>Frank Herbert<dd>1965<dt>Emma<dd>Jane Austen<dd>1815<dt>Kim<dd>Rudyard Kipling<dd>1901</dl>",
        expect![[r#"
            Dune | Frank Herbert | 1965
            Emma | Jane Austen | 1815
            Kim | Rudyard Kipling | 1901
        "#]],
    );
    check(
        "<table><tr><td><a href=1>Dune</a><tr><td>412 points<tr><td><a href=2>Emma</a><tr><td>29 points
         <tr><td><a href=3>Kim</a><tr><td>7 points<tr><td><a href=4>Ada</a><tr><td>1 point</table>",
        expect![[r#"
            Dune | 1 | 412 points
            Emma | 2 | 29 points
            Kim | 3 | 7 points
            Ada | 4 | 1 point
        "#]],
    );
}

#[test]
fn lines_are_records_where_breaks_part_them() {
    check(
        "<p><a href=1>Dune</a> by Frank Herbert<br><a href=2>Emma</a> by Jane Austen<br>
         <a href=3>Kim</a> by Rudyard Kipling<br><a href=4>Ada</a> by Vladimir Nabokov</p>",
        expect![[r#"
            Dune by Frank Herbert | Dune | 1 | Frank Herbert | by Frank Herbert
            Emma by Jane Austen | Emma | 2 | Jane Austen | by Jane Austen
            Kim by Rudyard Kipling | Kim | 3 | Rudyard Kipling | by Rudyard Kipling
            Ada by Vladimir Nabokov | Ada | 4 | Vladimir Nabokov | by Vladimir Nabokov
        "#]],
    );
}

#[test]
fn rows_of_a_table_are_records_and_not_their_cells() {
    check(
        "<table><tr><th>Title<th>Author<th>Year<tr><td>Dune<td>Frank Herbert<td>1965
         <tr><td>Emma<td>Jane Austen<td>1815<tr><td>Kim<td>Rudyard Kipling<td>1901</table>",
        expect![[r#"
            Dune | Frank Herbert | 1965
            Emma | Jane Austen | 1815
            Kim | Rudyard Kipling | 1901
        "#]],
    );
}

#[test]
fn cells_of_a_grid_are_records_and_not_its_rows() {
    let cell = |name: &str, price: &str| {
        format!(
            "<td><img src={name}.png><a href=/{name}>{name}</a><b>{price}</b><p>A book called {name}"
        )
    };
    let rows = [
        [("Dune", "$9"), ("Emma", "$7"), ("Kim", "$5")],
        [("Ada", "$4"), ("Ulysses", "$8"), ("Nana", "$3")],
    ];
    let row = |row: &[(&str, &str); 3]| {
        let cells: String = row.iter().map(|(name, price)| cell(name, price)).collect();
        format!("<tr>{cells}")
    };
    let rows: String = rows.iter().map(row).collect();
    check(
        &format!("<table>{rows}</table>"),
        expect![[r#"
        Dune$9 | Dune.png | Dune | /Dune | $9 | Dune | A book called Dune
        Emma$7 | Emma.png | Emma | /Emma | $7 | Emma | A book called Emma
        Kim$5 | Kim.png | Kim | /Kim | $5 | Kim | A book called Kim
        Ada$4 | Ada.png | Ada | /Ada | $4 | Ada | A book called Ada
        Ulysses$8 | Ulysses.png | Ulysses | /Ulysses | $8 | Ulysses | A book called Ulysses
        Nana$3 | Nana.png | Nana | /Nana | $3 | Nana | A book called Nana
    "#]],
    );
}

#[test]
fn units_of_several_lists_are_one_repeat() {
    let page = page::parse(
        b"<h2>Old</h2><ul><li><b>Emma</b> <i>1815</i><li><b>Ivanhoe</b> <i>1819</i></ul>
         <h2>New</h2><ul><li><b>Kim</b> <i>1901</i><li><b>Dune</b> <i>1965</i></ul>
         <h2>Newest</h2><ul><li><b>Piranesi</b> <i>2020</i></ul>",
    );
    let leaves = page.leaves();
    let found = repeats(&Outline::new(&page, &leaves), &leaves, &RepeatConfig::default());
    assert!(found.iter().any(|it| it.is_spread && it.units.len() == 5));
}

#[test]
fn a_choice_is_no_record_set() {
    let options: String = (1..30).map(|n| format!("<option>Country {n}")).collect();
    assert!(sets(&format!("<select>{options}</select>")).is_empty());
}

#[test]
fn where_records_stand_counts() {
    let page = page::parse(
        b"<p><b>Dune</b><i>$9</i></p><p><b>Emma</b><i>$7</i></p><p><b>Kim</b><i>$5</i></p>",
    );
    let leaves = page.leaves();
    let at = |x: f32, y: f32| Some(Rect { x, y, width: 50.0, height: 10.0 });
    let score = |boxes: &[Option<Rect>]| {
        let sets = record_sets(&page, &leaves, Some(boxes), &SetConfig::default());
        (sets[0].score, sets[0].measures.alignment)
    };
    let column =
        [at(8.0, 0.0), at(90.0, 0.0), at(8.0, 20.0), at(90.0, 20.0), at(8.0, 40.0), at(90.0, 40.0)];
    let scattered = [
        at(8.0, 0.0),
        at(90.0, 0.0),
        at(31.0, 27.0),
        at(90.0, 20.0),
        at(77.0, 43.0),
        at(90.0, 40.0),
    ];
    let (aligned, others) = (score(&column), score(&scattered));
    assert_eq!((aligned.1, others.1), (Some(1.0), Some(0.0)));
    assert!(aligned.0 > others.0);
}

#[test]
fn the_papers_way_scans() {
    // Figure 6 of the paper: eleven rows, of which the first is a heading and the others are units of three, two and four.
    let rows = "<tr><th><h3>Staff</h3>\
                <tr><td><b>Ann Lee</b><tr><td>Professor<tr><td><i>a@b.example</i>\
                <tr><td><b>Bob Stone</b><tr><td>Professor<tr><td><i>b@b.example</i>\
                <tr><td><b>Eva Berg</b><tr><td>Lecturer<tr><td><i>e@b.example</i>\
                <tr><td><b>Dan Wu</b><tr><td>Lecturer<tr><td><i>d@b.example</i>";
    let page = page::parse(format!("<table><tbody>{rows}</table>").as_bytes());
    let leaves = page.leaves();
    let outline = Outline::new(&page, &leaves);
    let found = repeats(&outline, &leaves, &RepeatConfig::paper());
    let units: Vec<usize> = found[0].units.iter().map(Vec::len).collect();
    assert_eq!(units, [3, 3, 3, 3]);
}

#[test]
fn sets_say_where_they_are_and_why() {
    let page = page::parse(
        b"<div></div><div><ul class=shelf><li class=book>Dune <i>$9</i><li class=book>Emma <i>$7</i></ul></div>",
    );
    let set = &crate::sets_of(&page)[0];
    assert_eq!((&*set.name, &*set.path(&page)), ("books", "/html/body/div[2]/ul"));
    expect!["100 % of the text, 100 % alike, 2.0 parts each"].assert_eq(&set.why());
}
