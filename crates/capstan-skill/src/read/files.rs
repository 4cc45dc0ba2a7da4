//! Reads skill files from the disk and from memory.

use std::path::Path;
use std::sync::Arc;

use capstan_catalog::{files, yaml};
use capstan_core::{Diagnostic, Severity, Source, Span};

use super::fields::Notes;
use super::skill::{id_of, skill};
use crate::codes::UNREADABLE;
use crate::{Skill, UnusableSkill};

/// The content of files: every skill that could be read, and all mistakes.
#[derive(Debug, Default)]
pub struct ReadSkills {
    pub skills: Vec<Skill>,
    /// Documents that have an id but could not be read as a skill.
    pub unusable: Vec<UnusableSkill>,
    pub diagnostics: Vec<Diagnostic>,
    /// Errors that hide which skills exist. Each may hide a skill of any name.
    pub unreadable: Vec<Diagnostic>,
}

/// Reads a file, or every YAML file below a folder, in the order of their paths.
pub fn read_path(path: &Path) -> ReadSkills {
    let mut read = ReadSkills::default();
    if !path.is_dir() {
        read.add(read_named_file(path));
        return read;
    }
    let found = files::find_yaml_files(path);
    for (folder, cause) in &found.unreadable {
        let source = Source::new(folder.display().to_string(), "");
        let message = format!("cannot read the folder: {cause}");
        let error = Diagnostic::error(UNREADABLE, &source, message);
        let error = error.with_help("give a folder that holds skill files");
        read.diagnostics.push(error.clone());
        read.unreadable.push(error);
    }
    for part in files::map_in_parallel(&found.files, |file| read_file(file)) {
        read.add(part);
    }
    read
}

/// Returns the reason why a path adds no skills, as far as that is visible without reading files.
pub fn diagnose_empty_path(path: &Path) -> Option<Diagnostic> {
    let source = Source::new(path.display().to_string(), "");
    if !path.exists() {
        let message = "there is no such file or folder, so it adds no skills";
        let error = Diagnostic::error(UNREADABLE, &source, message);
        return Some(error.with_help("give a skill file, or a folder that holds some"));
    }
    if !path.is_dir() || !files::find_yaml_files(path).files.is_empty() {
        return None;
    }
    let message = "there are no YAML files below this folder, so it adds no skills";
    let mut warning = Diagnostic::error(UNREADABLE, &source, message);
    warning.severity = Severity::Warning;
    Some(warning.with_help(if holds_agent_skills(path) {
        HELP_FOR_AGENT_SKILLS
    } else {
        HELP_FOR_NONE
    }))
}

const AGENT_SKILL: &str = "SKILL.md";
const HELP_FOR_AGENT_SKILLS: &str = "a SKILL.md file tells an agent what to do, and is not run; \
                                     `capstan skill new` writes a skill that is";
const HELP_FOR_NONE: &str = "`capstan skill new` writes a skill to start from";

/// Whether a folder, or a folder in it, is an Agent Skill.
fn holds_agent_skills(folder: &Path) -> bool {
    let inside = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let is_inside = |it: std::fs::DirEntry| it.path().join(AGENT_SKILL).exists();
    folder.join(AGENT_SKILL).exists() || inside.into_iter().any(is_inside)
}

/// Reads a file that was named explicitly. Reports an error if it contains no skill.
fn read_named_file(file: &Path) -> ReadSkills {
    let nothing = |message: &str, help: &str| {
        let source = Source::new(file.display().to_string(), "");
        let error = Diagnostic::error(UNREADABLE, &source, message).with_help(help);
        ReadSkills {
            diagnostics: vec![error],
            ..ReadSkills::default()
        }
    };
    if let (false, Some(error)) = (file.exists(), diagnose_empty_path(file)) {
        return ReadSkills {
            diagnostics: vec![error.clone()],
            unreadable: vec![error],
            ..ReadSkills::default()
        };
    }
    let is_agent_skill = file.file_name().is_some_and(|name| name == AGENT_SKILL);
    if is_agent_skill {
        let message = "this is an Agent Skill, so it adds no skills";
        return nothing(message, HELP_FOR_AGENT_SKILLS);
    }
    let read = read_file(file);
    let is_empty =
        read.skills.is_empty() && read.unusable.is_empty() && read.diagnostics.is_empty();
    if is_empty {
        return nothing("there is no skill in this file", HELP_FOR_NONE);
    }
    read
}

/// Reads every document of a text.
pub fn read_text(source: &Arc<Source>) -> ReadSkills {
    let documents = match yaml::documents(source) {
        Ok(documents) => documents,
        Err(error) => {
            return ReadSkills::unreadable(error);
        }
    };
    let mut notes = Notes {
        source: Arc::clone(source),
        diagnostics: Vec::new(),
    };
    let mut read = ReadSkills::default();
    // Errors of documents without an id, which may be about any of the skills.
    let mut of_all = Vec::new();
    for (index, document) in documents.iter().enumerate() {
        let before = notes.diagnostics.len();
        let skill = skill(source, document, &mut notes);
        let new = notes.diagnostics[before..].iter();
        let errors = new.filter(|it| it.severity == Severity::Error).cloned();
        match (skill, id_of(document)) {
            (Some(mut skill), _) => {
                let next = documents.get(index + 1);
                skill.origin.document = Span {
                    start: document.span.start,
                    end: next.map_or(source.text.len() + 1, |next| next.span.start),
                };
                skill.origin.errors = errors.collect();
                read.skills.push(skill);
            }
            (None, Some(id)) => read.unusable.push(UnusableSkill {
                id,
                errors: errors.collect(),
                is_from_folder: false,
            }),
            (None, None) => of_all.extend(errors),
        }
    }
    for skill in &mut read.skills {
        skill.origin.errors.extend(of_all.iter().cloned());
    }
    read.unreadable = of_all;
    read.diagnostics = notes.diagnostics;
    read.diagnostics
        .sort_by_key(|it| it.span.map(|span| span.start));
    read
}

impl ReadSkills {
    fn add(&mut self, other: ReadSkills) {
        self.skills.extend(other.skills);
        self.unusable.extend(other.unusable);
        self.diagnostics.extend(other.diagnostics);
        self.unreadable.extend(other.unreadable);
    }

    /// The result for a text that could not be parsed at all.
    fn unreadable(error: Diagnostic) -> Self {
        Self {
            diagnostics: vec![error.clone()],
            unreadable: vec![error],
            ..Self::default()
        }
    }
}

fn read_file(file: &Path) -> ReadSkills {
    match files::read(file) {
        Ok(source) => read_text(&source),
        Err(message) => {
            let source = Source::new(file.display().to_string(), "");
            ReadSkills::unreadable(Diagnostic::error(UNREADABLE, &source, message))
        }
    }
}
