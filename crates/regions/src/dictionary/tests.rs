use super::fold::fold;
use super::*;

#[test]
fn words_are_folded() {
    let check = |text: &str, expected: &str| {
        assert_eq!(fold(text).words().collect::<Vec<_>>().join(" "), expected, "{text}");
    };
    check("Katy BÖRNER", "katy borner");
    check("O'Brien-Łukasz, Ph.D.", "obrien lukasz phd");
    check("J. R. d’Aubrac", "j r daubrac");
    check("e\u{301}tienne Nguyễn", "etienne nguyen");
    check("Иван Петров", "иван петров");
    check("上官墨苓", "上官墨苓");
    check(" … ", "");
}

#[test]
fn names_and_words_are_known() {
    let known = Dictionary::built_in();
    assert!(known.word("smith").has(Flags::COMMON_SURNAME));
    assert!(known.word("borner").is_name() || known.word("borner") == Flags::default());
    assert!(known.word("maria").has(Flags::COMMON_GIVEN));
    assert!(known.word("contact").is_word() && !known.word("contact").has(Flags::COMMON_GIVEN));
    assert_eq!(known.word("qwrtzp"), Flags::default());
}

#[test]
fn the_longest_phrase_counts() {
    let known = Dictionary::built_in();
    let text = fold("Computer Science and Associate Professors");
    let (n_words, meaning) = known.phrase(&text, 0).expect("a field of study");
    assert_eq!((n_words, meaning.is_discipline), (2, true));
    let (n_words, meaning) = known.phrase(&text, 3).expect("a title");
    assert_eq!((n_words, meaning.rank), (2, Some(Rank::Associate)));
}

#[test]
fn users_add_their_own() {
    let ours =
        Dictionary::built_in().with_text("# ours\nsurname: Qwrtzp\ntitle head: Grand Reeve\n");
    let ours = ours.expect("as documented");
    assert!(ours.word("qwrtzp").has(Flags::COMMON_SURNAME));
    let text = fold("grand reeve");
    assert_eq!(ours.phrase(&text, 0).and_then(|(_, it)| it.rank), Some(Rank::Head));
    let known = Dictionary::built_in();
    assert_eq!(known.with_text("no class").err(), Some(DictionaryError::NoClass { line: 1 }));
    let class = "title king".to_owned();
    assert_eq!(
        known.with_text("\ntitle king: Rex").err(),
        Some(DictionaryError::Class { line: 2, class })
    );
}
