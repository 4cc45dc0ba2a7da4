//! The skills of some folders, read when the first of them is asked for.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use capstan_catalog::TAKEN;
use capstan_core::Diagnostic;

use crate::{Library, Lock, Read, Skill, UnusableSkill, read_path};

#[derive(Debug, Default)]
pub struct Shelf {
    /// Whoever uses them named them.
    paths: Vec<PathBuf>,
    /// A file that merely lies in the current folder named them.
    found: Vec<PathBuf>,
    read: OnceLock<Shelved>,
}

#[derive(Debug)]
struct Shelved {
    library: Library,
    diagnostics: Vec<Diagnostic>,
    bad_lock: Option<Diagnostic>,
    unreadable: Vec<Diagnostic>,
}

impl Shelf {
    /// Reads nothing yet.
    pub fn new(paths: Vec<PathBuf>) -> Self {
        Self {
            paths,
            ..Self::default()
        }
    }

    /// With skills that nobody asked for. They take no name that one of the others has.
    #[must_use]
    pub fn with_found(mut self, paths: Vec<PathBuf>) -> Self {
        self.found = paths;
        self
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

    /// Errors of the files that whoever uses them named, where they hide which skills there are. Until they
    /// are mended, any skill may be called what one of the user's own is called.
    pub fn unreadable(&self) -> &[Diagnostic] {
        &self.read().unreadable
    }

    fn read(&self) -> &Shelved {
        self.read.get_or_init(|| {
            let mut reading = Reading {
                several: self.paths.len() + self.found.len() > 1,
                ..Reading::default()
            };
            for path in &self.paths {
                reading.add(path);
            }
            for path in &self.found {
                reading.add_found(path);
            }
            let Reading {
                all,
                lock,
                bad_lock,
                ..
            } = reading;
            let (library, twice) = Library::new(all.skills);
            let mut diagnostics = all.diagnostics;
            diagnostics.extend(twice);
            Shelved {
                library: library.with_unusable(all.unusable).locked(lock),
                diagnostics,
                bad_lock,
                unreadable: all.unreadable,
            }
        })
    }
}

/// What was read so far.
#[derive(Default)]
struct Reading {
    all: Read,
    lock: Lock,
    bad_lock: Option<Diagnostic>,
    /// There are several paths, which may lead to the same file.
    several: bool,
    files: HashSet<PathBuf>,
}

impl Reading {
    fn add(&mut self, path: &Path) {
        let lock = self.lock_beside(path);
        self.lock.extend(lock);
        let read = self.read(path);
        self.all.skills.extend(read.skills);
        self.all.unusable.extend(read.unusable);
        self.all.diagnostics.extend(read.diagnostics);
        self.all.unreadable.extend(read.unreadable);
    }

    /// What is there already keeps its name, in all versions; and a lock holds only what comes with it.
    fn add_found(&mut self, path: &Path) {
        let lock = self.lock_beside(path);
        let mut read = self.read(path);
        let taken = |id: &str| {
            let skills = self.all.skills.iter();
            let own = skills.filter(|it| !it.origin.is_found && it.id.as_str() == id);
            let mut own = own.map(|it| it.origin.source.name.as_str());
            let unusable = || {
                let all = self.all.unusable.iter();
                let mut own = all.filter(|it| !it.is_found && it.id.as_str() == id);
                own.find_map(|it| Some(it.errors.first()?.source.name.as_str()))
            };
            own.next().or_else(unusable)
        };
        let mut skills = Vec::new();
        let mut refused = Vec::new();
        for mut skill in read.skills {
            skill.origin.is_found = true;
            match taken(skill.id.as_str()) {
                None => skills.push(skill),
                Some(file) => {
                    let error = refusal(&skill, file);
                    read.diagnostics.push(error.clone());
                    refused.push(UnusableSkill {
                        id: skill.id,
                        errors: vec![error],
                        is_found: true,
                    });
                }
            }
        }
        for mut unusable in read.unusable {
            unusable.is_found = true;
            refused.push(unusable);
        }
        let ids: HashSet<&str> = skills.iter().map(|it| it.id.as_str()).collect();
        let is_its_own = |name: &str| ids.contains(name.split('@').next().unwrap_or_default());
        self.lock.extend(lock.only(is_its_own));
        self.all.skills.extend(skills);
        self.all.unusable.extend(refused);
        self.all.diagnostics.extend(read.diagnostics);
    }

    fn lock_beside(&mut self, path: &Path) -> Lock {
        match Lock::read_beside(path) {
            Ok(lock) => lock,
            Err(wrong) => {
                self.all.diagnostics.push((*wrong).clone());
                self.bad_lock = Some(*wrong);
                Lock::default()
            }
        }
    }

    /// What a path leads to and no path before it: otherwise every skill of it would be there twice.
    fn read(&mut self, path: &Path) -> Read {
        let mut read = read_path(path);
        if !self.several {
            return read;
        }
        let mut known: Option<(Arc<capstan_core::Source>, bool)> = None;
        let before = self.files.clone();
        read.skills.retain(|skill| {
            let source = &skill.origin.source;
            if let Some((last, is_new)) = &known
                && Arc::ptr_eq(last, source)
            {
                return *is_new;
            }
            let name = Path::new(&source.name);
            let file = name.canonicalize().unwrap_or_else(|_| name.to_owned());
            let is_new = !before.contains(&file);
            self.files.insert(file);
            known = Some((Arc::clone(source), is_new));
            is_new
        });
        read
    }
}

fn refusal(skill: &Skill, file: &str) -> Diagnostic {
    let message = format!(
        "the skill `{}` is there already, in {file}, and only `capstan.toml` in this folder asks for \
         this one",
        skill.id
    );
    let error = Diagnostic::error(TAKEN, &skill.origin.source, message);
    error
        .at(Some(skill.origin.id))
        .with_help("give it another `id`")
}
