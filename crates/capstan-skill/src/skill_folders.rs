//! The skills in folders, read on first use.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use capstan_catalog::TAKEN;
use capstan_core::Diagnostic;

use crate::{Library, Lock, ReadSkills, Skill, UnusableSkill, read_path};

/// Folders with skills. They are read once, when the skills are needed for the first time.
#[derive(Debug, Default)]
pub struct SkillFolders {
    /// The paths that the user named.
    paths: Vec<PathBuf>,
    /// The paths that only `capstan.toml` in the current folder names.
    found: Vec<PathBuf>,
    read: OnceLock<LoadedSkills>,
}

#[derive(Debug)]
struct LoadedSkills {
    library: Library,
    diagnostics: Vec<Diagnostic>,
    bad_lock: Option<Diagnostic>,
    unreadable: Vec<Diagnostic>,
}

impl SkillFolders {
    /// Creates the folders without reading them.
    pub fn new(paths: Vec<PathBuf>) -> Self {
        Self {
            paths,
            ..Self::default()
        }
    }

    /// Adds paths that only `capstan.toml` in the current folder names. A skill there cannot take an id that
    /// a skill of the user has.
    #[must_use]
    pub fn with_found(mut self, paths: Vec<PathBuf>) -> Self {
        self.found = paths;
        self
    }

    /// Returns the skills that could be read.
    pub fn library(&self) -> &Library {
        &self.read().library
    }

    /// Returns the mistakes in the files, and duplicate names.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.read().diagnostics
    }

    /// Returns the error of a lock file that cannot be read. The intended versions are then unknown.
    pub fn bad_lock(&self) -> Option<&Diagnostic> {
        self.read().bad_lock.as_ref()
    }

    /// Returns errors in the user's own files that hide which skills exist. Until they are fixed, any id may
    /// be that of a hidden skill of the user.
    pub fn unreadable(&self) -> &[Diagnostic] {
        &self.read().unreadable
    }

    fn read(&self) -> &LoadedSkills {
        self.read.get_or_init(|| {
            let mut loader = Loader {
                several: self.paths.len() + self.found.len() > 1,
                ..Loader::default()
            };
            for path in &self.paths {
                loader.add(path);
            }
            for path in &self.found {
                loader.add_found(path);
            }
            let Loader {
                all,
                lock,
                bad_lock,
                ..
            } = loader;
            let (library, twice) = Library::new(all.skills);
            let mut diagnostics = all.diagnostics;
            diagnostics.extend(twice);
            LoadedSkills {
                library: library.with_unusable(all.unusable).with_lock(lock),
                diagnostics,
                bad_lock,
                unreadable: all.unreadable,
            }
        })
    }
}

/// Collects the content of the folders.
#[derive(Default)]
struct Loader {
    all: ReadSkills,
    lock: Lock,
    bad_lock: Option<Diagnostic>,
    /// Whether there are several paths, which may lead to the same file.
    several: bool,
    files: HashSet<PathBuf>,
}

impl Loader {
    fn add(&mut self, path: &Path) {
        let lock = self.lock_beside(path);
        self.lock.extend(lock);
        let read = self.read(path);
        self.all.skills.extend(read.skills);
        self.all.unusable.extend(read.unusable);
        self.all.diagnostics.extend(read.diagnostics);
        self.all.unreadable.extend(read.unreadable);
    }

    /// Reads a path that only `capstan.toml` in the current folder names. Existing skills keep their ids in
    /// all versions, and its lock applies only to its own skills.
    fn add_found(&mut self, path: &Path) {
        let lock = self.lock_beside(path);
        let mut read = self.read(path);
        let taken = |id: &str| {
            let skills = self.all.skills.iter();
            let own = skills.filter(|it| !it.origin.is_from_folder && it.id.as_str() == id);
            let mut own = own.map(|it| it.origin.source.name.as_str());
            let unusable = || {
                let all = self.all.unusable.iter();
                let mut own = all.filter(|it| !it.is_from_folder && it.id.as_str() == id);
                own.find_map(|it| Some(it.errors.first()?.source.name.as_str()))
            };
            own.next().or_else(unusable)
        };
        let mut skills = Vec::new();
        let mut refused = Vec::new();
        for mut skill in read.skills {
            skill.origin.is_from_folder = true;
            match taken(skill.id.as_str()) {
                None => skills.push(skill),
                Some(file) => {
                    let error = refusal(&skill, file);
                    read.diagnostics.push(error.clone());
                    refused.push(UnusableSkill {
                        id: skill.id,
                        errors: vec![error],
                        is_from_folder: true,
                    });
                }
            }
        }
        for mut unusable in read.unusable {
            unusable.is_from_folder = true;
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

    /// Reads the files of a path that no earlier path led to. Otherwise their skills would be duplicates.
    fn read(&mut self, path: &Path) -> ReadSkills {
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
        "the skill `{}` already exists, in {file}, and this one comes only from `capstan.toml` in \
         this folder",
        skill.id
    );
    let error = Diagnostic::error(TAKEN, &skill.origin.source, message);
    error
        .at(Some(skill.origin.id))
        .with_help("give it another `id`")
}
