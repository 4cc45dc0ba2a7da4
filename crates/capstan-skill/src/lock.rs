//! Which versions skills are made of, written down: a newer one changes nothing until somebody says so.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use capstan_core::{Diagnostic, Source, Span};

use crate::codes::UNREADABLE;
use crate::resolve::resolve;
use crate::{Library, Version};

/// By the full name of a skill: by the id of each skill in it, however deep, its version.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lock(BTreeMap<String, BTreeMap<String, Version>>);

/// One version that is another now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relock {
    pub skill: String,
    pub part: String,
    pub before: Option<Version>,
    pub now: Option<Version>,
}

impl Lock {
    /// What the file of a folder is called.
    pub const FILE: &str = "skills.lock";

    /// The newest that everybody asks for, for each skill that is made of others.
    pub fn of(library: &Library) -> Self {
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

    /// Where the lock of a folder, or of a file, is.
    pub fn beside(path: &Path) -> PathBuf {
        match path.is_dir() {
            true => path.join(Self::FILE),
            false => path.with_file_name(Self::FILE),
        }
    }

    /// The lock beside some path; an empty one if there is none.
    pub fn read_beside(path: &Path) -> Result<Self, Box<Diagnostic>> {
        let file = Self::beside(path);
        if !file.exists() {
            return Ok(Self::default());
        }
        let name = file.display().to_string();
        match std::fs::read_to_string(&file) {
            Ok(text) => Self::read(&name, text),
            Err(cause) => {
                let source = Source::new(name, "");
                let message = format!("cannot read the lock: {cause}");
                Err(Box::new(Diagnostic::error(UNREADABLE, &source, message)))
            }
        }
    }

    pub fn read(name: &str, text: impl Into<String>) -> Result<Self, Box<Diagnostic>> {
        let source = Source::new(name, text);
        let bad = |at: Option<Span>, why: String| {
            let message = format!("this is no lock of skills: {why}");
            let error = Diagnostic::error(UNREADABLE, &source, message).at(at);
            Box::new(error.with_help("`capstan skill lock` writes it anew"))
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

    /// As it stands in a file: one line for each version, in the order of names.
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

    /// How many skills it is about.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Of several folders.
    pub fn extend(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// What is about skills of these names.
    #[must_use]
    pub fn only(mut self, skills: impl Fn(&str) -> bool) -> Self {
        self.0.retain(|skill, _| skills(skill));
        self
    }

    /// What is another now than in an earlier lock.
    pub fn changes_from(&self, before: &Self) -> Vec<Relock> {
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
                changes.push(Relock {
                    skill: skill.clone(),
                    part: part.clone(),
                    before: old.get(part).cloned(),
                    now: now.get(part).cloned(),
                });
            }
        }
        changes
    }

    /// At which version something is held in a skill.
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
