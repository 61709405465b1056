//! Which files the studio may write: those below the folder it was started in, and those that were named when it was.

use crate::error::Refusal;
use crate::state::Studio;
use pagemill::sink::WholeFile;
use serde::Deserialize;
use std::fs;
use std::io::Write;
use std::path::{Component, Path, PathBuf};

/// What the user says of a file to be written.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct SaveAs {
    pub(crate) file: String,
    #[serde(default)]
    pub(crate) replace: bool,
}

impl SaveAs {
    /// Where it goes. What is there already is replaced only if the user says so, or if it is what was opened.
    pub(crate) fn path(
        &self,
        folder: &Path,
        opened: Option<&Path>,
        endings: &[&str],
    ) -> Result<PathBuf, Refusal> {
        let name = self.file.trim();
        if let Some(opened) = opened.filter(|opened| opened.to_string_lossy() == name) {
            return Ok(opened.to_owned());
        }
        let path = Path::new(name);
        let is_plain = |it: Component<'_>| match it {
            Component::Normal(part) => !part.to_string_lossy().starts_with('.'),
            _ => false,
        };
        if name.is_empty() || name.chars().any(char::is_control) || !path.components().all(is_plain)
        {
            return Err(Refusal::bad(format!(
                "{name:?} is no name for a file here: name one below the folder that the studio was started in"
            )));
        }
        let lower = name.to_ascii_lowercase();
        if !endings.iter().any(|ending| lower.ends_with(ending)) {
            let endings = endings.join(", ");
            return Err(Refusal::bad(format!(
                "{name:?} does not say its format: end it with {endings}"
            )));
        }
        let path = folder.join(path);
        if path.exists() && !self.replace {
            return Err(Refusal::exists(format!("{name:?} is there already")));
        }
        Ok(path)
    }
}

impl Studio {
    /// Where a file goes: see [`SaveAs::path`]. What is open here is not written over, whatever the user says.
    pub(crate) fn place(
        &self,
        ask: &SaveAs,
        opened: Option<&Path>,
        endings: &[&str],
    ) -> Result<PathBuf, Refusal> {
        let path = ask.path(&self.config.folder, opened, endings)?;
        let Ok(whole) = fs::canonicalize(&path) else { return Ok(path) };
        let is_it = |open: &Path| fs::canonicalize(open).is_ok_and(|open| open == whole);
        let is_open = self.config.store.iter().any(|store| is_it(Path::new(store)))
            || self.config.inputs.iter().any(|input| is_it(Path::new(input)))
            || self.pages.inputs().any(|page| is_it(Path::new(&page.id)))
            || self.labels_file().is_some_and(|file| is_it(&file));
        match is_open {
            true => Err(Refusal::bad(format!("{:?} is open here: name another file", ask.file))),
            false => Ok(path),
        }
    }
}

/// Write a file that is whole or not there.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Refusal> {
    let write = || {
        let mut file = WholeFile::create(path)?;
        file.write_all(bytes)?;
        file.finish()
    };
    write().map_err(|error| Refusal::failed(format!("cannot write {}: {error}", path.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_written_below_the_folder_only() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("old.csv"), "").expect("a file");
        let path = |file: &str, replace| {
            let ask = SaveAs { file: file.into(), replace };
            ask.path(folder.path(), Some(Path::new("/x/site.json")), &[".csv", ".json"])
        };
        assert_eq!(path("a.csv", false), Ok(folder.path().join("a.csv")));
        assert_eq!(path(" sub/a.CSV ", false), Ok(folder.path().join("sub/a.CSV")));
        assert_eq!(path("/x/site.json", false), Ok("/x/site.json".into()));
        assert_eq!(path("old.csv", false).map_err(|it| it.kind), Err("exists"));
        assert!(path("old.csv", true).is_ok());
        for wrong in [
            "",
            "../a.csv",
            "/etc/a.csv",
            "a/../../b.csv",
            ".bashrc.csv",
            ".ssh/a.csv",
            "a.sh",
            "a\n.csv",
            "a.csv/",
        ] {
            let found = path(wrong, true).map_err(|it| it.kind);
            assert!(found == Err("bad") || wrong == "a.csv/", "{wrong}: {found:?}");
        }
    }
}
