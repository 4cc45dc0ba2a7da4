//! Lock files: the recorded versions of composed skills. A newer version has no effect until the lock is
//! updated.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use capstan_core::{Diagnostic, Source, Span};

use crate::codes::UNREADABLE;
use crate::resolve::resolve;
use crate::{Library, Version};

/// For each skill by its full name: the versions of all skills in it, at any depth, by id.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lock(BTreeMap<String, BTreeMap<String, Version>>);

/// A version that differs between two locks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LockChange {
    pub skill: String,
    pub part: String,
    pub before: Option<Version>,
    pub now: Option<Version>,
}

impl Lock {
    /// The name of the lock file in a folder.
    pub const FILE: &str = "skills.lock";

    /// Chooses, for each composite skill, the newest versions that satisfy all requirements.
    pub fn from_library(library: &Library) -> Self {
        let mut lock = Self::default();
        for (index, skill) in library.skills().iter().enumerate() {
            let (resolution, _) = resolve(library, index);
            let parts: BTreeMap<_, _> = resolution
                .into_iter()
                .map(|(id, part)| (id, library.skill(part).version.clone()))
                .collect();
            if !parts.is_empty() {
                lock.0.insert(skill.full_name(), parts);
            }
        }
        lock
    }

    /// Returns the path of the lock for a folder or a file.
    pub fn path_beside(path: &Path) -> PathBuf {
        if path.is_dir() {
            path.join(Self::FILE)
        } else {
            path.with_file_name(Self::FILE)
        }
    }

    /// Reads the lock beside a path; returns an empty lock if there is none.
    pub fn read_beside(path: &Path) -> Result<Self, Box<Diagnostic>> {
        let file = Self::path_beside(path);
        if !file.exists() {
            return Ok(Self::default());
        }
        let name = file.display().to_string();
        match std::fs::read_to_string(&file) {
            Ok(text) => Self::read(&name, text),
            Err(cause) => {
                let source = Source::new(name, "");
                let message = format!("cannot read the lock file: {cause}");
                Err(Box::new(Diagnostic::error(UNREADABLE, &source, message)))
            }
        }
    }

    pub fn read(name: &str, text: impl Into<String>) -> Result<Self, Box<Diagnostic>> {
        let source = Source::new(name, text);
        let bad = |at: Option<Span>, why: String| {
            let message = format!("this is not a lock file for skills: {why}");
            let error = Diagnostic::error(UNREADABLE, &source, message).at(at);
            Box::new(error.with_help("`capstan skill lock` writes a new one"))
        };
        let read: BTreeMap<String, BTreeMap<String, String>> =
            serde_json::from_str(&source.text)
                .map_err(|cause| bad(Some(place(&source.text, &cause)), cause.to_string()))?;
        let mut lock = Self::default();
        for (skill, parts) in read {
            let mut versions = BTreeMap::new();
            for (part, version) in parts {
                let version = Version::parse(&version).map_err(|why| bad(None, why))?;
                versions.insert(part, version);
            }
            lock.0.insert(skill, versions);
        }
        Ok(lock)
    }

    /// Returns the text of the lock file: one line per version, sorted by name.
    pub fn text(&self) -> String {
        let shown: BTreeMap<_, BTreeMap<_, _>> = self
            .0
            .iter()
            .map(|(skill, parts)| {
                let parts = parts.iter().map(|(id, version)| (id, version.to_string()));
                (skill, parts.collect())
            })
            .collect();
        let mut text = serde_json::to_string_pretty(&shown).unwrap_or_default();
        text.push('\n');
        text
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the number of skills with locked parts.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Adds the entries of another folder's lock.
    pub fn extend(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// Keeps only the entries of skills whose full name satisfies the predicate.
    #[must_use]
    pub fn only(mut self, skills: impl Fn(&str) -> bool) -> Self {
        self.0.retain(|skill, _| skills(skill));
        self
    }

    /// Returns the versions that differ from those in an earlier lock.
    pub fn changes_from(&self, before: &Self) -> Vec<LockChange> {
        let nothing = BTreeMap::new();
        let mut skills: Vec<_> = self.0.keys().chain(before.0.keys()).collect();
        skills.sort_unstable();
        skills.dedup();
        let mut changes = Vec::new();
        for skill in skills {
            let now = self.0.get(skill).unwrap_or(&nothing);
            let old = before.0.get(skill).unwrap_or(&nothing);
            let mut parts: Vec<_> = now.keys().chain(old.keys()).collect();
            parts.sort_unstable();
            parts.dedup();
            for part in parts
                .into_iter()
                .filter(|part| now.get(*part) != old.get(*part))
            {
                changes.push(LockChange {
                    skill: skill.clone(),
                    part: part.clone(),
                    before: old.get(part).cloned(),
                    now: now.get(part).cloned(),
                });
            }
        }
        changes
    }

    /// Returns the locked version of a part of a skill.
    pub(crate) fn version(&self, skill: &str, part: &str) -> Option<&Version> {
        self.0.get(skill)?.get(part)
    }
}

fn place(text: &str, cause: &serde_json::Error) -> Span {
    let before: usize = text
        .split_inclusive('\n')
        .take(cause.line().saturating_sub(1))
        .map(str::len)
        .sum();
    let at = (before + cause.column().saturating_sub(1)).min(text.len());
    Span { start: at, end: at }
}
