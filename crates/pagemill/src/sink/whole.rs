//! Files that are whole or not there.
//!
//! In come a path and bytes; out comes a file that appears all at once, or not at all. Until then the bytes are in a hidden
//! file beside it, `.NAME.pagemill-PID-N.partial`: in the same folder, because only there can it be renamed into place.
//!
//! What is dropped unfinished removes its hidden file. What is killed cannot, so whoever writes to the same target
//! next removes what dead processes have left. A hidden file is held by a lock for as long as its process lives; the system
//! takes the lock back however the process ends. The number of the process would not do: numbers come again, and
//! a process in another container has one that nobody sees here. Where there are no such locks, nothing is removed.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, TryLockError};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

/// A file that is written beside its place and put there by [`finish`](WholeFile::finish). Dropped before that, it leaves
/// nothing behind, and what was in its place stays.
///
/// ```
/// use pagemill::sink::WholeFile;
/// use std::io::Write;
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("notes.txt");
/// let mut file = WholeFile::create(&path)?;
/// file.write_all(b"one line\n")?;
/// assert!(!path.exists());
/// file.finish()?;
/// assert_eq!(std::fs::read_to_string(&path)?, "one line\n");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct WholeFile {
    out: BufWriter<File>,
    draft: Draft,
}

impl WholeFile {
    /// Begin a file. Refused at once are a folder that is not there, a target that is no plain file (a rename would replace
    /// a device or a pipe), and one that is read-only.
    pub fn create(target: &Path) -> io::Result<WholeFile> {
        let draft = Draft::create(target)?;
        let out = BufWriter::new(draft.file.try_clone()?);
        Ok(WholeFile { out, draft })
    }

    /// Put the file in its place, once the disk has all of it.
    pub fn finish(mut self) -> io::Result<()> {
        self.out.flush()?;
        self.draft.place()
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// The hidden file itself, for those who open it by its path.
#[derive(Debug)]
pub(super) struct Draft {
    path: PathBuf,
    target: PathBuf,
    /// Holds the lock that tells others that we live.
    file: File,
    is_placed: bool,
}

impl Draft {
    pub(super) fn create(target: &Path) -> io::Result<Draft> {
        let target = real_target(target)?;
        let prefix = prefix(target.file_name().ok_or(io::ErrorKind::InvalidFilename)?);
        let folder = folder_of(&target);
        remove_stale(folder, &prefix);
        loop {
            let path = folder.join(temporary_name(&prefix));
            match File::options().read(true).write(true).create_new(true).open(&path) {
                Ok(file) if is_ours(&file, &path) => {
                    let draft = Draft { path, target, file, is_placed: false };
                    draft.take_permissions()?;
                    return Ok(draft);
                }
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Rename it to its target, once the disk has all of it.
    pub(super) fn place(mut self) -> io::Result<()> {
        self.file.sync_all()?;
        fs::rename(&self.path, &self.target)?;
        self.is_placed = true;
        // The file is there; that its name outlives a power cut is more than some file systems can promise.
        let _ = File::open(folder_of(&self.target)).and_then(|folder| folder.sync_all());
        Ok(())
    }

    /// Who may read the file that is replaced may read the new one, and nobody else.
    fn take_permissions(&self) -> io::Result<()> {
        match fs::metadata(&self.target) {
            Ok(metadata) => self.file.set_permissions(metadata.permissions()),
            Err(_) => Ok(()),
        }
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if !self.is_placed {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Where the file is in truth, if the target is a link, and that it may be replaced.
fn real_target(target: &Path) -> io::Result<PathBuf> {
    let real = match fs::canonicalize(target) {
        Ok(real) => real,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return std::path::absolute(target);
        }
        Err(error) => return Err(error),
    };
    let metadata = fs::metadata(&real)?;
    if metadata.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
    }
    if !metadata.is_file() {
        return Err(io::Error::other("it is no plain file and cannot be replaced"));
    }
    if metadata.permissions().readonly() {
        return Err(io::Error::other("it is read-only"));
    }
    Ok(real)
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

const MARK: &str = ".pagemill-";
const ENDING: &str = ".partial";

/// A file name may have 255 bytes nearly everywhere; ours needs some 40 around the target's.
const MAX_STEM: usize = 200;

/// What the names of all hidden files for one target start with.
fn prefix(name: &OsStr) -> OsString {
    let mut prefix = OsString::from(".");
    if name.len() <= MAX_STEM {
        prefix.push(name);
    } else {
        let mut hasher = DefaultHasher::new();
        name.hash(&mut hasher);
        prefix.push(format!("{:016x}", hasher.finish()));
    }
    prefix.push(MARK);
    prefix
}

fn temporary_name(prefix: &OsStr) -> OsString {
    static N_NAMES: AtomicU64 = AtomicU64::new(0);
    let n = N_NAMES.fetch_add(1, Ordering::Relaxed);
    let mut name = prefix.to_owned();
    name.push(format!("{}-{n}{ENDING}", process::id()));
    name
}

fn is_temporary_name(name: &OsStr, prefix: &OsStr) -> bool {
    let rest = name.as_encoded_bytes().strip_prefix(prefix.as_encoded_bytes());
    let number = rest.and_then(|rest| rest.strip_suffix(ENDING.as_bytes()));
    number.is_some_and(|it| it.iter().all(|byte| byte.is_ascii_digit() || *byte == b'-'))
}

/// Elsewhere a lock keeps even its owner from opening the file a second time, as SQLite does.
const HAS_LOCKS: bool = cfg!(unix);

/// Lock a new file. One that someone took for a dead process's in the moment before is not ours.
fn is_ours(file: &File, path: &Path) -> bool {
    if !HAS_LOCKS {
        return true;
    }
    match file.try_lock() {
        Ok(()) => path.exists(),
        Err(TryLockError::WouldBlock) => false,
        // This file system has no locks: nobody can take ours for abandoned.
        Err(TryLockError::Error(_)) => true,
    }
}

/// Remove what dead processes have left of this target. That it cannot be removed is no reason not to write.
fn remove_stale(folder: &Path, prefix: &OsStr) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        // Opening a pipe would wait for its other end.
        let is_file = entry.file_type().is_ok_and(|it| it.is_file());
        if is_file && is_temporary_name(&entry.file_name(), prefix) {
            remove_if_abandoned(&entry.path());
        }
    }
}

fn remove_if_abandoned(path: &Path) {
    let Ok(file) = File::options().write(true).open(path) else { return };
    if HAS_LOCKS && file.try_lock().is_ok() {
        let _ = fs::remove_file(path);
    }
}
