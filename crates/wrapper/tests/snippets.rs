use crate::{learn, shown};
use expect_test::{Expect, expect};

/// The schema, then the data of each page.
#[track_caller]
fn check(pages: &[&str], expected: Expect) {
    expected.assert_eq(&shown(&learn(pages)));
}

#[test]
fn rows_are_known_by_their_labels_in_any_order() {
    check(
        &[
            "<table><tr><th>Publisher<td>Aphelion<tr><th>Pages<td>144<tr><th>Weight<td>1 kg</table>",
            "<table><tr><th>Pages<td>96<tr><th>Publisher<td>Corvid</table>",
            "<table><tr><th>Weight<td>2 kg<tr><th>Pages<td>320<tr><th>Publisher<td>Tallow</table>",
        ],
        expect![[r#"
            pages       number     100% 144
            weight?     quantity   66%  1 kg
            publisher   string     100% Aphelion
            {"pages":"144","weight":"1 kg","publisher":"Aphelion"}
            {"pages":"96","publisher":"Corvid"}
            {"pages":"320","weight":"2 kg","publisher":"Tallow"}
        "#]],
    );
}

#[test]
fn lines_with_labels_are_rows_too() {
    check(
        &[
            "<p><b>Author:</b> Ada Quill<br><b>Year:</b> 1999</p>",
            "<p><b>Author:</b> Ben Inkwell<br><b>Year:</b> 2004</p>",
            "<p><b>Year:</b> 1987<br><b>Author:</b> Cy Foolscap</p>",
        ],
        expect![[r#"
            author   string     100% Ada Quill
            year     number     100% 1987
            {"author_text":"Author: Ada Quill","year_text":"Year: 1999","author":"Ada Quill","year":"1999"}
            {"author_text":"Author: Ben Inkwell","year_text":"Year: 2004","author":"Ben Inkwell","year":"2004"}
            {"author_text":"Author: Cy Foolscap","year_text":"Year: 1987","author":"Cy Foolscap","year":"1987"}
        "#]],
    );
}

#[test]
fn terms_and_definitions_make_records_or_columns() {
    check(
        &[
            "<dl><dt>Colour<dd>red<dt>Size<dd>L</dl>",
            "<dl><dt>Size<dd>M<dt>Colour<dd>blue</dl>",
            "<dl><dt>Colour<dd>green<dt>Size<dd>S</dl>",
        ],
        expect![[r#"
            colour   string     100% blue
            size     string     100% L
            {"colour":"red","size":"L"}
            {"colour":"blue","size":"M"}
            {"colour":"green","size":"S"}
        "#]],
    );
}

#[test]
fn records_have_optional_parts() {
    check(
        &[
            "<ul><li><b>Dune</b><i>$9</i><li><b>Emma</b><u>sale</u><i>$5</i><li><b>Ubik</b><i>$7</i></ul>",
            "<ul><li><b>Kim</b><i>$3</i><li><b>She</b><i>$4</i></ul>",
        ],
        expect![[r#"
            items     set        100% 5 records
              text    string     100% Dune
              u?      string     20%  sale
              money   money      100% $3
            {"items":[{"text_2":"Dune$9","text":"Dune","money":"$9"},{"text_2":"Emmasale$5","text":"Emma","u":"sale","money":"$5"},{"text_2":"Ubik$7","text":"Ubik","money":"$7"}]}
            {"items":[{"text_2":"Kim$3","text":"Kim","money":"$3"},{"text_2":"She$4","text":"She","money":"$4"}]}
        "#]],
    );
}

#[test]
fn records_may_be_several_siblings() {
    check(
        &[
            "<div><h3>One</h3><p>first</p><h3>Two</h3><p>second</p><h3>Three</h3><p>third</p></div>",
            "<div><h3>Four</h3><p>fourth</p><h3>Five</h3><p>fifth</p></div>",
        ],
        expect![[r#"
            items     set        100% 5 records
              title   string     100% Five
              text    string     100% fifth
            {"items":[{"title":"One","text":"first"},{"title":"Two","text":"second"},{"title":"Three","text":"third"}]}
            {"items":[{"title":"Four","text":"fourth"},{"title":"Five","text":"fifth"}]}
        "#]],
    );
}

#[test]
fn sets_nest() {
    check(
        &[
            "<div><section><h2>A</h2><ul><li>1a<li>2a</ul></section><section><h2>B</h2><ul><li>1b<li>2b<li>3b</ul></section></div>",
            "<div><section><h2>C</h2><ul><li>1c</ul></section><section><h2>D</h2><ul><li>1d<li>2d</ul></section><section><h2>E</h2><ul><li>1e</ul></section></div>",
        ],
        expect![[r#"
            records    set        100% 5 records
              title    string     100% A
              items    set        100% 9 records
                text   string     100% 1a
            {"records":[{"title":"A","items":[{"text":"1a"},{"text":"2a"}]},{"title":"B","items":[{"text":"1b"},{"text":"2b"},{"text":"3b"}]}]}
            {"records":[{"title":"C","items":[{"text":"1c"}]},{"title":"D","items":[{"text":"1d"},{"text":"2d"}]},{"title":"E","items":[{"text":"1e"}]}]}
        "#]],
    );
}

#[test]
fn a_sentence_with_links_is_one_value() {
    check(
        &[
            "<p>Posted by <a href=/ada>Ada</a> on <b>Monday</b></p>",
            "<p>Posted by <a href=/ben>Ben</a> on <b>Friday</b></p>",
        ],
        expect![[r#"
            posted_by       string     100% Ada
            posted_by_url   url        100% /ada
            on              string     100% Friday
            {"posted_by_text":"Posted by Ada on Monday","posted_by":"Ada","posted_by_url":"/ada","on":"Monday"}
            {"posted_by_text":"Posted by Ben on Friday","posted_by":"Ben","posted_by_url":"/ben","on":"Friday"}
        "#]],
    );
}

#[test]
fn pictures_and_links_are_columns() {
    check(
        &[
            "<a href=/1><img src=1.png alt='Cover of Dune'></a><h1>Dune</h1>",
            "<a href=/2><img src=2.png alt='Cover of Emma'></a><h1>Emma</h1>",
        ],
        expect![[r#"
            image       url        100% 1.png
            image_alt   string     100% Cover of Dune
            image_url   url        100% /1
            title       string     100% Dune
            {"image":"1.png","image_alt":"Cover of Dune","image_url":"/1","title":"Dune"}
            {"image":"2.png","image_alt":"Cover of Emma","image_url":"/2","title":"Emma"}
        "#]],
    );
}
