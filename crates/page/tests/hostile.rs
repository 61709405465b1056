//! Pages made to hurt: each must stay within 0.5 s and 100 MB per megabyte on a stack of 2 MiB, leaves included,
//! and keep the text that a reader would see.
//!
//! A test binary of its own, because it watches the allocator; one test, because all would share it.

use cpu_time::ThreadTime;
use peak_alloc::PeakAlloc;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

const SECONDS_PER_MB: f64 = 0.5;
const MEMORY_PER_BYTE: usize = 100;
/// Tables, caches and the like that every page pays for.
const MEMORY_AT_LEAST: usize = 1 << 20;
const SECONDS_AT_LEAST: f64 = 0.01;
const STACK: usize = 2 << 20;

const MB: usize = 1_000_000;

/// A page of about `len` bytes, made of parts by number.
fn numbered(len: usize, part: impl Fn(usize) -> String) -> String {
    let mut page = String::new();
    for n in 0.. {
        if page.len() >= len {
            break;
        }
        page.push_str(&part(n));
    }
    page
}

fn repeated(len: usize, part: &str) -> String {
    part.repeat(len / part.len())
}

/// The pages, by what is wrong with them.
fn hostile_pages() -> Vec<(&'static str, String)> {
    vec![
        ("formatting bomb", repeated(82_000, "<b i><i i>")),
        ("numbered formatting bomb", numbered(82_000, |n| format!("<b {n}><i {n}>"))),
        ("long formatting bomb", numbered(MB, |n| format!("<b {n}><i {n}>"))),
        ("formatting bomb with text", numbered(MB, |n| format!("<font a={n}>x"))),
        ("formatting reopened by blocks", numbered(MB, |n| format!("<font a={n}><p>x"))),
        ("formatting reopened by empty blocks", {
            numbered(20_000, |n| format!("<font a={n}>")) + &repeated(MB, "<p>x</p>")
        }),
        ("formatting with many attributes", {
            let attributes = numbered(4_000, |n| format!(" a{n}"));
            repeated(MB, &format!("<b{attributes}><p>x"))
        }),
        ("a long link reopened", {
            format!("<p><a href=\"{}\">", repeated(100_000, "x")) + &repeated(80_000, "<p>x")
        }),
        ("a long reference reopened", {
            format!("<p><b a=\"&amp;{}\">", repeated(100_000, "x")) + &repeated(80_000, "<p>x")
        }),
        ("a long style reopened", {
            format!("<p><b style=\"{}\">", repeated(500_000, "x")) + &repeated(500_000, "<p>x")
        }),
        ("raw text elements in svg", {
            "<svg>".to_owned() + &repeated(350_000, "<xmp>") + &repeated(480_000, "</title>")
        }),
        ("titles in math", "<math>".to_owned() + &repeated(MB, "<title>x")),
        ("long names", {
            numbered(500_000, |n| format!("<{}{n}>", "a".repeat(1000))) + &repeated(500_000, "<p>x")
        }),
        ("misnested formatting", repeated(MB, "<b><div></b>x")),
        ("misnested formatting, deep", {
            repeated(4_000, "<b><i><u><s>") + &repeated(MB, "<div></b></i>x")
        }),
        ("links in links", repeated(MB, "<a><div>x")),
        ("nobr", repeated(MB, "<nobr><p>x")),
        ("open div, 320 KB", repeated(320_000, "<div>")),
        ("a million open div", "<div>".repeat(1_000_000)),
        ("a million open lists", "<ul><li>".repeat(1_000_000)),
        ("a million open tables", "<table>".repeat(1_000_000)),
        ("tables in cells", repeated(MB, "<table><tr><td>")),
        ("text in tables", repeated(MB, "<table>x<tr>y")),
        ("formatting in tables", repeated(MB, "<table><b>x")),
        ("rows in rows", "<table>".to_owned() + &repeated(MB, "<tr>x")),
        ("paragraphs below deep div", repeated(4_000, "<div>") + &repeated(MB, "<p>x")),
        ("closed paragraphs that never opened", repeated(4_000, "<div>") + &repeated(MB, "</p>")),
        ("end tags that never opened", repeated(4_000, "<em>") + &repeated(MB, "</x>")),
        ("open and closed div", "<div>".repeat(100_000) + &"</div>".repeat(100_000)),
        ("100,000 attributes", format!("<p{}>x", numbered(700_000, |n| format!(" a{n}")))),
        ("100,000 equal attributes", format!("<p{}>x", " a=1".repeat(100_000))),
        ("attributes added to body", numbered(MB, |n| format!("<body a{n}>"))),
        ("new tag names", numbered(MB, |n| format!("<longer-name-{n}>x"))),
        ("new attribute names", numbered(MB, |n| format!("<p longer-name-{n}>x"))),
        ("short attribute names", numbered(MB, |n| format!("<p {n:x}>"))),
        ("images with many attributes", {
            let attributes = numbered(3_000, |n| format!(" a{n}"));
            repeated(MB, &format!("<img{attributes} src=x>"))
        }),
        ("svg", repeated(MB, "<svg>x")),
        ("svg with html", repeated(MB, "<svg><foreignObject><div>x")),
        ("math", repeated(MB, "<math><mi>x")),
        ("templates", repeated(MB, "<template>x")),
        ("select", repeated(MB, "<select><option>x")),
        ("buttons", repeated(MB, "<button>x")),
        ("headings", repeated(MB, "<h1>x")),
        ("definitions", repeated(MB, "<dl><dd>x")),
        ("forms", repeated(MB, "<form><div>x")),
        ("framesets", repeated(MB, "<frameset>")),
        ("ruby", repeated(MB, "<ruby><rt>x")),
        ("smallest tags", repeated(MB, "<p>")),
        ("smallest tags with text", repeated(MB, "<p>x")),
        ("unknown tags", repeated(MB, "<x>y")),
        ("ampersands", repeated(MB, "&")),
        ("references", repeated(MB, "&notin")),
        ("references in attributes", format!("<p a=\"{}\">x", repeated(MB, "&notin"))),
        ("comments", repeated(MB, "<!---->x")),
        ("open comments", repeated(MB, "<!--")),
        ("comments that nearly end", "<!--".to_owned() + &repeated(MB, "-> --! ")),
        ("bogus comments", repeated(MB, "<!>x")),
        ("less-than signs", repeated(MB, "<")),
        ("open quotes", repeated(MB, "<p a='\">")),
        ("scripts in comments in scripts", "<script>".to_owned() + &repeated(MB, "<!--<script>")),
        ("script ends that are none", "<script>".to_owned() + &repeated(MB, "</scrip")),
        ("nul", repeated(MB, "\0")),
        ("nul between letters", repeated(MB, "a\0")),
        ("carriage returns", repeated(MB, "a\r")),
        ("no-break spaces", repeated(MB, "&nbsp;a ")),
        ("one long word", repeated(MB, "x")),
        ("digits", repeated(MB, "<p>1,234.5")),
        ("styles", repeated(MB, "<p style='a:b;c:d;e:f'>x")),
        ("plaintext", repeated(MB, "<plaintext>")),
    ]
}

struct Cost {
    seconds: f64,
    memory: usize,
    n_leaves: usize,
}

fn cost(html: &str) -> Cost {
    ALLOCATOR.reset_peak_usage();
    let before = ALLOCATOR.current_usage();
    let start = ThreadTime::now();
    let page = page::parse(html.as_bytes());
    let n_leaves = page.leaves().len();
    let seconds = start.elapsed().as_secs_f64();
    Cost { seconds, memory: ALLOCATOR.peak_usage().saturating_sub(before), n_leaves }
}

fn check_all() {
    let mut broken = Vec::new();
    for (name, html) in hostile_pages() {
        // The second run decides: what the first one paid for, a noisy machine may have cost.
        let (first, second) = (cost(&html), cost(&html));
        let seconds = first.seconds.min(second.seconds);
        let allowed_seconds = SECONDS_AT_LEAST + SECONDS_PER_MB * html.len() as f64 / 1e6;
        let allowed_memory = MEMORY_AT_LEAST + MEMORY_PER_BYTE * html.len();
        println!(
            "{name:40} {:>8} bytes {:>7.1} ms of {:>6.0}   {:>6.1} MB of {:>4.0}   {} leaves",
            html.len(),
            seconds * 1e3,
            allowed_seconds * 1e3,
            second.memory as f64 / 1e6,
            allowed_memory as f64 / 1e6,
            second.n_leaves,
        );
        if seconds > allowed_seconds || second.memory > allowed_memory {
            broken.push(name);
        }
    }
    assert!(broken.is_empty(), "over budget: {broken:?}");
}

#[test]
fn hostile_pages_stay_within_their_budget() {
    let checking = std::thread::Builder::new().stack_size(STACK).spawn(check_all);
    checking.expect("a thread can be started").join().expect("no page breaks the parser");
}
