use crate::laws::{Sharp, skimming_finds_the_same};
use crate::{corpus_pages, files, root};
use page::{Limits, N_KEPT, ParseConfig, Passage, Place, Skimmer};
use proptest::prelude::*;

/// Whether a page can be skimmed, at first sight and when all of it is known.
fn is_skimmed(html: &[u8]) -> bool {
    let (mut skimmer, mut eye) = (Skimmer::default(), Sharp::default());
    let [first, again] = [(); 2].map(|()| skimming_finds_the_same(&mut skimmer, &mut eye, html));
    assert_eq!(first, again);
    first
}

#[track_caller]
fn check(html: &str, is_fit: bool) {
    assert_eq!(is_skimmed(html.as_bytes()), is_fit, "{html}");
}

#[test]
fn what_tags_imply_is_known() {
    check("<p>a<p>b<ul><li>c<li>d</ul>e", true);
    check("<table><tr><td>a<td>b<tr><th>c</table>d", true);
    check("<dl><dt>a<dd>b<dt>c</dl><select><option>d<option>e</select>", true);
    check("<title>a &amp; b</title><p>c</body>d</html>e<!-- f -->g", true);
    check("<p><b>a<p>b</b>c<p><font color=red>d<div>e</div>f</font>", true);
    check("a</i>b</p>c</br>d<!-- x -->e", true);
    check("<form><div>a</form>b</div>c", true);
    check("<head></head> <script>a</script> <body>b", true);
    check("<base href=/><html class=x><body>a", false);
    check("<base href=/><html lang=en><body>a", true);
    check("<pre>\n\na</pre><textarea>\nb</textarea>", true);
}

#[test]
fn what_shows_and_what_does_not_is_known() {
    check("<p hidden>a</p><p style='display: none'>b<b>c</b></p>d", true);
    check("<body style='display: none'>a", true);
    check("<div hidden id=S:1>a</div><div hidden id=S:x>b</div>", true);
    check("<dialog>a</dialog><dialog open>b</dialog><meter value=3>c</meter>d", true);
    check("<img src=a alt=' b  c '><img src=' '><img alt=d><img width=1 height=1 src=e>", true);
    check("<input value=a><input type=hidden value=b><input type=image src=c>", true);
    check("<time datetime=2024>a</time><data value=1>b</data>", true);
    check("<meta name=author content=a><meta name=viewport content=b>", true);
    check("<a href=' x&amp;y '>a<b>b</b></a><a name=c>d</a><a href>e</a>", true);
    check("<script>a<b></script><noscript><p>c</noscript><iframe>d</iframe><xmp><b></xmp>", true);
}

#[test]
fn what_only_the_tree_can_tell_is_left_to_it() {
    check("<b>a<p>b</b>c", false);
    check("<table>a<tr><td>b</table>", false);
    check("<table><tr><img src=a><td>b</table>", false);
    check("<p><a href=x>a<p>b", false);
    check("<font><font><font><font>a", false);
    check("a<svg><title>b</title></svg>c", false);
    check("a<template>b</template>c", false);
    check("<frameset><frame></frameset>", false);
    check("a\0b", false);
    check("<script>a", false);
    check("<plaintext>a", false);
    check("<p>a<body class=x>b", false);
}

#[test]
fn the_corpus_has_the_same_leaves_when_it_is_skimmed() {
    let (mut skimmer, mut eye) = (Skimmer::default(), Sharp::default());
    let mut n_skimmed = 0;
    for (_, bytes) in corpus_pages() {
        is_skimmed(&bytes);
        n_skimmed += usize::from(skimming_finds_the_same(&mut skimmer, &mut eye, &bytes));
    }
    assert!(n_skimmed > 150, "{n_skimmed}");
}

#[test]
fn inputs_found_by_fuzzing_have_the_same_leaves_when_they_are_skimmed() {
    for path in files(&root().join("fuzz/corpus"), |_| true) {
        is_skimmed(&std::fs::read(path).expect("readable"));
    }
}

#[test]
fn other_limits_than_the_default_ones_are_kept() {
    let config = ParseConfig::default().with_limits(Limits { depth: 10, ..Limits::default() });
    let html = "<div>".repeat(20) + "a";
    let skimmed = Skimmer::default();
    let page = { skimmed }.skim(html.as_bytes(), &config, &mut Sharp::default()).err();
    assert_eq!(page.map(|page| page.notes().len()), Some(1));
}

#[test]
fn pages_near_the_limits_are_parsed() {
    let deep = "<div>".repeat(300) + "a";
    let formatting = "<b>".repeat(2) + &"<p><i class=x><p>".repeat(300) + "a";
    let names: String = (0..5_000).map(|n| format!("<p attribute-{n}=1>")).collect();
    let attributes: String = (0..1_100).map(|n| format!(" a{n}")).collect();
    let pieces = "a</>".repeat(200_000);
    for html in [deep, formatting, names, format!("<p{attributes}>a"), pieces] {
        check(&html, false);
    }
}

/// Pages that are all new: what is kept is bounded, and a skimmer that never gets through stops trying.
#[test]
fn pages_that_are_all_different_do_no_harm() {
    let (mut skimmer, mut eye) = (Skimmer::default(), Sharp::default());
    for n in 0..400 {
        let rows: String = (0..200).map(|row| format!("<b class=c{n}-{row}>a</b>")).collect();
        skimming_finds_the_same(&mut skimmer, &mut eye, rows.as_bytes());
    }
    let html = "<h1>a</h1><p>b";
    let is_skimmed =
        (0..200).any(|_| skimming_finds_the_same(&mut skimmer, &mut eye, html.as_bytes()));
    assert!(is_skimmed, "it tries again");
}

/// Tags that do something to each other, attributes that count, and text.
fn soup() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        4 => "</?(a|b|font|p|div|span|table|tbody|tr|td|th|caption|ul|li|dl|dd|dt|form|h1|pre|select|option|button|label|time|center|body|html|head|nobr|i)>",
        2 => "<(a|img|input|meta|p|div|font|time|dialog|meter|body|html|b|a)( (id|class|href|src|alt|hidden|style|type|value|name|content|datetime|width)=\"?(a|b|hidden|S:1|display:none|author|1|a&amp;b| c )?\"?){0,3}/?>",
        1 => "</?(script|style|title|textarea|noscript|iframe|br|hr|object|marquee|o:p|blockquote|link)>",
        3 => "[a-z 0-9\n]{1,8}",
        2 => "[ \n]",
        1 => "&(amp|nbsp|lt|#10|#32|eacute);?",
        1 => "<!-?-?[a-z>-]{0,4}(-->)?",
        1 => "\\PC{0,3}",
    ];
    prop::collection::vec(word, 0..30).prop_map(|words| words.concat())
}

/// What a page says in a passage is what the page said that was kept there, in the same places.
#[test]
fn what_comes_again_is_told() {
    let page = |price: usize| {
        let rows = |n: usize| format!("<tr><th>Weight<td>{n} g <td><a href=/w>more</a>").repeat(9);
        format!(
            "<h1>Shop</h1><p>Since 1990<ul><li>Home<li>Books</ul><b>{price}</b><table>{}",
            rows(3)
        )
    };
    let (mut skimmer, mut eye) = (Skimmer::default(), Sharp::default());
    let mut kept: [Option<Vec<(String, Place)>>; N_KEPT] = Default::default();
    let mut n_again = 0;
    for price in [8, 1234, 8, 99, 5678] {
        let html = page(price);
        let skimmed = skimmer.skim(html.as_bytes(), &ParseConfig::default(), &mut eye);
        let skimmed = skimmed.expect("plain pages are skimmed");
        let texts = skimmed.leaves.iter().map(|leaf| leaf.text.to_owned());
        let told: Vec<(String, Place)> = texts.zip(skimmed.places.iter().copied()).collect();
        for Passage { slot, first, leaves } in skimmed.passages {
            let known = kept[*slot].as_ref().expect("kept before");
            assert_eq!(known[*first..first + leaves.len()], told[leaves.clone()]);
            n_again += leaves.len();
        }
        if let Some(slot) = skimmed.kept {
            kept[slot] = Some(told);
        }
        skimming_finds_the_same(&mut skimmer, &mut eye, html.as_bytes());
    }
    assert!(n_again > 100, "{n_again}");
}

/// Kept pages that nobody has anything of any more make room.
#[test]
fn other_pages_are_kept_when_a_site_changes() {
    let (mut skimmer, mut eye) = (Skimmer::default(), Sharp::default());
    let mut n_last = 0;
    for n in 0..400 {
        let word = if n < 100 { "old" } else { "new" };
        let html =
            format!("<h1>{n}</h1>{}", format!("<p class={word}>{word} text of pages").repeat(9));
        let skimmed = skimmer.skim(html.as_bytes(), &ParseConfig::default(), &mut eye);
        n_last = skimmed.expect("plain pages are skimmed").passages.len();
    }
    assert_eq!(n_last, 1);
}

proptest! {
    #[test]
    fn any_pages_that_share_parts_have_the_same_leaves_when_they_are_skimmed(
        parts in prop::collection::vec(soup(), 1..6),
        pages in prop::collection::vec(prop::collection::vec(0..9_usize, 1..12), 2..9),
    ) {
        let (mut skimmer, mut eye) = (Skimmer::default(), Sharp::default());
        for page in pages {
            // Some parts are there in each place, others are a word that is another on each page.
            let part = |nth: &usize| parts.get(*nth).cloned().unwrap_or_else(|| format!("<i>{nth}"));
            let html: String = page.iter().map(part).collect();
            skimming_finds_the_same(&mut skimmer, &mut eye, html.as_bytes());
        }
    }

    #[test]
    fn any_soup_has_the_same_leaves_when_it_is_skimmed(html in prop::collection::vec(soup(), 1..4)) {
        let (mut skimmer, mut eye) = (Skimmer::default(), Sharp::default());
        for html in html.iter().chain(&html) {
            skimming_finds_the_same(&mut skimmer, &mut eye, html.as_bytes());
        }
    }
}
