//! Reads one file of a folder: a card, or outlines.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use capstan_core::{Diagnostic, Source};
use indexmap::IndexMap;

use super::FolderOwner;
use super::fingerprint::{TextDigest, digest_of};
use crate::load::{
    INCONSISTENT, MALFORMED, compile_parsed, describe_error, parse, parse_yaml, read_card,
    read_document_of,
};
use crate::locate::{locate, start_of};
use crate::outline::{Outline, unsupported};
use crate::pack::{CardJson, PackEntry, card_entry, outline_entry};

/// How many bad outlines of a file are reported.
const MAX_REPORTED: usize = 20;

/// What a file has.
#[derive(Default)]
pub(super) struct FileContents {
    pub(super) source: Option<Arc<Source>>,
    pub(super) entries: Entries,
    pub(super) diagnostics: Vec<Diagnostic>,
    /// The files that the document of the card may be in. Some of them may not exist.
    pub(super) documents: Vec<PathBuf>,
    /// The text of each file that was read.
    pub(super) read: Vec<(PathBuf, TextDigest)>,
}

pub(super) enum Entries {
    Card(Option<PackEntry>),
    Outlines(Vec<PackEntry>),
}

impl Default for Entries {
    fn default() -> Self {
        Self::Card(None)
    }
}

/// Reads a file of a folder.
pub(super) fn read_file(file: &Path, folder: &Path, owner: &FolderOwner) -> FileContents {
    let mut contents = FileContents::default();
    let source = match read_card(file) {
        Ok(source) => source,
        Err(diagnostics) => {
            contents.diagnostics = diagnostics;
            return contents;
        }
    };
    contents
        .read
        .push((file.to_owned(), digest_of(&source.text)));
    if has_outlines(&source.text) {
        let outlines = contents.outlines(&source, owner);
        contents.entries = Entries::Outlines(outlines);
    } else {
        let card = contents.card(&source, file, folder, owner);
        contents.entries = Entries::Card(card);
    }
    contents.source = Some(source);
    contents
}

/// Returns what is wrong with a file of outlines; `None` if it is another file.
pub fn outline_problems(source: &Arc<Source>) -> Option<Vec<Diagnostic>> {
    has_outlines(&source.text).then(|| {
        let mut contents = FileContents::default();
        contents.outlines(source, &FolderOwner::User);
        contents.diagnostics
    })
}

/// Returns whether a file has outlines: its first key is the id of an outline, and no key of a card has a dot.
fn has_outlines(text: &str) -> bool {
    let lines = text.lines();
    let mut keys = lines.filter(|line| {
        let is_blank = line.trim().is_empty() || line.starts_with(['#', '%']);
        !is_blank && !line.starts_with("---")
    });
    let first = keys.next().and_then(|line| line.split_once(':'));
    first.is_some_and(|(key, _)| {
        let key = key.trim_matches(['"', '\'']);
        key.contains('.') && !key.contains(' ')
    })
}

impl FileContents {
    fn card(
        &mut self,
        source: &Arc<Source>,
        file: &Path,
        folder: &Path,
        owner: &FolderOwner,
    ) -> Option<PackEntry> {
        let (documents, read) = (&mut self.documents, &mut self.read);
        let parsed = parse(source, |name| {
            *documents = candidates(file, folder, name);
            let document = read_document_of(file, folder)(name)?;
            let is_read = |path: &&PathBuf| path.display().to_string() == document.name;
            let path = documents.iter().find(is_read).cloned();
            read.extend(path.map(|path| (path, digest_of(&document.text))));
            Ok(document)
        });
        let (raw, parsed_documents) = match parsed {
            Ok(parsed) => parsed,
            Err(diagnostics) => {
                self.diagnostics.extend(diagnostics);
                return None;
            }
        };
        if let Err(diagnostics) = compile_parsed(source, raw.clone(), &parsed_documents) {
            self.diagnostics.extend(diagnostics);
            return None;
        }
        let id = raw.capability_id.clone();
        if let Some(refusal) = owner.refusal(&id, raw.service.as_deref()) {
            let place = locate(source, "/service", None);
            let error = Diagnostic::error(INCONSISTENT, source, refusal.message).at(place);
            self.diagnostics.push(error.with_help(refusal.help));
            return None;
        }
        match card_entry(&CardJson::new(raw, parsed_documents), |_| None) {
            Ok(entry) => Some(entry),
            Err(problem) => {
                let error = Diagnostic::error(INCONSISTENT, source, problem);
                self.diagnostics.push(error);
                None
            }
        }
    }

    fn outlines(&mut self, source: &Arc<Source>, owner: &FolderOwner) -> Vec<PackEntry> {
        let parsed: Result<IndexMap<String, Outline>, _> = parse_yaml(&source.text);
        let outlines = match parsed {
            Ok(outlines) => outlines,
            Err(error) => {
                let start = error
                    .location()
                    .and_then(|location| start_of(source, location));
                let span = start.map(|start| capstan_core::Span {
                    start,
                    end: start + 1,
                });
                let error = Diagnostic::error(MALFORMED, source, describe_error(&error)).at(span);
                self.diagnostics.push(error);
                return Vec::new();
            }
        };
        let mut entries = Vec::new();
        let mut bad = 0;
        for (id, outline) in outlines {
            match entry_of(&id, outline, owner) {
                Ok(entry) => entries.push(entry),
                Err((message, help)) => {
                    bad += 1;
                    if bad <= MAX_REPORTED {
                        let place = locate(source, &format!("/{id}"), None);
                        let mut error = Diagnostic::error(INCONSISTENT, source, message).at(place);
                        error.help = help;
                        self.diagnostics.push(error);
                    }
                }
            }
        }
        if let Some(others) = bad.checked_sub(MAX_REPORTED).filter(|others| *others > 0) {
            let message = format!("{others} further outlines of this file have problems");
            self.diagnostics
                .push(Diagnostic::error(INCONSISTENT, source, message));
        }
        entries
    }
}

fn entry_of(
    id: &str,
    outline: Outline,
    owner: &FolderOwner,
) -> Result<PackEntry, (String, Option<String>)> {
    if let Some(refusal) = owner.refusal(id, outline.service.as_deref()) {
        return Err((refusal.message, Some(refusal.help)));
    }
    if let Some(reason) = unsupported(&outline) {
        return Err((format!("`{id}` cannot be run: {reason}"), None));
    }
    outline_entry(id, outline, false).map_err(|problem| (format!("`{id}`: {problem}"), None))
}

/// Returns the files in which the document of a card is looked for.
fn candidates(card: &Path, folder: &Path, name: Option<&str>) -> Vec<PathBuf> {
    match name {
        Some(name) => vec![card.with_file_name(name), folder.join(name)],
        None => vec![card.with_extension("graphql")],
    }
}

#[cfg(test)]
mod tests {
    use super::has_outlines;

    #[test]
    fn the_first_key_tells_what_a_file_has() {
        for text in [
            "# generated\n\ngist.comments.list:\n  description: x\n",
            "---\n\"a.b\":\n  call: GET /x\n",
            "a.b: {}",
        ] {
            assert!(has_outlines(text), "{text}");
        }
        for text in [
            "",
            "capability_id: a.b\n",
            "description: see a.b: it\n",
            "# a.b:\ncapability_id: x.y\n",
            "- a.b: c\n",
            "just a sentence. and: more",
        ] {
            assert!(!has_outlines(text), "{text}");
        }
    }
}
