//! Files as pages: of folders that a user named, and no others.

use super::Answer;
use crate::failure::Failure;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use url::Url;

/// The folders whose files may be read: those of the `file:` addresses among the seeds. A link of a page on the network never
/// leads into them.
#[derive(Debug, Clone, Default)]
pub struct Files {
    /// With links of the file system followed.
    folders: Vec<PathBuf>,
}

/// What is shown of a folder.
const INDEXES: [&str; 2] = ["index.html", "index.htm"];

impl Files {
    /// The folders of the seeds that are files. What is not there is no folder.
    pub fn new<'u>(seeds: impl Iterator<Item = &'u Url>) -> Files {
        let places = seeds.filter(|seed| seed.scheme() == "file");
        let folders = places.filter_map(|seed| {
            let place = seed.to_file_path().ok()?.canonicalize().ok()?;
            if place.is_dir() { Some(place) } else { place.parent().map(Path::to_owned) }
        });
        Files { folders: folders.collect() }
    }

    /// Read a file as a page.
    pub(super) fn answer(&self, url: &Url, max_bytes: usize) -> Result<Answer, Failure> {
        let named = url.to_file_path().map_err(|()| Failure::Nowhere)?;
        let place = self.place(&named)?;
        let file = File::open(&place).map_err(|_| Failure::NoFile)?;
        let mut body = Vec::new();
        let bound = u64::try_from(max_bytes).unwrap_or(u64::MAX).saturating_add(1);
        file.take(bound).read_to_end(&mut body).map_err(|_| Failure::NoFile)?;
        if body.len() > max_bytes {
            return Err(Failure::TooLarge);
        }
        let headers = vec![("content-type".to_owned(), media_of(&place).to_owned())];
        // Links of a folder's index are below the folder, whether its address says so or not.
        let url = match place.file_name() {
            Some(name) if named.is_dir() => Url::from_file_path(named.join(name)).ok(),
            _ => None,
        }
        .unwrap_or_else(|| url.clone());
        Ok(Answer { url, status: 200, headers, body })
    }

    /// The plain file that a path leads to, if it is in one of the folders: neither `..` nor a symbolic link leads out of them,
    /// and devices and pipes, which may never end, are no files.
    fn place(&self, named: &Path) -> Result<PathBuf, Failure> {
        let mut place = named.canonicalize().map_err(|_| Failure::NoFile)?;
        if place.is_dir() {
            let index = INDEXES.iter().map(|name| place.join(name)).find(|index| index.is_file());
            place = index.and_then(|index| index.canonicalize().ok()).ok_or(Failure::NoFile)?;
        }
        match self.folders.iter().any(|folder| place.starts_with(folder)) {
            true if place.is_file() => Ok(place),
            true => Err(Failure::NoFile),
            false => Err(Failure::Private),
        }
    }
}

/// By the end of its name; what has none is taken for a page.
fn media_of(place: &Path) -> &'static str {
    let end = place.extension().map(|end| end.to_string_lossy().to_ascii_lowercase());
    match end.as_deref() {
        None | Some("html" | "htm" | "xhtml" | "shtml" | "php" | "asp" | "aspx" | "jsp") => {
            "text/html"
        }
        Some("xml") => "application/xml",
        Some("txt") => "text/plain",
        Some("pdf") => "application/pdf",
        Some(_) => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use tempfile::TempDir;

    fn url(path: &Path) -> Url {
        Url::from_file_path(path).unwrap()
    }

    fn ask(files: &Files, path: &Path) -> Result<String, String> {
        let answer = files.answer(&url(path), 100).map_err(|failure| failure.to_string())?;
        Ok(format!("{} {}", answer.header("content-type").unwrap(), answer.body.len()))
    }

    #[test]
    fn only_plain_files_below_a_named_folder_are_read() {
        let folder = TempDir::new().unwrap();
        let (site, outside) = (folder.path().join("site"), folder.path().join("secret.html"));
        fs::create_dir_all(site.join("below")).unwrap();
        fs::create_dir_all(site.join("empty")).unwrap();
        fs::write(site.join("index.html"), "<p>Home").unwrap();
        fs::write(site.join("below/a.pdf"), "%PDF").unwrap();
        fs::write(site.join("large.html"), "x".repeat(101)).unwrap();
        fs::write(&outside, "<p>Secret").unwrap();
        let files = Files::new([url(&site.join("index.html"))].iter());
        let check = |path: &Path, expected: Result<&str, &str>| {
            let found = ask(&files, path);
            assert_eq!(found.as_deref().map_err(String::as_str), expected, "{path:?}");
        };
        check(&site.join("index.html"), Ok("text/html 7"));
        check(&site, Ok("text/html 7"));
        check(&site.join("below/a.pdf"), Ok("application/pdf 4"));
        check(&site.join("large.html"), Err("too large"));
        check(&site.join("missing.html"), Err("no such file"));
        check(&site.join("empty"), Err("no such file"));
        check(&outside, Err("private address"));
        check(Path::new("/dev/zero"), Err("private address"));
        check(Path::new("/etc/passwd"), Err("private address"));
        let none = Files::new([Url::parse("http://a.example/").unwrap()].iter());
        assert!(ask(&none, &site.join("index.html")).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn links_of_the_file_system_lead_nowhere_else() {
        let folder = TempDir::new().unwrap();
        let site = folder.path().join("site");
        fs::create_dir_all(&site).unwrap();
        fs::write(folder.path().join("secret.html"), "<p>Secret").unwrap();
        std::os::unix::fs::symlink("../secret.html", site.join("a.html")).unwrap();
        std::os::unix::fs::symlink("/dev/zero", site.join("b.html")).unwrap();
        let files = Files::new([url(&site)].iter());
        for name in ["a.html", "b.html"] {
            assert_eq!(ask(&files, &site.join(name)), Err("private address".to_owned()));
        }
    }

    #[test]
    fn a_folder_answers_by_its_index() {
        let folder = TempDir::new().unwrap();
        fs::write(folder.path().join("index.htm"), "<p>Home").unwrap();
        let files = Files::new([url(folder.path())].iter());
        let answer = files.answer(&url(folder.path()), 100).unwrap();
        assert!(answer.url.path().ends_with("/index.htm"), "{}", answer.url);
    }
}
