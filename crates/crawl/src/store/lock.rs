//! One writer at a time.

use super::StoreError;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A file beside the store that is locked as long as it is written. The system lets go of it however the process ends.
pub(super) struct Lock {
    _file: File,
}

impl Lock {
    pub(super) fn take(store: &Path) -> Result<Lock, StoreError> {
        let mut file = OpenOptions::new();
        let mut file =
            file.read(true).write(true).create(true).truncate(false).open(place(store))?;
        let mut n_tries = 0;
        loop {
            match file.try_lock() {
                Ok(()) => break,
                // Someone may only be looking whether it is held.
                Err(TryLockError::WouldBlock) if n_tries < 5 => {
                    n_tries += 1;
                    std::thread::sleep(Duration::from_millis(20));
                }
                Err(TryLockError::WouldBlock) => {
                    return Err(StoreError::Busy { path: store.to_owned(), pid: pid(&mut file) });
                }
                Err(TryLockError::Error(error)) => return Err(error.into()),
            }
        }
        file.set_len(0)?;
        file.rewind()?;
        write!(file, "{}", std::process::id())?;
        file.flush()?;
        Ok(Lock { _file: file })
    }
}

/// The process that writes a store, if one does: its number, where that is known.
pub(super) fn owner(store: &Path) -> Option<Option<u32>> {
    let mut file = File::open(place(store)).ok()?;
    match file.try_lock_shared() {
        Err(TryLockError::WouldBlock) => Some(pid(&mut file)),
        _ => None,
    }
}

fn place(store: &Path) -> PathBuf {
    let mut name = store.as_os_str().to_owned();
    name.push(".lock");
    PathBuf::from(name)
}

fn pid(file: &mut File) -> Option<u32> {
    let mut text = String::new();
    file.read_to_string(&mut text).ok()?;
    text.trim().parse().ok()
}
