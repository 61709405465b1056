use crate::corpus;
use expect_test::expect_file;
use std::path::Path;
use wrapper::LearnConfig;

/// `UPDATE_EXPECT=1 cargo test` writes the goldens anew; read what changed.
#[test]
fn sites_of_the_corpus_have_these_schemas() {
    for (folder, golden) in [
        ("bookshop/detail/pages", "bookshop-detail.txt"),
        ("bookshop/list/pages", "bookshop-list.txt"),
        ("newspaper/pages", "newspaper.txt"),
    ] {
        let pages = corpus(folder).iter().map(|(_, bytes)| page::parse(bytes)).collect();
        let learnt =
            wrapper::learn(pages, &LearnConfig::default()).expect("pages with something on them");
        assert_eq!(learnt.n_set_aside(), 0, "{folder}");
        let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(golden);
        expect_file![golden].assert_eq(&learnt.schema().to_string());
    }
}
