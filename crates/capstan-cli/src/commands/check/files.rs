//! The files to check: which of them are skills, which are cards, and what is wrong with them.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use capstan_catalog::yaml::{self, Tree};
use capstan_catalog::{files, folder_of, load_text, read_document_of};
use capstan_core::card::Card;
use capstan_core::{Diagnostic, Source, Span};
use capstan_skill::{Read, Skill, read_path, read_text};

/// As the loader of folders has it: two cards of one path have the same id.
const DUPLICATE: &str = "E044";

/// A card that could be loaded, with the texts that it came from.
#[derive(Debug)]
pub(super) struct CardFile {
    pub(super) card: Card,
    pub(super) source: Arc<Source>,
    /// The GraphQL file of the card, if it has one.
    pub(super) document: Option<Arc<Source>>,
}

#[derive(Debug, Default)]
pub(super) struct Files {
    pub(super) skills: Vec<Skill>,
    pub(super) cards: Vec<CardFile>,
    pub(super) diagnostics: Vec<Diagnostic>,
    /// Each file once, however many paths lead to it.
    pub(super) names: HashSet<PathBuf>,
}

pub(super) fn gather(paths: &[PathBuf]) -> Files {
    let mut all = Files::default();
    for path in paths {
        if !path.is_dir() {
            let read = ReadFile::of(path, folder_of(path));
            all.add(read, 0);
            continue;
        }
        let before = all.cards.len();
        let found = files::find_yaml_files(path);
        for (folder, _) in &found.unreadable {
            all.diagnostics.extend(read_path(folder).diagnostics);
        }
        for read in files::map_in_parallel(&found.files, |file| ReadFile::of(file, path)) {
            all.add(read, before);
        }
    }
    all
}

/// A file, apart from all others.
struct ReadFile {
    name: PathBuf,
    held: Held,
}

enum Held {
    Skills(Read),
    Card(Box<ReadCard>),
}

struct ReadCard {
    source: Arc<Source>,
    /// Where its id stands.
    id: Option<Span>,
    document: Option<Arc<Source>>,
    card: Result<Card, Vec<Diagnostic>>,
}

impl ReadFile {
    /// `folder` is the folder of cards that the file was found in.
    fn of(file: &Path, folder: &Path) -> Self {
        let name = file.canonicalize().unwrap_or_else(|_| file.to_owned());
        let held = match files::read(file) {
            Ok(source) => match card_id(&source) {
                Some(id) => {
                    let mut document = None;
                    let card = load_text(&source, |name| {
                        let read = read_document_of(file, folder)(name)?;
                        document = Some(Arc::clone(&read));
                        Ok(read)
                    });
                    Held::Card(Box::new(ReadCard {
                        source,
                        id,
                        document,
                        card,
                    }))
                }
                None => Held::Skills(read_text(&source)),
            },
            // It says why not.
            Err(_) => Held::Skills(read_path(file)),
        };
        Self { name, held }
    }
}

impl Files {
    /// Cards before the `before`th came from other paths, and may be replaced.
    fn add(&mut self, file: ReadFile, before: usize) {
        if !self.names.insert(file.name) {
            return;
        }
        match file.held {
            Held::Skills(read) => {
                self.skills.extend(read.skills);
                self.diagnostics.extend(read.diagnostics);
            }
            Held::Card(read) => self.add_card(*read, before),
        }
    }

    fn add_card(&mut self, read: ReadCard, before: usize) {
        match read.card {
            Ok(card) => {
                let mut known = self.cards.iter().skip(before);
                if known.any(|other| other.card.id == card.id) {
                    let message = format!("there is another card `{}`", card.id);
                    let twice = Diagnostic::error(DUPLICATE, &read.source, message).at(read.id);
                    self.diagnostics.push(twice);
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
