//! Changes that sites make, made to all pages of a site alike.

use super::document::{Document, Node};
use wrapper::{Column, Extraction, Field, Wrapper};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// None at all, to compare with.
    Same,
    /// All of the body in one more element.
    Wrapped,
    /// Every class has another name.
    Classes,
    /// A column stands elsewhere among its neighbours.
    Moved,
    /// A label says something else.
    Reworded,
    /// There is an advertisement.
    Advert,
    /// The rows of tables of attributes are in another order.
    Rows,
}

impl Kind {
    pub(crate) const ALL: [Kind; 7] = [
        Kind::Same,
        Kind::Wrapped,
        Kind::Classes,
        Kind::Moved,
        Kind::Reworded,
        Kind::Advert,
        Kind::Rows,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Same => "same",
            Kind::Wrapped => "wrapped",
            Kind::Classes => "classes",
            Kind::Moved => "moved",
            Kind::Reworded => "reworded",
            Kind::Advert => "advert",
            Kind::Rows => "rows",
        }
    }

    /// The pages after the change; none if most of them have nothing that it could change.
    pub(crate) fn apply(
        self,
        pages: &[Document],
        wrapper: &Wrapper,
        data: &[Extraction],
    ) -> Option<Vec<Document>> {
        match self {
            Kind::Same => Some(pages.to_vec()),
            Kind::Wrapped => changed(pages, |_, page| wrap(page)),
            Kind::Classes => changed(pages, |_, page| rename_classes(page)),
            Kind::Advert => changed(pages, |_, page| advertise(page)),
            Kind::Rows => changed(pages, |_, page| turn_rows(page)),
            Kind::Moved => middle(columns(wrapper).into_iter().filter_map(|column| {
                changed(pages, |n, page| move_block(page, text_of(&data[n], &column.name)?))
            })),
            Kind::Reworded => middle(columns(wrapper).into_iter().filter_map(|column| {
                let label = column.label.as_deref()?;
                changed(pages, |_, page| reword(page, label))
            })),
        }
    }
}

/// The pages with a change to each that can have it, if most can.
fn changed(
    pages: &[Document],
    change: impl Fn(usize, &mut Document) -> Option<()>,
) -> Option<Vec<Document>> {
    let mut pages = pages.to_vec();
    let n = pages.iter_mut().enumerate().filter_map(|(n, page)| change(n, page)).count();
    (n * 10 >= pages.len() * 6).then_some(pages)
}

/// The one in the middle: neither the title nor the small print.
fn middle<T>(all: impl Iterator<Item = T>) -> Option<T> {
    let mut all: Vec<T> = all.collect();
    (!all.is_empty()).then(|| all.swap_remove(all.len() / 2))
}

fn columns(wrapper: &Wrapper) -> Vec<&Column> {
    let mut columns = Vec::new();
    for field in wrapper.schema().fields.iter().filter(|field| field.is_data()) {
        match field {
            Field::Column(column) if column.density >= 600 => columns.push(column),
            _ => {}
        }
    }
    columns
}

fn text_of<'d>(page: &'d Extraction, column: &str) -> Option<&'d str> {
    page.data.get(column)?.as_str()
}

fn body(page: &Document) -> Option<Node> {
    page.all().into_iter().find(|node| page.tag(*node) == "body")
}

fn wrap(page: &mut Document) -> Option<()> {
    let body = body(page)?;
    let children = page.children(body).to_vec();
    let shell = page.element("div", "site-shell", "");
    page.set_children(shell, children);
    page.set_children(body, vec![shell]);
    Some(())
}

fn rename_classes(page: &mut Document) -> Option<()> {
    let mut is_changed = None;
    for node in page.all() {
        for (name, value) in page.attrs_mut(node).into_iter().flatten() {
            if name == "class" && !value.trim().is_empty() {
                let words: Vec<String> = value.split_whitespace().map(other_word).collect();
                *value = words.join(" ");
                is_changed = Some(());
            }
        }
    }
    is_changed
}

/// The same for the same word, and nothing like it. Digits at its end, which number elements, stay.
fn other_word(word: &str) -> String {
    let base = word.trim_end_matches(|it: char| it.is_ascii_digit());
    let hash = base.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let letter = |n: u64| char::from(b'a' + u8::try_from((hash >> (n * 5)) % 26).unwrap_or(0));
    format!("{}{}", (0..7).map(letter).collect::<String>(), &word[base.len()..])
}

/// After the first part of the first thing that has several.
fn advertise(page: &mut Document) -> Option<()> {
    let all = page.all();
    let host = all.into_iter().find(|node| {
        page.is_within(*node, "body")
            && matches!(page.tag(*node), "body" | "div" | "main" | "section" | "article")
            && page.elements(*node).len() >= 3
    })?;
    let advert = page.element("div", "promo-box", "");
    let link = page.element("a", "promo-link", "Summer sale: everything must go");
    let note = page.element("p", "promo-note", "Advertisement");
    page.set_children(advert, vec![link, note]);
    let first = page.elements(host)[0];
    let mut children = page.children(host).to_vec();
    let at = children.iter().position(|child| *child == first)? + 1;
    children.insert(at, advert);
    page.set_children(host, children);
    Some(())
}

/// Turn tables of labels and values upside down.
fn turn_rows(page: &mut Document) -> Option<()> {
    let mut is_changed = None;
    for node in page.all() {
        let rows = page.elements(node);
        let is_row = |row: &Node| page.tag(*row) == "tr" && page.elements(*row).len() == 2;
        let are_pairs = page.tag(node) == "dl"
            && rows.len().is_multiple_of(2)
            && rows.iter().enumerate().all(|(n, it)| page.tag(*it) == ["dt", "dd"][n % 2]);
        if rows.len() >= 3 && rows.iter().all(is_row) {
            page.set_children(node, rows.into_iter().rev().collect());
            is_changed = Some(());
        } else if rows.len() >= 6 && are_pairs {
            page.set_children(node, rows.chunks(2).rev().flatten().copied().collect());
            is_changed = Some(());
        }
    }
    is_changed
}

fn collapsed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What a label says afterwards.
const OTHER_LABEL: &str = "Particulars";

fn reword(page: &mut Document, label: &str) -> Option<()> {
    let label = label.trim().trim_end_matches(':').trim_end();
    let mut is_changed = None;
    for node in page.all() {
        let Some(text) = page.text(node) else { continue };
        if !page.is_within(node, "body") {
            continue;
        }
        let collapsed = collapsed(text);
        let Some(rest) = collapsed.strip_prefix(label) else { continue };
        if rest.is_empty() || rest.trim_start().starts_with(':') {
            let text = format!("{OTHER_LABEL}{rest}");
            page.set_text(node, text);
            is_changed = Some(());
        }
    }
    is_changed
}

/// Move the block that has a text, and hardly anything else, to the other end of what it stands in.
fn move_block(page: &mut Document, text: &str) -> Option<()> {
    let all = page.all();
    let has_text = |node: &Node| page.text(*node).is_some_and(|it| collapsed(it) == text);
    let found: Vec<Node> =
        all.iter().copied().filter(|it| has_text(it) && page.is_within(*it, "body")).collect();
    let [leaf] = found[..] else { return None };
    let mut block = page.parent(leaf);
    while !is_block(page.tag(block)) || page.elements(page.parent(block)).len() < 2 {
        block = page.parent(block);
        if matches!(page.tag(block), "" | "body" | "html") {
            return None;
        }
    }
    let n_texts = |node: Node| -> usize {
        let mut open = vec![node];
        let mut n = 0;
        while let Some(node) = open.pop() {
            n += usize::from(page.text(node).is_some_and(|it| !it.trim().is_empty()));
            open.extend(page.children(node));
        }
        n
    };
    if n_texts(block) > 8 || n_texts(block) * 10 > n_texts(0) {
        return None;
    }
    let parent = page.parent(block);
    let is_last = page.elements(parent).last() == Some(&block);
    let mut children: Vec<Node> =
        page.children(parent).iter().copied().filter(|it| *it != block).collect();
    let at = if is_last { 0 } else { children.len() };
    children.insert(at, block);
    page.set_children(parent, children);
    Some(())
}

/// What is a line or more of its own. Cells and definitions would leave their labels behind.
fn is_block(tag: &str) -> bool {
    matches!(
        tag,
        "div"
            | "p"
            | "h1"
            | "h2"
            | "h3"
            | "h4"
            | "li"
            | "tr"
            | "ul"
            | "table"
            | "section"
            | "article"
            | "dl"
            | "header"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(html: &str, change: impl Fn(&mut Document) -> Option<()>, expected: &str) {
        let mut page = Document::of(&page::parse(html.as_bytes()));
        change(&mut page).expect("it can be changed");
        assert!(page.html().contains(expected), "{}", page.html());
    }

    #[test]
    fn pages_change_as_they_should() {
        check(
            "<body><p>a<p>b",
            wrap,
            "<body><div class=\"site-shell\"><p>a</p><p>b</p></div></body>",
        );
        check("<div><p>a<p>b<p>c</div>", advertise, "<p>a</p><div class=\"promo-box\"><a");
        check(
            "<table><tr><th>a<td>1<tr><th>b<td>2<tr><th>c<td>3</table>",
            turn_rows,
            "<tr><th>c</th><td>3</td></tr><tr><th>b</th>",
        );
        check("<b>Price:</b> 5", |page| reword(page, "Price"), "<b>Particulars:</b>");
        check(
            "<div><p>a</p><p><b>$5</b></p><p>c</p><p>d</p><p>e</p><p>f<p>g<p>h<p>i<p>j<p>k</div>",
            |page| move_block(page, "$5"),
            "<p>k</p><p><b>$5</b></p></div>",
        );
    }

    #[test]
    fn classes_are_renamed_alike() {
        assert_eq!(other_word("price"), other_word("price"));
        assert_ne!(other_word("price"), other_word("prize"));
        assert!(other_word("row12").ends_with("12"));
    }
}
