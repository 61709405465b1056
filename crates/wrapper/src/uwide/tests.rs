//! Each step on small pages.

use super::align::{self, Column, Scores};
use super::encode::{self, Code, Codes, Kind};
use super::landmarks;
use super::outline::{Entry, Fold, Item, Outline};
use super::patterns::{self, Pattern};
use super::refine;
use super::regions;
use crate::induce::Context;
use crate::journal::Journal;
use crate::twig::{Bough, Symbols, TwigId};

/// What a step sees of some pages.
struct Stage<'a> {
    context: &'a Context<'a>,
    codes: Codes,
    outlines: Vec<Outline<'a>>,
}

impl Stage<'_> {
    fn fold_sets(&mut self) {
        let scores = Scores::default();
        regions::fold_sets(self.context, &scores, &mut self.codes, &mut self.outlines);
    }

    /// What stands in an entry: a text, or how many records.
    fn show(&self, page: usize, entry: &Entry) -> String {
        match entry.item {
            Item::Leaf(leaf) => self.outlines[page].sheet.bough.leaf(leaf).text.to_owned(),
            Item::Set(number) => {
                let records = &self.outlines[page].regions[number].records;
                let shown: Vec<String> =
                    records.iter().map(|record| self.show_all(page, record)).collect();
                format!("[{}]", shown.join(" | "))
            }
        }
    }

    fn show_all(&self, page: usize, entries: &[Entry]) -> String {
        let shown: Vec<String> = entries.iter().map(|entry| self.show(page, entry)).collect();
        shown.join(", ")
    }

    fn outline(&self, page: usize) -> String {
        self.show_all(page, &self.outlines[page].entries)
    }

    fn align(&self) -> Vec<Column> {
        let sequences: Vec<&[Entry]> = self.outlines.iter().map(|it| &*it.entries).collect();
        align::align(&Scores::default(), &sequences)
    }

    /// By column, what each page has.
    fn show_columns(&self, columns: &[Column]) -> Vec<String> {
        let cell = |column: &Column, page: usize| {
            let found = column.cells.iter().find(|(at, _)| *at == page);
            found.map_or("-".to_owned(), |(_, entry)| self.show(page, entry))
        };
        let row = |column: &Column| {
            let cells: Vec<String> =
                (0..self.outlines.len()).map(|page| cell(column, page)).collect();
            cells.join(" ")
        };
        columns.iter().map(row).collect()
    }
}

fn on<T>(pages: &[&str], step: impl FnOnce(&mut Stage<'_>) -> T) -> T {
    let mut symbols = Symbols::default();
    let boughs: Vec<Bough> =
        pages.iter().map(|html| Bough::new(&page::parse(html.as_bytes()), &mut symbols)).collect();
    let journal = Journal::new(false);
    let context = Context { boughs: &boughs, symbols: &symbols, journal: &journal, depth: 0 };
    let (codes, sheets) = encode::encode(&context);
    let outlines = sheets.into_iter().map(Outline::new).collect();
    step(&mut Stage { context: &context, codes, outlines })
}

/// The outlines once all sets are folded.
fn folded(pages: &[&str]) -> Vec<String> {
    on(pages, |stage| {
        stage.fold_sets();
        (0..pages.len()).map(|page| stage.outline(page)).collect()
    })
}

fn codes_of(page: &str) -> Vec<Code> {
    on(&[page], |stage| stage.outlines[0].codes())
}

#[test]
fn a_code_is_a_path_and_a_coarse_type() {
    let codes = codes_of("<p>one<p>two<p>3<p>$4<div>five</div>");
    assert_eq!(codes[0], codes[1], "two strings at one path");
    assert_ne!(codes[1], codes[2], "a string and a number");
    assert_eq!(codes[2], codes[3], "money is a number");
    assert_ne!(codes[0], codes[4], "another path");
}

#[test]
fn codes_are_the_same_on_all_pages() {
    on(&["<b>x</b><i>1</i>", "<i>2</i><b>y</b>"], |stage| {
        let (left, right) = (stage.outlines[0].codes(), stage.outlines[1].codes());
        assert_eq!((left[0], left[1]), (right[1], right[0]));
    });
}

#[test]
fn decoration_is_no_block() {
    on(&["<p>a<b>b</b><i><u>c</u></i></p><p>d</p><div>e</div>"], |stage| {
        let marks = &stage.outlines[0].sheet.marks;
        let blocks: Vec<_> = marks.iter().map(|mark| stage.codes.block(mark.path)).collect();
        assert!(blocks[..4].iter().all(|block| *block == blocks[0]));
        assert_ne!(blocks[4], blocks[0]);
    });
}

fn mined(page: &str) -> Vec<(usize, usize, Vec<usize>)> {
    let parts = |it: Pattern| (it.len, it.frequency, it.starts);
    patterns::mine(&codes_of(page)).into_iter().map(parts).collect()
}

#[test]
fn patterns_are_maximal() {
    // b i u, x, b i u: no part of it repeats more often.
    let page = "<b>1a</b><i>x</i><u>y</u><p>z</p><b>2a</b><i>v</i><u>w</u>";
    assert_eq!(mined(page), [(3, 2, vec![0, 4])]);
}

#[test]
fn a_shorter_pattern_that_is_more_frequent_stays() {
    let page = "<b>a</b><i>b</i><u>c</u><p>-</p><b>a</b><i>b</i><u>c</u><q>-</q><b>a</b><i>b</i>";
    assert_eq!(mined(page), [(2, 3, vec![0, 4, 8]), (3, 2, vec![0, 4])]);
}

#[test]
fn overlapping_repeats_are_all_found() {
    let page = "<p>a</p><p>b</p><p>c</p><p>d</p>";
    assert_eq!(mined(page), [(2, 3, vec![0, 1, 2]), (3, 2, vec![0, 1])]);
}

#[test]
fn what_never_repeats_has_no_pattern() {
    assert_eq!(mined("<b>a</b><i>b</i><u>c</u>"), []);
    assert_eq!(mined(""), []);
}

#[test]
fn records_stand_below_where_neighbours_first_meet() {
    let page = "<ul><li><b>a</b><i>1</i></li><li><b>c</b><i>2</i></li></ul>";
    on(&[page], |stage| {
        let found = landmarks::find(stage.context, &stage.outlines, 0);
        let sheet = &stage.outlines[0].sheet;
        let depths: Vec<u32> = found.iter().map(|landmark| landmark.depth).collect();
        let list =
            sheet.parents[sheet.parents[sheet.parents[sheet.twig_of[0].index()].index()].index()];
        assert_eq!(depths, [sheet.depth(list); 2]);
    });
}

#[test]
fn what_says_the_same_again_is_a_landmark_by_itself() {
    let page = "<p>Price:<b>$1</b></p><div>x</div><p>Price:<i>2</i></p>";
    on(&[page], |stage| {
        let found = landmarks::find(stage.context, &stage.outlines, 0);
        let mark = stage.outlines[0].entries[0].mark;
        assert!(found.iter().any(|it| it.code == mark.code && it.content == Some(mark.content)));
    });
}

#[test]
fn records_are_found_and_what_is_around_them_is_not_theirs() {
    let pages = [
        "<h1>Books</h1><ul><li><b>Dune</b><i>$9</i><li><b>Emma</b><i>$5</i><li><b>Kim</b><i>$3</i></ul><p>end",
        "<h1>More</h1><ul><li><b>Ubik</b><i>$7</i><li><b>She</b><i>$4</i></ul><p>end",
    ];
    assert_eq!(
        folded(&pages),
        ["Books, [Dune, $9 | Emma, $5 | Kim, $3], end", "More, [Ubik, $7 | She, $4], end"]
    );
}

#[test]
fn a_record_without_the_landmark_is_one() {
    let page = "<div>\
        <p><b>a</b><i>x</i><u>1</u></p><p><b>b</b><i>y</i><u>2</u></p>\
        <p><b>c</b><i>z</i><u>3</u></p><p><b>d</b><i>w</i><u>n/a</u></p></div>";
    assert_eq!(folded(&[page]), ["[a, x, 1 | b, y, 2 | c, z, 3 | d, w, n/a]"]);
}

#[test]
fn siblings_before_or_after_belong_to_the_record() {
    let pages = [
        "<dl><dt>One<dd>first<dd>1st<dt>Two<dd>second<dt>Three<dd>third<dd>3rd</dl>",
        "<dl><dt>Four<dd>fourth<dt>Five<dd>fifth<dd>5th<dt>Six<dd>sixth</dl>",
    ];
    assert_eq!(
        folded(&pages),
        [
            "[One, first, 1st | Two, second | Three, third, 3rd]",
            "[Four, fourth | Five, fifth, 5th | Six, sixth]"
        ]
    );
}

#[test]
fn sets_nest() {
    let pages = [
        "<div><section><h2>A</h2><ul><li>a1<li>a2<li>a3<li>a4<li>a5</ul></section>\
         <section><h2>B</h2><ul><li>b1</ul></section><section><h2>C</h2><ul><li>c1<li>c2</ul></section></div>",
        "<div><section><h2>D</h2><ul><li>d1</ul></section>\
         <section><h2>E</h2><ul><li>e1<li>e2</ul></section></div>",
    ];
    let outlines = folded(&pages);
    assert_eq!(outlines[0], "[A, [a1 | a2 | a3 | a4 | a5] | B, [b1] | C, [c1 | c2]]");
    assert_eq!(outlines[1], "[D, [d1] | E, [e1 | e2]]");
}

#[test]
fn cells_of_a_row_are_no_records() {
    let page = "<table><tr><td>a<td>b<td>c<tr><td>d<td>e<td>f<tr><td>g<td>h<td>i</table>";
    assert_eq!(folded(&[page]), ["[a, b, c | d, e, f | g, h, i]"]);
}

#[test]
fn rows_that_labels_tell_apart_are_no_records() {
    let page = |pages: u32, weight: u32, year: u32| {
        format!(
            "<table><tr><th>Pages<td>{pages}<tr><th>Weight<td>{weight}<tr><th>Year<td>{year}</table>"
        )
    };
    let pages = [page(1, 2, 3), page(4, 5, 6), page(7, 8, 9)];
    let pages: Vec<&str> = pages.iter().map(String::as_str).collect();
    assert_eq!(folded(&pages)[1], "Pages, 4, Weight, 5, Year, 6");
}

#[test]
fn words_marked_in_a_text_are_no_records() {
    let page = "<p>The <b>art</b> of the <b>art</b> of <b>art</b> and more <b>art</b>.</p>";
    on(&[page], |stage| {
        stage.fold_sets();
        assert!(stage.outlines[0].regions.is_empty());
    });
}

#[test]
fn siblings_that_have_little_in_common_are_no_set() {
    // All have an h2, which is a landmark; nothing else aligns.
    let page = "<main>\
        <div><h2>a</h2><p>1</p><ul><li>x</ul><em>y</em></div>\
        <div><h2>b</h2><table><tr><td>q<td>r</table><blockquote>s</blockquote></div>\
        <div><h2>c</h2><form><input value=v></form><pre>t</pre><address>u</address></div></main>";
    assert!(!folded(&[page])[0].contains('|'));
}

#[test]
fn folding_leaves_a_symbol_and_what_is_between() {
    on(&["<div><p>a</p><hr><i>ad</i><p>b</p></div>"], |stage| {
        let Stage { outlines, codes, .. } = stage;
        let outline = &mut outlines[0];
        let twigs: Vec<TwigId> = outline.entries.iter().map(|entry| entry.twig).collect();
        let parent = |twig: TwigId| outline.sheet.parents[twig.index()];
        let (first, last) = (parent(twigs[0]), parent(twigs[2]));
        let fold = Fold { parent: parent(first), records: vec![vec![first], vec![last]] };
        outline.fold(codes, &[fold]);
        assert_eq!(stage.outline(0), "[a | b], ad");
        assert_eq!(stage.outlines[0].entries[0].mark.kind, Kind::Set);
    });
}

#[test]
fn alignment_opens_gaps_for_what_is_optional() {
    let pages = [
        "<b>Author:</b><i>Ada</i><b>Price:</b><i>x</i>",
        "<b>Price:</b><i>y</i>",
        "<b>Author:</b><i>Cy</i><b>Price:</b><i>z</i>",
    ];
    on(&pages, |stage| {
        assert_eq!(
            stage.show_columns(&stage.align()),
            ["Author: - Author:", "Ada - Cy", "Price: Price: Price:", "x y z"]
        );
    });
}

#[test]
fn other_paths_make_other_columns() {
    on(&["<b>a</b><u>u</u>", "<b>b</b><i>c</i>"], |stage| {
        assert_eq!(stage.show_columns(&stage.align()).len(), 3);
    });
}

#[test]
fn related_types_align_and_unrelated_ones_do_so_by_path() {
    on(&["<b>12</b>", "<b>$12</b>", "<b>2024-01-02</b>"], |stage| {
        assert_eq!(stage.show_columns(&stage.align()), ["12 $12 2024-01-02"]);
    });
}

#[test]
fn the_same_content_aligns_across_paths() {
    on(&["<p><b>Next</b>", "<p><b>Next</b>", "<p><i>Next</i>"], |stage| {
        assert_eq!(stage.show_columns(&stage.align()), ["Next Next Next"]);
    });
}

#[test]
fn sets_align_as_one_symbol() {
    let pages = [
        "<h1>t</h1><ul><li>a<li>b<li>c</ul><p>x",
        "<h1>u</h1><ul><li>d<li>e</ul><p>y",
        "<h1>v</h1><p>z",
    ];
    on(&pages, |stage| {
        stage.fold_sets();
        assert_eq!(stage.show_columns(&stage.align()), ["t u v", "[a | b | c] [d | e] -", "x y z"]);
    });
}

#[test]
fn long_pages_are_aligned_near_the_diagonal() {
    let page = |name: &str| -> String { (0..3_000).map(|i| format!("<p>{name}{i}</p>")).collect() };
    on(&[&page("a"), &page("b")], |stage| {
        assert_eq!(stage.align().len(), 3_000);
    });
}

#[test]
fn density_leaves_out_what_hardly_any_has() {
    let close = |left: f64, right: f64| (left - right).abs() < 1e-9;
    assert!(close(refine::density(&[10, 5], 10), 0.75));
    assert!(close(refine::density(&[20, 1], 20), 1.0));
    assert!(close(refine::density(&[], 0), 0.0));
}

#[test]
fn decoration_beside_plain_text_is_stripped_where_columns_are_thin() {
    let pages = ["<p>a <b>b</b> c</p>", "<p>d</p>", "<p>e</p>", "<p>f</p>"];
    on(&pages, |stage| {
        let columns = stage.align();
        let stripped = refine::decorations(stage.context, &stage.codes, &columns, pages.len());
        let marks = &stage.outlines[0].sheet.marks;
        assert_eq!(stripped.into_iter().collect::<Vec<_>>(), [(marks[1].path, marks[0].path)]);
    });
}

#[test]
fn decoration_that_is_everywhere_stays() {
    let pages = ["<p>a <b>b</b></p>", "<p>c <b>d</b></p>", "<p>e <b>f</b></p>"];
    on(&pages, |stage| {
        let columns = stage.align();
        assert!(refine::decorations(stage.context, &stage.codes, &columns, 3).is_empty());
        assert_eq!(refine::groups(&stage.codes, &columns, 3).len(), 2);
    });
}

#[test]
fn free_text_is_one_column_but_for_its_lines() {
    let pages = [
        "<p>a <b>b</b> c <i>d</i> e<br>f</p><h2>g</h2>",
        "<p>h</p><h2>i</h2>",
        "<p>j</p><h2>k</h2>",
    ];
    on(&pages, |stage| {
        let columns = stage.align();
        let groups = refine::groups(&stage.codes, &columns, 3);
        let sizes: Vec<usize> = groups.iter().map(|group| group.len()).collect();
        assert_eq!(sizes, [5, 1, 1]);
    });
}
