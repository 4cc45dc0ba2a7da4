//! The built-in cards: packed at build time, and unpacked one by one when they are used.

use std::fmt::Write as _;
use std::path::Path;

use serde::{Deserialize, Serialize};

use capstan_core::card::{Card, GraphqlDocument, Operation};

use crate::compile::compile;
use crate::document::Documents;
use crate::files::find_yaml_files;
use crate::load::{parse, read_card, read_document_of};
use crate::raw::RawCard;

/// A packed card. `list` and `search` can read its fields without unpacking it.
#[derive(Clone, Copy, Debug)]
pub struct BuiltinCard {
    pub id: &'static str,
    pub description: &'static str,
    pub operation: Operation,
    pub intents: &'static [&'static str],
    /// The names of the inputs.
    pub parameters: &'static [&'static str],
    /// Other names of the card. Some of them apply only to certain inputs.
    pub names: &'static [&'static str],
    /// The card and its documents as JSON, so that unpacking needs neither YAML nor a GraphQL
    /// parser.
    pub packed: &'static str,
}

impl BuiltinCard {
    /// Unpacks the card. Cards are checked before they are packed, so this fails only if the
    /// packing is broken.
    pub fn unpack(&self) -> Result<Card, String> {
        let packed: Packed = serde_json::from_str(self.packed)
            .map_err(|error| format!("the built-in card `{}` is damaged: {error}", self.id))?;
        let documents = packed
            .documents
            .into_iter()
            .map(PackedDocument::unpack)
            .collect();
        compile(packed.card, &documents).map_err(|problems| {
            let first = problems
                .first()
                .map(|problem| problem.message.as_str())
                .unwrap_or_default();
            format!("the built-in card `{}` is damaged: {first}", self.id)
        })
    }
}

/// Returns the Rust source of a slice of `BuiltinCard` with every card below `dir`. On failure it
/// returns all problems, one line each.
pub fn pack(dir: &Path) -> Result<String, Vec<String>> {
    let found = find_yaml_files(dir);
    let mut problems: Vec<_> = found
        .unreadable
        .iter()
        .map(|(folder, cause)| format!("{}: {cause}", folder.display()))
        .collect();
    let mut cards = Vec::new();
    for file in found.files {
        let packed = read_card(&file).and_then(|source| {
            // The loader comes first because its diagnostics have locations.
            crate::load_text(&source, read_document_of(&file, dir))?;
            parse(&source, read_document_of(&file, dir))
        });
        match packed {
            Ok(packed) => cards.push(packed),
            Err(diagnostics) => problems.extend(diagnostics.iter().map(ToString::to_string)),
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    cards.sort_by(|(left, _), (right, _)| left.capability_id.cmp(&right.capability_id));
    let mut source = String::from("&[\n");
    for (card, documents) in cards {
        source.push_str(&entry(card, documents).map_err(|error| vec![error])?);
    }
    source.push(']');
    Ok(source)
}

#[derive(Serialize, Deserialize)]
struct Packed {
    card: RawCard,
    documents: Vec<PackedDocument>,
}

#[derive(Serialize, Deserialize)]
struct PackedDocument {
    name: String,
    text: String,
    operation: Operation,
    variables: Vec<String>,
}

impl PackedDocument {
    fn unpack(self) -> (String, GraphqlDocument) {
        let document = GraphqlDocument {
            is_named: true,
            operation_name: self.name.clone(),
            text: self.text,
            operation: self.operation,
            variables: self.variables,
        };
        (self.name, document)
    }
}

fn entry(card: RawCard, documents: Documents) -> Result<String, String> {
    let mut text = String::new();
    let Some(operation) = card.operation else {
        return Err(format!(
            "{}: the operation is not known",
            card.capability_id
        ));
    };
    let (id, description, intents) = (
        card.capability_id.clone(),
        card.description.clone(),
        card.intents.clone(),
    );
    let parameters: Vec<String> = card
        .input_schema
        .get("properties")
        .and_then(serde_json::Value::as_object)
        .map(|properties| properties.keys().cloned().collect())
        .unwrap_or_default();
    let name_of = |raw: &serde_json::Value| {
        let name = raw.as_str().or_else(|| raw.get("name")?.as_str());
        name.map(str::to_owned)
    };
    let names: Vec<String> = card.names.iter().filter_map(name_of).collect();
    let packed = Packed {
        card,
        documents: documents
            .into_iter()
            .map(|(name, document)| PackedDocument {
                name,
                text: document.text,
                operation: document.operation,
                variables: document.variables,
            })
            .collect(),
    };
    let packed = serde_json::to_string(&packed).map_err(|error| format!("{id}: {error}"))?;
    // The debug format of a string is a valid Rust literal.
    writeln!(
        text,
        "BuiltinCard {{ id: {id:?}, description: {description:?}, operation: Operation::{operation:?}, \
         intents: &{intents:?}, parameters: &{parameters:?}, names: &{names:?}, packed: {packed:?} }},"
    )
    .map_err(|error| error.to_string())?;
    Ok(text)
}
