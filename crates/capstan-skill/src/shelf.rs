//! The skills of some folders, read when the first of them is asked for.

use std::path::PathBuf;
use std::sync::OnceLock;

use capstan_core::Diagnostic;

use crate::{Library, Read, read_path};

#[derive(Debug, Default)]
pub struct Shelf {
    paths: Vec<PathBuf>,
    read: OnceLock<(Library, Vec<Diagnostic>)>,
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
        &self.read().0
    }

    /// What is wrong with the files, and with names that are there twice.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.read().1
    }

    fn read(&self) -> &(Library, Vec<Diagnostic>) {
        self.read.get_or_init(|| {
            let mut all = Read::default();
            for path in &self.paths {
                let Read {
                    skills,
                    diagnostics,
                } = read_path(path);
                all.skills.extend(skills);
                all.diagnostics.extend(diagnostics);
            }
            let (library, twice) = Library::new(all.skills);
            all.diagnostics.extend(twice);
            (library, all.diagnostics)
        })
    }
}
