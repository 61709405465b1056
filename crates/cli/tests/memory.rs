use crate::crawl;
use crate::harness::Run;
use std::process::Stdio;
use wait4::Wait4;

const N_PAGES: usize = 5_000;
/// Twice what collecting columns takes, and a fraction of what these pages are parsed into. `cargo xtask bench memory` has more
/// pages.
const MAX_BYTES: u64 = 100_000_000;

#[test]
fn memory_does_not_grow_with_the_number_of_pages() {
    let run = Run::with(&[]);
    crawl::write(&run.path().join("shop.warc.gz"), N_PAGES).unwrap();
    run.run(&["learn", &crawl::books(), "-o", "shop.json"]);
    // Handed on, collected by column, and kept by a database.
    for output in ["a.jsonl", "a.parquet", "a.db"] {
        let mut command = run.command(&["extract", "shop.json", "shop.warc.gz", "-o", output]);
        let mut child = command.stdin(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let used = child.wait4().unwrap();
        assert_eq!(used.status.code(), Some(0), "{output}");
        let peak = used.rusage.maxrss;
        assert!(peak < MAX_BYTES, "{output}: {} MB", peak / 1_000_000);
    }
    assert_eq!(run.read("a.jsonl").lines().count(), N_PAGES);
}
