//! The skills of some folders, read when the first of them is asked for.

use std::path::PathBuf;
use std::sync::OnceLock;

use capstan_core::Diagnostic;

use crate::{Library, Lock, Read, read_path};

#[derive(Debug, Default)]
pub struct Shelf {
    paths: Vec<PathBuf>,
    read: OnceLock<Shelved>,
}

#[derive(Debug)]
struct Shelved {
    library: Library,
    diagnostics: Vec<Diagnostic>,
    bad_lock: Option<Diagnostic>,
}

impl Shelf {
    /// Reads nothing yet.
    pub fn new(paths: Vec<PathBuf>) -> Self {
        Self {
            paths,
            read: OnceLock::new(),
        }
    }

    pub fn paths(&self) -> &[PathBuf] {
        &self.paths
    }

    /// What can be read of them.
    pub fn library(&self) -> &Library {
        &self.read().library
    }

    /// What is wrong with the files, and with names that are there twice.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.read().diagnostics
    }

    /// A lock that says nothing: nobody knows which versions are meant.
    pub fn bad_lock(&self) -> Option<&Diagnostic> {
        self.read().bad_lock.as_ref()
    }

    fn read(&self) -> &Shelved {
        self.read.get_or_init(|| {
            let mut all = Read::default();
            let mut lock = Lock::default();
            let mut bad_lock = None;
            for path in &self.paths {
                match Lock::read_beside(path) {
                    Ok(beside) => lock.extend(beside),
                    Err(wrong) => {
                        all.diagnostics.push((*wrong).clone());
                        bad_lock = Some(*wrong);
                    }
                }
                let Read {
                    skills,
                    diagnostics,
                } = read_path(path);
                all.skills.extend(skills);
                all.diagnostics.extend(diagnostics);
            }
            let (library, twice) = Library::new(all.skills);
            all.diagnostics.extend(twice);
            Shelved {
                library: library.locked(lock),
                diagnostics: all.diagnostics,
                bad_lock,
            }
        })
    }
}
