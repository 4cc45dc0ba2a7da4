//! The files to check: which of them are skills, which are cards, and what is wrong with them.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use capstan_catalog::yaml::{self, Tree};
use capstan_catalog::{files, load_text};
use capstan_core::card::Card;
use capstan_core::{Diagnostic, Source, Span};
use capstan_skill::{Read, Skill, read_path, read_text};

/// As the loader of folders has it: two cards of one path have the same id.
const DUPLICATE: &str = "E044";

#[derive(Debug, Default)]
pub(super) struct Files {
    pub(super) skills: Vec<Skill>,
    pub(super) cards: Vec<Card>,
    pub(super) diagnostics: Vec<Diagnostic>,
    /// Each file once, however many paths lead to it.
    pub(super) names: HashSet<PathBuf>,
}

pub(super) fn gather(paths: &[PathBuf]) -> Files {
    let mut all = Files::default();
    for path in paths {
        if !path.is_dir() {
            all.add(path, 0);
            continue;
        }
        let before = all.cards.len();
        let found = files::below(path);
        for (folder, _) in &found.unreadable {
            all.diagnostics.extend(read_path(folder).diagnostics);
        }
        for file in &found.files {
            all.add(file, before);
        }
    }
    all
}

impl Files {
    /// Cards before the `before`th came from other paths, and may be replaced.
    fn add(&mut self, file: &Path, before: usize) {
        let name = file.canonicalize().unwrap_or_else(|_| file.to_owned());
        if !self.names.insert(name) {
            return;
        }
        let Ok(source) = files::read(file) else {
            // It says why not.
            self.take(read_path(file));
            return;
        };
        match card_id(&source) {
            Some(id) => self.load(file, &source, id, before),
            None => self.take(read_text(&source)),
        }
    }

    fn take(&mut self, read: Read) {
        self.skills.extend(read.skills);
        self.diagnostics.extend(read.diagnostics);
    }

    fn load(&mut self, file: &Path, source: &Arc<Source>, id: Option<Span>, before: usize) {
        match load_text(source, |name| document(file, name)) {
            Ok(card) => {
                let mut known = self.cards.iter().skip(before);
                if known.any(|other| other.id == card.id) {
                    let message = format!("there is another card `{}`", card.id);
                    let twice = Diagnostic::error(DUPLICATE, source, message).at(id);
                    self.diagnostics.push(twice);
                } else {
                    self.cards.push(card);
                }
            }
            Err(diagnostics) => self.diagnostics.extend(diagnostics),
        }
    }
}

/// Whether a file is a card: where its id stands, if that much of it can be read.
fn card_id(source: &Arc<Source>) -> Option<Option<Span>> {
    const KEY: &str = "capability_id";
    // Most files are skills, and are parsed once.
    if !source.text.contains(KEY) {
        return None;
    }
    let Ok(documents) = yaml::documents(source) else {
        let mut lines = source.text.lines();
        return lines.any(|line| line.starts_with(KEY)).then_some(None);
    };
    match &documents.first()?.tree {
        Tree::Map(entries) => {
            let id = entries.iter().find(|entry| entry.key == KEY)?;
            Some(Some(id.value.span))
        }
        _ => None,
    }
}

/// The document of a card: beside it, nowhere else.
fn document(card: &Path, name: Option<&str>) -> Result<Arc<Source>, String> {
    match name {
        Some(name) if name.contains(['/', '\\']) => Err(format!(
            "`{name}` is not a file name; the document stands beside the card"
        )),
        Some(name) => files::read(&card.with_file_name(name)),
        None => files::read(&card.with_extension("graphql")),
    }
}
