use super::by_rules;
use crate::look::{Align, Look};
use expect_test::{Expect, expect};
use std::fmt::Write as _;

/// A line a leaf: its text, and what is not as pages start.
fn check(html: &str, expected: Expect) {
    let page = page::parse(html.as_bytes());
    let leaves = page.leaves();
    let looks = by_rules(&page, &leaves);
    assert_eq!(looks.len(), leaves.len());
    let mut found = String::new();
    for (leaf, look) in leaves.iter().zip(looks) {
        writeln!(found, "{}:{}", leaf.text, describe(&look)).expect("strings take all");
    }
    expected.assert_eq(&found);
}

fn describe(look: &Look) -> String {
    let plain = Look::default();
    let mut words = String::new();
    let mut say = |is_odd: bool, word: String| {
        if is_odd {
            words += " ";
            words += &word;
        }
    };
    say(look.size != plain.size, format!("{:.2}px", look.size));
    say(look.weight != plain.weight, look.weight.to_string());
    say(look.is_italic, "italic".to_owned());
    say(look.colour != plain.colour, look.colour.to_string());
    say(
        look.background.is_some(),
        look.background.map_or_else(String::new, |it| format!("on {it}")),
    );
    say(look.align != Align::Left, format!("{:?}", look.align).to_lowercase());
    say(!look.is_visible, "hidden".to_owned());
    words
}

#[test]
fn tags_have_looks() {
    check(
        "<title>T</title><h1>one</h1><h3>three <b>bold</b></h3><p><em>em</em> <small>small</small>
         <a href=/>link</a> <a>no link</a> <mark>mark</mark> <pre>a<code>b</code></pre>
         <center>mid</center><table><caption>cap</caption><tr><th>head<td>cell</table>",
        expect![[r#"
            T: hidden
            one: 32.00px 700
            three: 18.72px 700
            bold: 18.72px 900
            em: italic
            small: 13.33px
            link: #0000ee
            no link:
            mark: on #ffff00
            a: 13.00px
            b: 13.00px
            mid: centre
            cap: centre
            head: 700 centre
            cell:
        "#]],
    );
}

#[test]
fn attributes_have_looks() {
    check(
        "<body text=#333 bgcolor=ffffff><font size=5 color=Red>a</font><font size=-1>b</font>
         <font size='+99'>c</font><p align=right>d<p align=char>e<div dir=rtl>f<p align=left>g</p></div>
         <table align=center><tr align=center bgcolor=navy><td>h<td bgcolor=none>i</table>",
        expect![[r#"
            a: 24.00px #ff0000 on #ffffff
            b: 13.00px #333333 on #ffffff
            c: 48.00px #333333 on #ffffff
            d: #333333 on #ffffff right
            e: #333333 on #ffffff
            f: #333333 on #ffffff right
            g: #333333 on #ffffff
            h: #333333 on #000080 centre
            i: #333333 on #000080 centre
        "#]],
    );
}

#[test]
fn inline_styles_win() {
    check(
        "<div style='font-size: 20px; COLOR: rgb(0,128,0) !important; text-align:center'>a
         <b style='font-weight:normal;font-size:50%'>b<i style='font-size:2em'>c</i></b>
         <span style='font: italic 700 10pt/1.5 Arial, sans-serif'>d</span>
         <span style='background: url(a.png) no-repeat #eee; font-size: nonsense; color: none'>e</span>
         <span style='font-size:0'>f</span><span style='opacity:0'>g</span></div>
         <p style='font-size:1e38em'>h<p style=';;:;x:y:z;font-size:-3px'>i",
        expect![[r#"
            a: 20.00px #008000 centre
            b: 10.00px #008000 centre
            c: 20.00px italic #008000 centre
            d: 13.33px 700 italic #008000 centre
            e: 20.00px #008000 on #eeeeee centre
            f: 0.00px #008000 centre hidden
            g: 20.00px #008000 centre hidden
            h:
            i:
        "#]],
    );
}

#[test]
fn what_is_not_open_is_not_seen() {
    check(
        "<details><summary>a <b>b</b></summary>c <p>d <details open><summary>e</summary>f</details></details>
         <details open><summary>g</summary>h</details>
         <select><option>i</select><button>j</button><time datetime=2024-01-01>k</time>
         <meter value=3>3</meter><meta itemprop=l content=l>",
        expect![[r#"
            a:
            b: 700
            c: hidden
            d: hidden
            e: hidden
            f: hidden
            g:
            h:
            i: 13.33px hidden
            j: 13.33px centre
            2024-01-01: hidden
            k:
            3:
            l: hidden
        "#]],
    );
}
