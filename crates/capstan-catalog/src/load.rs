//! Reads cards from YAML: one file, or every file in a folder. A bad card is a diagnostic; the
//! other cards still load.

use std::path::{Component, Path};
use std::sync::Arc;

use serde::de::DeserializeOwned;

use capstan_core::card::Card;
use capstan_core::{Diagnostic, Source, Span};

use crate::compile::compile;
use crate::defaults::fill_in_defaults;
use crate::document::{self, Documents};
use crate::files::{find_yaml_files, read};
use crate::locate::{locate, start_of};
use crate::raw::RawCard;
use crate::yaml::MAX_DEPTH;

/// The contents of a folder: every card that could be built, and all diagnostics.
#[derive(Debug, Default)]
pub struct Loaded {
    pub cards: Vec<Card>,
    pub diagnostics: Vec<Diagnostic>,
}

/// The file cannot be read.
pub(crate) const UNREADABLE: &str = "E040";
/// The YAML is malformed, or has a key or a value that a card does not allow.
pub(crate) const MALFORMED: &str = "E041";
/// An expression, a name or a reference in the card is wrong.
pub(crate) const INCONSISTENT: &str = "E042";
/// The card's GraphQL document is wrong.
pub(crate) const DOCUMENT: &str = "E043";
/// Two cards of one folder have the same id.
pub(crate) const DUPLICATE: &str = "E044";
/// The name of a card or a skill belongs to something else, which keeps it.
pub const TAKEN: &str = "E045";

/// Every diagnostic code of the catalogue with its meaning.
pub const CODES: [(&str, &str); 6] = [
    (
        UNREADABLE,
        "a file or a folder of cards or skills cannot be read",
    ),
    (
        MALFORMED,
        "the YAML is malformed, or has a key or a value that a card or a skill does not have",
    ),
    (
        INCONSISTENT,
        "a name or a reference is wrong, or two parts of a file contradict each other",
    ),
    (DOCUMENT, "the card's GraphQL document is missing or wrong"),
    (
        DUPLICATE,
        "two cards of one folder, two skills or two steps have the same name",
    ),
    (
        TAKEN,
        "a card or a skill has a name that something else already has",
    ),
];

/// Loads every `*.yaml` and `*.yml` below `dir`, in the order of their paths.
pub fn load_dir(dir: &Path) -> Loaded {
    let mut loaded = Loaded::default();
    let found = find_yaml_files(dir);
    for (folder, cause) in &found.unreadable {
        let source = Source::new(folder.display().to_string(), "");
        loaded.diagnostics.push(
            Diagnostic::error(
                UNREADABLE,
                &source,
                format!("cannot read the folder: {cause}"),
            )
            .with_help("give a folder that holds card files"),
        );
    }
    for file in found.files {
        match load_file(&file, dir) {
            Ok((card, source)) => {
                if loaded.cards.iter().any(|other| other.id == card.id) {
                    loaded
                        .diagnostics
                        .push(duplicate(&source, card.id.as_str()));
                } else {
                    loaded.cards.push(card);
                }
            }
            Err(diagnostics) => loaded.diagnostics.extend(diagnostics),
        }
    }
    loaded
}

/// Returns the diagnostic for a card whose id another card of the folder has.
pub(crate) fn duplicate(source: &Arc<Source>, id: &str) -> Diagnostic {
    let message = format!("there is another card `{id}`");
    Diagnostic::error(DUPLICATE, source, message).at(locate(source, "/capability_id", None))
}

/// Loads one card. `read_document` takes the name of the document file (`None` for the default) and
/// returns the file.
pub fn load_text(
    source: &Arc<Source>,
    read_document: impl FnOnce(Option<&str>) -> Result<Arc<Source>, String>,
) -> Result<Card, Vec<Diagnostic>> {
    let (raw, documents) = parse(source, read_document)?;
    compile_parsed(source, raw, &documents)
}

/// Builds a card that was parsed. Problems become diagnostics with their places.
pub(crate) fn compile_parsed(
    source: &Arc<Source>,
    raw: RawCard,
    documents: &Documents,
) -> Result<Card, Vec<Diagnostic>> {
    compile(raw, documents).map_err(|problems| {
        problems
            .into_iter()
            .map(|problem| {
                let mut diagnostic = Diagnostic::error(INCONSISTENT, source, problem.message)
                    .at(locate(source, &problem.pointer, problem.offset));
                diagnostic.help = problem.help;
                diagnostic
            })
            .collect()
    })
}

/// Parses a card and its documents, and fills in the defaults.
pub(crate) fn parse(
    source: &Arc<Source>,
    read_document: impl FnOnce(Option<&str>) -> Result<Arc<Source>, String>,
) -> Result<(RawCard, Documents), Vec<Diagnostic>> {
    let mut raw: RawCard = parse_yaml(&source.text).map_err(|error| {
        let start = error
            .location()
            .and_then(|location| start_of(source, location));
        let span = start.map(|start| Span {
            start,
            end: start + 1,
        });
        vec![Diagnostic::error(MALFORMED, source, describe_error(&error)).at(span)]
    })?;
    let Some(graphql) = &raw.graphql else {
        fill_in_defaults(&mut raw, &Documents::new());
        return Ok((raw, Documents::new()));
    };
    let document = read_document(graphql.document.as_deref()).map_err(|message| {
        vec![Diagnostic::error(DOCUMENT, source, message).at(locate(source, "/graphql", None))]
    })?;
    let name = document::name_of_nameless(graphql.operation.as_deref(), &raw.capability_id);
    let documents = document::split(&document.text, &name).map_err(|error| {
        let span = error.offset.map(|start| Span {
            start,
            end: start + 1,
        });
        vec![Diagnostic::error(DOCUMENT, &document, error.message).at(span)]
    })?;
    fill_in_defaults(&mut raw, &documents);
    Ok((raw, documents))
}

/// Parses YAML without its surprises: `no` and `on` are texts, and aliases cannot expand without
/// limit.
pub(crate) fn parse_yaml<T: DeserializeOwned>(text: &str) -> Result<T, serde_saphyr::Error> {
    let options = serde_saphyr::options! {
        strict_booleans: true,
        with_snippet: false,
        budget: serde_saphyr::budget! { max_depth: MAX_DEPTH },
    };
    serde_saphyr::from_str_with_options(text, options)
}

pub(crate) fn read_card(file: &Path) -> Result<Arc<Source>, Vec<Diagnostic>> {
    read(file).map_err(|message| {
        let source = Source::new(file.display().to_string(), "");
        vec![Diagnostic::error(UNREADABLE, &source, message)]
    })
}

/// Returns a function that reads a document of a card: a file beside the card or below the folder
/// of cards.
pub fn read_document_of<'a>(
    card: &'a Path,
    folder: &'a Path,
) -> impl FnOnce(Option<&str>) -> Result<Arc<Source>, String> + 'a {
    move |name| match name {
        Some(name) => read_document_named(card, folder, name),
        None => read(&card.with_extension("graphql")),
    }
}

/// Reads a document by name. A card cannot reach outside its folder, neither by a path nor through
/// links.
fn read_document_named(card: &Path, folder: &Path, name: &str) -> Result<Arc<Source>, String> {
    let path = Path::new(name);
    let plain = path
        .components()
        .all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    if !plain || name.contains('\\') || path.file_name().is_none() {
        return Err(format!(
            "`{name}` is not a path inside the folder of cards; expected the name of a file \
             beside the card, or a path that starts at the folder of cards"
        ));
    }
    let beside = card.with_file_name(name);
    if path.components().count() == 1 {
        return read(&beside);
    }
    let below = folder.join(name);
    let Some(found) = [&beside, &below].into_iter().find(|file| file.exists()) else {
        return Err(format!(
            "there is no document `{name}`: neither `{}` nor `{}` exists",
            beside.display(),
            below.display()
        ));
    };
    let inside = match (found.canonicalize(), folder.canonicalize()) {
        (Ok(found), Ok(folder)) => found.starts_with(folder),
        _ => false,
    };
    if !inside {
        return Err(format!(
            "`{}` is outside the folder of cards `{}`",
            found.display(),
            folder.display()
        ));
    }
    read(found)
}

/// Returns the folder of a card that was given as a single file.
pub fn folder_of(card: &Path) -> &Path {
    match card.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

fn load_file(file: &Path, folder: &Path) -> Result<(Card, Arc<Source>), Vec<Diagnostic>> {
    let source = read_card(file)?;
    let card = load_text(&source, read_document_of(file, folder))?;
    Ok((card, source))
}

/// Describes an error to the author of a file, not of a program. The span gives the location, so
/// the text leaves it out.
pub(crate) fn describe_error(error: &serde_saphyr::Error) -> String {
    let plain = error.without_snippet();
    let message = plain.render_with_formatter(&serde_saphyr::UserMessageFormatter);
    let words = message.split(" at line ").next().unwrap_or_default();
    if let Some(key) = words.strip_prefix("duplicate mapping key: ") {
        let key = key.trim_end_matches(" not allowed here");
        return format!("`{key}` appears twice");
    }
    // Also if one of the two is a synonym.
    if let Some(field) = words.strip_prefix("duplicate field ") {
        return format!("{field} appears twice, or in both of its spellings");
    }
    let known = PARSER_MESSAGES
        .iter()
        .find(|(parser, _)| words.contains(parser));
    known.map_or(words, |(_, plain)| plain).to_owned()
}

/// Messages of the parser, and what they mean to authors.
const PARSER_MESSAGES: [(&str, &str); 11] = [
    (
        "did not find expected '-' indicator",
        "this line is not indented like the entries of the list before it",
    ),
    (
        "did not find expected key",
        "this line is not indented like the ones before it",
    ),
    (
        "mapping values are not allowed in this context",
        "a `:` is not allowed here: put a text that contains one in quotes, or fix the indentation",
    ),
    (
        "tabs disallowed within this context",
        "YAML cannot be indented with tabs: use spaces",
    ),
    (
        "invalid indentation in multiline quoted scalar",
        "a quoted text that starts before this line is not closed",
    ),
    ("unclosed bracket '['", "this `[` is never closed"),
    ("unclosed bracket '{'", "this `{` is never closed"),
    (
        "reference to unknown value",
        "this document has no anchor of this name",
    ),
    ("limits breached: Depth", "this is nested too deeply"),
    ("recursion limit exceeded", "this is nested too deeply"),
    (
        "found unexpected end of stream",
        "the file ends before this is closed",
    ),
];
