//! A web archive of a shop as large as wanted, made of the pages of the corpus; the same in every run. For tests and benches.

use crate::harness::corpus;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// The pages that the archive's are made of.
pub(crate) fn books() -> String {
    corpus("bookshop/detail/pages")
}

/// A page of the corpus, and what is another on each page of the archive.
struct Book {
    html: String,
    title: String,
}

impl Book {
    fn all() -> io::Result<Vec<Book>> {
        let entries = fs::read_dir(books())?;
        let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
        paths.retain(|path| path.extension().is_some_and(|it| it == "html"));
        paths.sort();
        paths.iter().map(|path| Ok(Book::of(fs::read_to_string(path)?))).collect()
    }

    fn of(html: String) -> Book {
        let (_, heading) = html.split_once("<h1").expect("a book has a heading");
        let (_, title) = heading.split_once('>').expect("its tag ends");
        let (title, _) = title.split_once('<').expect("it ends");
        let title = title.trim().to_owned();
        Book { html, title }
    }

    /// The volume of a number: with a title, an address and an article number of its own.
    fn volume(&self, number: usize) -> String {
        let title = format!("{}, volume {number}", self.title);
        self.html.replace(&self.title, &title).replace("LQ-1", &format!("LQ-{number:06}-1"))
    }
}

/// Write an archive with so many pages.
pub(crate) fn write(path: &Path, n_pages: usize) -> io::Result<()> {
    let books = Book::all()?;
    let mut file = BufWriter::new(File::create(path)?);
    for (number, book) in books.iter().cycle().take(n_pages).enumerate() {
        let html = book.volume(number);
        let http = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {}\r\n\r\n{html}",
            html.len()
        );
        // As crawlers write it: each record is packed by itself.
        let mut record = GzEncoder::new(&mut file, Compression::fast());
        write!(
            record,
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://books.example/book/{number}\r\n\
             WARC-Date: 2026-01-01T00:00:00Z\r\nWARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-{number:012}>\r\n\
             Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n{http}\r\n\r\n",
            http.len()
        )?;
        record.finish()?;
    }
    file.flush()
}
