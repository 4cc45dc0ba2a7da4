//! Reads the files to check, and distinguishes skills from cards.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use capstan_catalog::yaml::{self, Tree};
use capstan_catalog::{files, folder_of, load_text, outline_problems, read_document_of};
use capstan_core::card::Card;
use capstan_core::{Diagnostic, Source, Span};
use capstan_skill::{ReadSkills, Skill, read_path, read_text};

/// The code of a second card with the same id in one path. The catalogue uses the same code.
const DUPLICATE: &str = "E044";

/// A card that could be loaded, with its source files.
#[derive(Debug)]
pub(super) struct CardFile {
    pub(super) card: Card,
    pub(super) source: Arc<Source>,
    /// The GraphQL file of the card, if it has one.
    pub(super) document: Option<Arc<Source>>,
}

/// The skills and cards of all files, and what is wrong with the files.
#[derive(Debug, Default)]
pub(super) struct CheckedFiles {
    pub(super) skills: Vec<Skill>,
    pub(super) cards: Vec<CardFile>,
    pub(super) diagnostics: Vec<Diagnostic>,
    /// The canonical path of each file, once for each file even if several paths lead to it.
    pub(super) names: HashSet<PathBuf>,
}

/// Reads all files of the paths. Folders are searched recursively for YAML files.
pub(super) fn read_files(paths: &[PathBuf]) -> CheckedFiles {
    let mut all = CheckedFiles::default();
    for path in paths {
        if !path.is_dir() {
            let read = ParsedFile::read(path, folder_of(path));
            all.add(read, 0);
            continue;
        }
        let before = all.cards.len();
        let found = files::find_yaml_files(path);
        for (folder, _) in &found.unreadable {
            all.diagnostics.extend(read_path(folder).diagnostics);
        }
        for read in files::map_in_parallel(&found.files, |file| ParsedFile::read(file, path)) {
            all.add(read, before);
        }
    }
    all
}

/// The content of one file, not yet compared with other files.
struct ParsedFile {
    name: PathBuf,
    content: FileContent,
}

enum FileContent {
    Skills(ReadSkills),
    Card(Box<ParsedCard>),
    /// What is wrong with outlines.
    Outlines(Vec<Diagnostic>),
}

struct ParsedCard {
    source: Arc<Source>,
    /// The position of its id, if the YAML could be parsed.
    id: Option<Span>,
    document: Option<Arc<Source>>,
    card: Result<Card, Vec<Diagnostic>>,
}

impl ParsedFile {
    /// Reads a file. `folder` is the folder of cards that contains it, which its GraphQL document is relative to.
    fn read(file: &Path, folder: &Path) -> Self {
        let name = file.canonicalize().unwrap_or_else(|_| file.to_owned());
        let content = match files::read(file) {
            Ok(source) => match card_id(&source) {
                Some(id) => {
                    let mut document = None;
                    let card = load_text(&source, |name| {
                        let read = read_document_of(file, folder)(name)?;
                        document = Some(Arc::clone(&read));
                        Ok(read)
                    });
                    FileContent::Card(Box::new(ParsedCard {
                        source,
                        id,
                        document,
                        card,
                    }))
                }
                None => match outline_problems(&source) {
                    Some(problems) => FileContent::Outlines(problems),
                    None => FileContent::Skills(read_text(&source)),
                },
            },
            // `read_path` turns the error into a diagnostic.
            Err(_) => FileContent::Skills(read_path(file)),
        };
        Self { name, content }
    }
}

impl CheckedFiles {
    /// Adds a file, unless it was added before. A card may replace those with an index below `before`, which came
    /// from other paths; later ones with the same id are duplicates.
    fn add(&mut self, file: ParsedFile, before: usize) {
        if !self.names.insert(file.name) {
            return;
        }
        match file.content {
            FileContent::Skills(read) => {
                self.skills.extend(read.skills);
                self.diagnostics.extend(read.diagnostics);
            }
            FileContent::Card(read) => self.add_card(*read, before),
            FileContent::Outlines(problems) => self.diagnostics.extend(problems),
        }
    }

    fn add_card(&mut self, read: ParsedCard, before: usize) {
        match read.card {
            Ok(card) => {
                let mut known = self.cards.iter().skip(before);
                if known.any(|other| other.card.id == card.id) {
                    let message = format!("there is another card `{}`", card.id);
                    let duplicate = Diagnostic::error(DUPLICATE, &read.source, message).at(read.id);
                    self.diagnostics.push(duplicate);
                } else {
                    self.cards.push(CardFile {
                        card,
                        source: read.source,
                        document: read.document,
                    });
                }
            }
            Err(diagnostics) => self.diagnostics.extend(diagnostics),
        }
    }
}

/// Returns `None` if the file is not a card. For a card, returns the position of its id, which is `None` if the
/// YAML cannot be parsed.
fn card_id(source: &Arc<Source>) -> Option<Option<Span>> {
    const KEY: &str = "capability_id";
    // Most files are skills: skip the parsing here.
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
