use crate::{files, is_page, root};
use expect_test::expect_file;
use page::{Leaf, Page, Paths};
use std::fmt::Write;
use std::path::Path;

/// `UPDATE_EXPECT=1 cargo test` writes the goldens anew; read what changed.
#[test]
fn odd_pages_have_these_leaves() {
    for path in files(&root().join("corpus/odd"), is_page) {
        check(&path);
    }
}

#[test]
fn a_page_of_each_site_has_these_leaves() {
    for page in [
        "bookshop/detail/pages/cafe-mirabeau-at-midnight.html",
        "bookshop/list/pages/crime-mystery.html",
        "newspaper/pages/krabbenfest.html",
        "university/site/index.html",
    ] {
        check(&root().join("corpus").join(page));
    }
}

fn check(path: &Path) {
    let bytes = std::fs::read(path).expect("readable");
    let page = page::parse(&bytes);
    let golden = path.with_extension("leaves");
    expect_file![golden].assert_eq(&listing(&page));
}

fn listing(page: &Page) -> String {
    let leaves = page.leaves();
    let mut out = format!("{}, {} leaves\n", page.encoding(), leaves.len());
    for note in page.notes() {
        let _ = writeln!(out, "note: {note}");
    }
    for leaf in leaves.iter() {
        line(&mut out, &leaf, leaves.paths());
    }
    out
}

fn line(out: &mut String, leaf: &Leaf<'_>, paths: &Paths) {
    let kind = leaf.kind.name();
    let _ = write!(
        out,
        "{kind:5} {:10} {} {:?}",
        leaf.data_type(),
        paths.display(leaf.path),
        leaf.text
    );
    if let Some(src) = leaf.src {
        let _ = write!(out, " src {src}");
    }
    if let Some(link) = leaf.link {
        let _ = write!(out, " -> {link}");
    }
    out.push('\n');
}
