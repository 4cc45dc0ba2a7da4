//! Shows other processes that this one is alive: it keeps a file of its own beside the database
//! locked. The system releases the lock however the process ends, so an unlocked or missing file
//! shows that its process is gone.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use capstan_core::run::Presence;

use crate::location::{Location, create_folder};

/// This process, as others see it through the store.
pub(crate) struct OwnProcess {
    location: Location,
    lock: Mutex<Option<ProcessLock>>,
}

struct ProcessLock {
    name: String,
    file: PathBuf,
    /// Holds the lock while it is open.
    _open: File,
}

/// How often another name is tried after another process removed the file before it was locked.
const MAX_ATTEMPTS: u32 = 16;

impl OwnProcess {
    /// Creates no file.
    pub(crate) fn new(location: Location) -> Self {
        Self {
            location,
            lock: Mutex::new(None),
        }
    }

    /// Returns the name by which others check whether this process is alive, and creates the lock
    /// if necessary. `None` where files cannot be locked: others cannot check then.
    pub(crate) fn lock_name(&self) -> Option<String> {
        let Location::File(database) = &self.location else {
            return None;
        };
        let mut lock = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        if lock.as_ref().is_none_or(|lock| !lock.file.exists()) {
            *lock = create_lock(&lock_folder(database)).ok();
        }
        lock.as_ref().map(|lock| lock.name.clone())
    }

    /// Returns whether the process with this lock is alive.
    pub(crate) fn presence(&self, name: Option<&str>) -> Presence {
        let database = match &self.location {
            // No other process can use a database in memory.
            Location::Memory => return Presence::Alive,
            Location::File(database) => database,
        };
        let Some(name) = name.filter(|name| is_lock_name(name)) else {
            return Presence::Unknown;
        };
        match File::open(lock_folder(database).join(name)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Presence::Gone,
            Err(_) => Presence::Unknown,
            // A shared lock, so that two processes that check at once do not take each other for
            // the owner.
            Ok(file) => match file.try_lock_shared() {
                Ok(()) => Presence::Gone,
                Err(TryLockError::WouldBlock) => Presence::Alive,
                Err(TryLockError::Error(_)) => Presence::Unknown,
            },
        }
    }
}

impl Drop for ProcessLock {
    fn drop(&mut self) {
        // If this fails, the next process removes the file.
        let _ = std::fs::remove_file(&self.file);
    }
}

fn lock_folder(database: &Path) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push(".processes");
    PathBuf::from(name)
}

fn create_lock(folder: &Path) -> io::Result<ProcessLock> {
    create_folder(folder)?;
    remove_stale_locks(folder);
    for _ in 0..MAX_ATTEMPTS {
        let name = format!("{:x}-{}", std::process::id(), random_digits());
        let (file, new_file) = (
            folder.join(&name),
            folder.join(format!("{name}{NEW_SUFFIX}")),
        );
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        let open = match options.open(&new_file) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
            other => other?,
        };
        open.try_lock()?;
        // The file gets its final name after it was locked, so others never see it unlocked.
        match std::fs::rename(&new_file, &file) {
            // Another process removed the file as stale.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
            Ok(()) => {
                return Ok(ProcessLock {
                    name,
                    file,
                    _open: open,
                });
            }
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

const NEW_SUFFIX: &str = ".new";

/// Removes the lock files of processes that are gone.
fn remove_stale_locks(folder: &Path) {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries {
        let is_unlocked = File::open(entry.path()).is_ok_and(|file| file.try_lock_shared().is_ok());
        if is_unlocked {
            // Another process may have removed it already.
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// Returns random digits. They tell processes with the same id apart, which run one after the other
/// or in two containers.
fn random_digits() -> String {
    use std::hash::{BuildHasher as _, RandomState};
    format!("{:016x}", RandomState::new().hash_one(std::process::id()))
}

/// Returns whether a name from the database is a plain file name of ours and no path.
fn is_lock_name(name: &str) -> bool {
    !name.is_empty()
        && name
            .bytes()
            .all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(folder: &Path) -> OwnProcess {
        OwnProcess::new(Location::File(folder.join("a.db")))
    }

    #[test]
    fn a_process_is_seen_as_long_as_it_is_there() {
        let folder = tempfile::tempdir().unwrap();
        let (own, other) = (at(folder.path()), at(folder.path()));
        let name = own.lock_name().unwrap();
        assert_eq!(own.lock_name().as_ref(), Some(&name));
        let others = other.lock_name().unwrap();
        assert_ne!(others, name, "two stores are two owners");
        for seen_by in [&own, &other] {
            assert_eq!(seen_by.presence(Some(&name)), Presence::Alive);
            assert_eq!(seen_by.presence(Some(&others)), Presence::Alive);
        }
        drop(own);
        assert_eq!(other.presence(Some(&name)), Presence::Gone);
        assert_eq!(other.presence(Some(&others)), Presence::Alive);
    }

    #[test]
    fn what_a_killed_process_left_is_no_process() {
        let folder = tempfile::tempdir().unwrap();
        let own = at(folder.path());
        let locks = folder.path().join("a.db.processes");
        std::fs::create_dir(&locks).unwrap();
        std::fs::write(locks.join("ab-1"), "").unwrap();
        assert_eq!(own.presence(Some("ab-1")), Presence::Gone);
        let name = own.lock_name().unwrap();
        let left: Vec<_> = std::fs::read_dir(&locks).unwrap().flatten().collect();
        assert_eq!(left.len(), 1);
        assert_eq!(left[0].file_name(), name.as_str());
    }

    #[test]
    fn a_lock_that_somebody_removed_is_made_again() {
        let folder = tempfile::tempdir().unwrap();
        let own = at(folder.path());
        let name = own.lock_name().unwrap();
        std::fs::remove_dir_all(folder.path().join("a.db.processes")).unwrap();
        assert_ne!(own.lock_name().unwrap(), name);
    }

    #[test]
    fn names_are_no_paths() {
        let folder = tempfile::tempdir().unwrap();
        let own = at(folder.path());
        for name in [None, Some(""), Some("../a.db"), Some("/etc/passwd")] {
            assert_eq!(own.presence(name), Presence::Unknown, "{name:?}");
        }
    }
}
