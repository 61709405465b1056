//! Running other programs, and where things are.

use anyhow::{Context, Result, ensure};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The root of the workspace.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."))
}

/// The benchmark data and conformance suites beside the project, which are not part of it.
pub(crate) fn shared() -> Option<PathBuf> {
    let shared = root().join("../shared");
    shared.is_dir().then_some(shared)
}

/// The benchmark pages, unpacked outside the project: into `PAGEMILL_DATA`, or a folder for temporary files.
pub(crate) fn data() -> Result<Option<PathBuf>> {
    let Some(shared) = shared() else { return Ok(None) };
    let folder = std::env::var_os("PAGEMILL_DATA")
        .map_or_else(|| std::env::temp_dir().join("pagemill-data"), PathBuf::from);
    if !is_unpacked(&shared.join("data"), &folder) {
        let unpack = shared.join("data/unpack");
        run("sh", &[&unpack.to_string_lossy(), &folder.to_string_lossy()])?;
    }
    Ok(Some(folder))
}

/// Whether a folder has all archives of another, each with the mark that its unpacking came to an end.
fn is_unpacked(archives: &Path, folder: &Path) -> bool {
    let Ok(entries) = std::fs::read_dir(archives) else { return false };
    let names = entries
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.strip_suffix(".tar.xz").map(str::to_owned));
    let names: Vec<String> = names.collect();
    !names.is_empty() && names.iter().all(|name| folder.join(name).join(".complete").exists())
}

/// Run a program in the workspace's root, its output shown; an error if it fails.
pub(crate) fn run(program: &str, args: &[&str]) -> Result<()> {
    run_with(program, args, &[])
}

/// The same, with environment variables.
pub(crate) fn run_with(program: &str, args: &[&str], env: &[(&str, &str)]) -> Result<()> {
    eprintln!("$ {program} {}", args.join(" "));
    let status = Command::new(program)
        .args(args)
        .envs(env.iter().copied())
        .current_dir(root())
        .status()
        .with_context(|| format!("cannot run {program:?}"))?;
    ensure!(status.success(), "{program} {} failed: {status}", args.join(" "));
    Ok(())
}

/// The same, an error too if it warns. Flags for the compiler would do that as well, and have all crates compiled again.
pub(crate) fn run_without_warnings(program: &str, args: &[&str]) -> Result<()> {
    eprintln!("$ {program} {}", args.join(" "));
    let mut command = Command::new(program);
    command.args(args).env("CARGO_TERM_COLOR", "never").current_dir(root());
    let mut child = command
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot run {program:?}"))?;
    let mut warns = false;
    for line in child.stderr.take().into_iter().flat_map(|said| BufReader::new(said).lines()) {
        let line = line.with_context(|| format!("cannot read what {program:?} says"))?;
        warns |= line.starts_with("warning");
        eprintln!("{line}");
    }
    let status = child.wait().with_context(|| format!("cannot wait for {program:?}"))?;
    ensure!(status.success(), "{program} {} failed: {status}", args.join(" "));
    ensure!(!warns, "{program} {} gave warnings", args.join(" "));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{is_unpacked, run_without_warnings};
    use std::fs;

    #[test]
    fn warnings_are_errors_where_none_are_wanted() {
        let error = |script| run_without_warnings("sh", &["-c", script]).unwrap_err().to_string();
        run_without_warnings("sh", &["-c", "echo no warning >&2"]).unwrap();
        assert!(error("echo 'warning: unused' >&2; echo more >&2").ends_with("gave warnings"));
        assert!(error("exit 3").ends_with("failed: exit status: 3"));
    }

    #[test]
    fn what_was_not_finished_is_not_unpacked() {
        let folder = tempfile::tempdir().unwrap();
        let (archives, data) = (folder.path().join("archives"), folder.path().join("data"));
        assert!(!is_unpacked(&archives, &data));
        fs::create_dir_all(&archives).unwrap();
        fs::create_dir_all(data.join("list")).unwrap();
        fs::write(archives.join("list.tar.xz"), "").unwrap();
        assert!(!is_unpacked(&archives, &data));
        fs::write(data.join("list/.complete"), "").unwrap();
        assert!(is_unpacked(&archives, &data));
        fs::write(archives.join("swde.tar.xz"), "").unwrap();
        assert!(!is_unpacked(&archives, &data));
    }
}
