use super::{Marks, draw, text};
use crate::look::{Area, Line, Look};
use crate::rules::by_rules;
use crate::stack::stack;
use expect_test::expect;

#[test]
fn a_page_is_drawn_leaf_by_leaf() {
    let page = page::parse(b"<h1>Dune</h1><p>$9.99");
    let leaves = page.leaves();
    let mut looks = by_rules(&page, &leaves);
    looks[0].area = Some(Area { x: 8.0, y: 20.0, width: 90.0, height: 37.0 });
    looks[1].area = Some(Area { x: 8.0, y: 70.0, width: 60.0, height: 40.0 });
    let line =
        |y, n_letters| Line { area: Area { x: 8.0, y, width: 30.0, height: 18.0 }, n_letters };
    let lines = vec![vec![], vec![line(70.0, 2), line(90.0, 3)]];
    let drawing = draw(&leaves, &looks, &lines, &Marks::types(&leaves), 300);
    assert_eq!((drawing.width, drawing.height, drawing.n_leaves), (300, 152, 2));
    expect![[r##"
        <svg xmlns="http://www.w3.org/2000/svg" width="300" height="152" viewBox="0 0 300 152" font-family="Liberation Sans, Arial, Helvetica, sans-serif">
        <rect width="300" height="152" fill="#ffffff"/>
        <rect x="8.0" y="20.0" width="90.0" height="37.0" fill="none" stroke="#c4ccd4"/>
        <text x="8.0" y="49.7" font-size="32.0" fill="#000000" font-weight="700" xml:space="preserve">Dune</text>
        <rect x="8.0" y="70.0" width="30.0" height="18.0" fill="none" stroke="#2ca02c"/>
        <rect x="8.0" y="90.0" width="30.0" height="18.0" fill="none" stroke="#2ca02c"/>
        <text x="8.0" y="84.6" font-size="16.0" fill="#000000" textLength="30.0" lengthAdjust="spacingAndGlyphs" xml:space="preserve">$9</text>
        <text x="8.0" y="104.6" font-size="16.0" fill="#000000" textLength="30.0" lengthAdjust="spacingAndGlyphs" xml:space="preserve">.99</text>
        <g stroke-width="2">
        <rect x="10" y="128.0" width="12" height="12" fill="none" stroke="#c4ccd4"/>
        <text x="28" y="138.5" font-size="12">string 1</text>
        <rect x="100" y="128.0" width="12" height="12" fill="none" stroke="#2ca02c"/>
        <text x="118" y="138.5" font-size="12">money 1</text>
        </g>
        </svg>
    "##]].assert_eq(&drawing.svg);
}

#[test]
fn texts_of_pages_stay_texts() {
    let page =
        page::parse(b"<p>&lt;script&gt;alert('1')&lt;/script&gt; & \"x\" \x01&#x7f;\xef\xbf\xbf");
    let leaves = page.leaves();
    let mut looks = by_rules(&page, &leaves);
    stack(&leaves, &mut looks, 300);
    let drawing = draw(&leaves, &looks, &[], &Marks::types(&leaves), 300);
    assert!(
        drawing.svg.contains("&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;"),
        "{}",
        drawing.svg
    );
    assert!(!drawing.svg.contains("<script"));
    assert!(drawing.svg.chars().all(|it| it == '\n' || !it.is_control()));
}

#[test]
fn places_that_are_none_are_left_out() {
    let page = page::parse(b"<p>a<p>b<p>c<p>d");
    let leaves = page.leaves();
    let area = |x: f32, width: f32| Some(Area { x, y: 0.0, width, height: 10.0 });
    let looks: Vec<Look> = [area(f32::NAN, 5.0), area(1e9, 5.0), area(3.0, 0.0), area(3.0, 5.0)]
        .map(|area| Look { area, ..Look::default() })
        .to_vec();
    assert_eq!(draw(&leaves, &looks, &[], &Marks::types(&leaves), 100).n_leaves, 1);
}

#[test]
fn lines_are_cut_by_their_letters() {
    assert_eq!(text::cut("one two  three", 6), ("one two", "  three"));
    assert_eq!(text::cut("one two", 4), ("one t", "wo"));
    assert_eq!(text::cut(" x", 9), ("x", ""));
    assert_eq!(text::cut("", 9), ("", ""));
}

#[test]
fn fields_have_colours_and_a_legend_that_fits() {
    let page = page::parse("<p>a".repeat(20).as_bytes());
    let leaves = page.leaves();
    let mut looks = by_rules(&page, &leaves);
    stack(&leaves, &mut looks, 300);
    let name = |nth: usize| match nth {
        0 => None,
        1 | 2 => Some("</text><script>".to_owned()),
        _ => Some(format!("field {nth}")),
    };
    let fields: Vec<Option<String>> = (0..leaves.len()).map(name).collect();
    let drawing = draw(&leaves, &looks, &[], &Marks::fields(&fields), 300);
    let legend: Vec<&str> =
        drawing.svg.lines().filter(|line| line.contains("font-size=\"12\"")).collect();
    assert_eq!(legend.len(), 19);
    assert!(legend[0].contains(">&lt;/text&gt;&lt;script&gt; 2<"), "{}", legend[0]);
    assert!(legend[18].contains(">no field 1<"), "{}", legend[18]);
    let x = |line: &str| line.split('"').nth(1).and_then(|x| x.parse::<f32>().ok());
    assert!(legend.iter().all(|line| x(line).is_some_and(|x| x < 250.0)), "{legend:#?}");
    // One outline and one box of the legend.
    assert_eq!(drawing.svg.matches("stroke=\"#1f77b4\" stroke-width=\"2\"/>").count(), 2);
    assert_eq!(drawing.svg.matches("stroke-dasharray").count(), 2 * (18 - 12));
}
