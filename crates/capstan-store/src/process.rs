//! Shows other processes that this one is there: it keeps a file of its own locked, beside the
//! database. The system gives the lock up however the process ends, so whoever finds the file
//! unlocked, or missing, knows that the process is gone.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use capstan_core::run::Presence;

use crate::place::{Place, make_folder};

/// This process, as far as others can see it through the store.
pub(crate) struct OwnProcess {
    place: Place,
    lock: Mutex<Option<Lock>>,
}

struct Lock {
    name: String,
    file: PathBuf,
    /// Keeps the lock for as long as it is open.
    _open: File,
}

/// How often a name is tried that somebody cleaned up before it was locked.
const TRIES: u32 = 16;

impl OwnProcess {
    /// Makes nothing.
    pub(crate) fn new(place: Place) -> Self {
        Self {
            place,
            lock: Mutex::new(None),
        }
    }

    /// By which others find out whether this process is there. Nothing where files cannot be locked:
    /// then they cannot find out.
    pub(crate) fn lock_name(&self) -> Option<String> {
        let Place::File(database) = &self.place else {
            return None;
        };
        let mut lock = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        if lock.as_ref().is_none_or(|lock| !lock.file.exists()) {
            *lock = make(&folder_of(database)).ok();
        }
        lock.as_ref().map(|lock| lock.name.clone())
    }

    /// Whether the process with this lock is there.
    pub(crate) fn presence(&self, name: Option<&str>) -> Presence {
        let database = match &self.place {
            // Nobody else can have it.
            Place::Memory => return Presence::Alive,
            Place::File(database) => database,
        };
        let Some(name) = name.filter(|name| is_name(name)) else {
            return Presence::Unknown;
        };
        match File::open(folder_of(database).join(name)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Presence::Gone,
            Err(_) => Presence::Unknown,
            // Shared, so that two who look at once do not take each other for the owner.
            Ok(file) => match file.try_lock_shared() {
                Ok(()) => Presence::Gone,
                Err(TryLockError::WouldBlock) => Presence::Alive,
                Err(TryLockError::Error(_)) => Presence::Unknown,
            },
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // What stays is cleaned up by the next process.
        let _ = std::fs::remove_file(&self.file);
    }
}

fn folder_of(database: &Path) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push(".processes");
    PathBuf::from(name)
}

fn make(folder: &Path) -> io::Result<Lock> {
    make_folder(folder)?;
    clean_up(folder);
    for _ in 0..TRIES {
        let name = format!("{:x}-{}", std::process::id(), chance());
        let (file, unlocked) = (folder.join(&name), folder.join(format!("{name}{UNLOCKED}")));
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        let open = match options.open(&unlocked) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
            other => other?,
        };
        open.try_lock()?;
        // It gets its name when it is locked: nobody ever finds it unlocked while we are here.
        match std::fs::rename(&unlocked, &file) {
            // Somebody cleaned up.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
            Ok(()) => {
                return Ok(Lock {
                    name,
                    file,
                    _open: open,
                });
            }
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

const UNLOCKED: &str = ".new";

/// Removes what processes left that are gone.
fn clean_up(folder: &Path) {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries {
        let unlocked = File::open(entry.path()).is_ok_and(|file| file.try_lock_shared().is_ok());
        if unlocked {
            // Somebody else may be at it.
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// Differs between processes that have the same number, one after the other or in two containers.
fn chance() -> String {
    use std::hash::{BuildHasher as _, RandomState};
    format!("{:016x}", RandomState::new().hash_one(std::process::id()))
}

/// What is read from the database is no path.
fn is_name(name: &str) -> bool {
    !name.is_empty()
        && name
            .bytes()
            .all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(folder: &Path) -> OwnProcess {
        OwnProcess::new(Place::File(folder.join("a.db")))
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
