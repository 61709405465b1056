use super::*;
use std::fmt::Write;

fn hash(html: &str) -> u64 {
    simhash(&page::parse(html.as_bytes()))
}

/// Words that differ from one seed to the next.
fn words(seed: u64, n_words: u64) -> String {
    let mut text = String::new();
    for n in 0..n_words {
        let _ = write!(text, "w{:x} ", mix(seed << 32 | n) % 5_000);
    }
    text
}

#[test]
fn what_is_not_said_does_not_count() {
    let one = hash("<title>T</title><p>Some words, and more of them");
    for same in [
        "<title>T</title><div><p class=x>some <b>WORDS</b><br>and more of them!</p></div>",
        "<title>T</title><script>var x = 1</script><p>Some words -- and<i> more</i> of them",
        "<!-- other --><title>T</title><ul><li>Some words<li>and more<li>of them</ul>",
    ] {
        assert_eq!(hash(same), one, "{same}");
    }
    assert_ne!(hash("<title>T</title><p>Some other words, and more of them"), one);
}

#[test]
fn hashes_stay_as_they_are() {
    // They are stored, so they must never change.
    assert_eq!(format!("{:016x}", hash("<p>The quick brown fox jumps")), "c8560efe390056eb");
    assert_eq!(hash(""), 0);
    assert_eq!(hash("<p>&nbsp;... --"), 0);
    assert_ne!(hash("<p>one"), 0);
    assert_ne!(hash("<p>one"), hash("<p>two"));
    assert_ne!(hash("<p>one two"), hash("<p>two one"));
}

#[test]
fn near_pages_are_near() {
    let text = words(1, 1_000);
    let one = hash(&format!("<p>{text}"));
    for near in [
        format!("<p>{text} Printed on Friday"),
        format!("<p>12:30:01 {text}"),
        format!("<p>{} visitors {}", &text[..2_000], &text[2_000..]),
    ] {
        assert!(distance(hash(&near), one) <= MAX_DISTANCE, "{}", distance(hash(&near), one));
    }
}

/// How many of the hashes had a neighbour before them.
fn n_near(hashes: impl Iterator<Item = Option<u64>>) -> usize {
    let mut near = Near::default();
    let is_known = |hash: Option<u64>| {
        let is_known = hash.is_none_or(|hash| near.find(hash).is_some());
        hash.into_iter().for_each(|hash| near.insert(hash, 1));
        is_known
    };
    hashes.map(is_known).filter(|is_known| *is_known).count()
}

/// Pages of one template, with so many words of their own.
fn site(n_pages: u64, n_shared: u64, n_own: u64) -> impl Iterator<Item = Page> {
    let template = words(1, n_shared);
    (10..10 + n_pages).map(move |seed| {
        page::parse(format!("<nav>{template}</nav><p>{}", words(seed, n_own)).as_bytes())
    })
}

#[test]
fn pages_with_words_of_their_own_are_told_apart() {
    assert_eq!(n_near(site(300, 100, 100).map(|page| Some(simhash(&page)))), 0);
    // This is why the usual has to be known.
    assert!(n_near(site(300, 400, 20).map(|page| Some(simhash(&page)))) > 100);
    let mut usual = Usual::default();
    assert!(n_near(site(300, 400, 20).map(|page| usual.hash(&page))) < 5);
}

#[test]
fn pages_that_say_the_same_for_ever_are_seen() {
    let pages = || (0..300).flat_map(|n| site(1, 400, 20).map(move |page| (n, page)));
    let mut usual = Usual::default();
    assert!(n_near(pages().map(|(_, page)| usual.hash(&page))) > 290);
    // Neither the date nor a counter makes a page.
    let dated = (0..300).map(|n| {
        let page = format!("<nav>{}</nav><h1>May {n}</h1><i>{n} visitors</i>", words(1, 99));
        page::parse(page.as_bytes())
    });
    let mut usual = Usual::default();
    assert!(n_near(dated.map(|page| usual.hash(&page))) > 290);
}

#[test]
fn tables_of_numbers_are_contents() {
    let tables = (0..300_u64).map(|n| {
        let cells: String =
            (0..20).map(|it| format!("<td>{}", mix(n << 8 | it) % 10_000)).collect();
        page::parse(format!("<nav>{}</nav><table><tr>{cells}", words(1, 99)).as_bytes())
    });
    let mut usual = Usual::default();
    assert_eq!(n_near(tables.map(|page| usual.hash(&page))), 0);
}

#[test]
fn characters_without_blanks_are_words() {
    let text: String =
        (0..600_u64).filter_map(|n| char::from_u32(0x4E00 + (mix(n) % 3_000) as u32)).collect();
    let more = format!("<p>{text}新");
    assert!(distance(hash(&format!("<p>{text}")), hash(&more)) <= MAX_DISTANCE);
    let other: String = text.chars().rev().collect();
    assert!(distance(hash(&format!("<p>{text}")), hash(&format!("<p>{other}"))) > 10);
}

#[test]
fn neighbours_are_found_and_others_not() {
    let mut near = Near::default();
    let stored: Vec<u64> = (0..20_000).map(mix).collect();
    (1..).zip(&stored).for_each(|(id, hash)| near.insert(*hash, id));
    near.insert(stored[7], 99);
    assert_eq!(near.len(), stored.len());
    for (n, hash) in stored.iter().enumerate().step_by(97) {
        let flip =
            |bits: &[usize]| bits.iter().fold(*hash, |hash, bit| hash ^ 1 << ((bit + n) % 64));
        let id = i64::try_from(n + 1).ok();
        assert_eq!(near.find(*hash), id);
        for bits in [&[0][..], &[0, 31], &[0, 16, 33], &[5, 6, 7]] {
            assert_eq!(near.find(flip(bits)), id, "{bits:?}");
        }
        assert_eq!(near.find(flip(&[0, 16, 33, 50])), None);
    }
    let n_chance = (1 << 40..(1 << 40) + 5_000).filter(|n| near.find(mix(*n)).is_some()).count();
    assert_eq!(n_chance, 0);
}

#[test]
fn the_nearest_is_found() {
    let mut near = Near::default();
    (1..).zip([0b111, 0b11 << 60, 0b1]).for_each(|(id, hash)| near.insert(hash, id));
    assert_eq!(near.find(0b11), Some(3));
    assert_eq!(near.find(0), Some(3));
    assert_eq!(near.find(0b1 << 60), Some(2));
    assert_eq!(Near::default().find(0), None);
    assert!(Near::default().is_empty());
}

#[test]
fn a_full_bucket_costs_little() {
    let mut near = Near::default();
    (0..200_000_u32).for_each(|n| near.insert(mix(n.into()) << 16, n.into()));
    let start = std::time::Instant::now();
    (0..1_000).for_each(|n| _ = near.find(mix(n + (1 << 40)) << 16));
    assert!(start.elapsed().as_secs() < 2);
}

/// What is learned from a page can be kept, learned again, and undone.
#[test]
fn what_was_learned_can_be_kept() {
    let page = |nth: u32| page::parse(format!("<nav>Home</nav><p>Number {nth}<p>of it").as_bytes());
    let mut usual = Usual::default();
    let studies: Vec<Study> = (0..9).map(|nth| usual.study(&page(nth).leaves())).collect();
    let mut again = Usual::default();
    studies.iter().for_each(|study| again.learn_all(study.texts.iter().copied()));
    assert_eq!(usual.n_pages, again.n_pages);
    assert_eq!(usual.study(&page(9).leaves()), again.study(&page(9).leaves()));
    // Of pages that say what all say, nothing is left to learn.
    assert_eq!(studies[8].texts.len(), 1);
    studies.iter().rev().for_each(|study| again.forget(study.texts.iter().copied()));
    let first = again.study(&page(0).leaves());
    assert_eq!(first.hash.is_some(), studies[0].hash.is_some());
}
