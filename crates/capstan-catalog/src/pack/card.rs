//! A card as it is packed: JSON, so that unpacking needs neither YAML nor a GraphQL parser.

use serde::{Deserialize, Serialize};

use capstan_core::card::{Card, GraphqlDocument, Operation};
use capstan_graphql::root_fields_of;

use crate::compile::compile;
use crate::document::Documents;
use crate::raw::RawCard;

/// A card with its defaults filled in, and its documents.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct CardJson {
    pub(crate) card: RawCard,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    documents: Vec<DocumentJson>,
}

#[derive(Clone, Serialize, Deserialize)]
struct DocumentJson {
    name: String,
    /// Whether the author named the operation.
    #[serde(default = "is_named", skip_serializing_if = "Clone::clone")]
    is_named: bool,
    text: String,
    operation: Operation,
    variables: Vec<String>,
}

impl CardJson {
    pub(crate) fn new(card: RawCard, documents: Documents) -> Self {
        let documents = documents
            .into_iter()
            .map(|(name, document)| DocumentJson {
                name,
                is_named: document.is_named,
                text: document.text,
                operation: document.operation,
                variables: document.variables,
            })
            .collect();
        Self { card, documents }
    }

    /// Returns the mutations that the card sends.
    pub(crate) fn mutations(&self) -> Vec<String> {
        let documents = self.documents.iter();
        let writing = documents.filter(|document| document.operation == Operation::Write);
        writing
            .flat_map(|document| root_fields_of(&document.text))
            .collect()
    }

    /// Builds the card. Cards are checked before they are packed, so this fails only if the pack is damaged.
    pub(crate) fn compile(self) -> Result<Card, String> {
        let documents = self.documents.into_iter().map(DocumentJson::unpack);
        compile(self.card, &documents.collect()).map_err(|problems| {
            let first = problems.into_iter().next();
            first.map(|problem| problem.message).unwrap_or_default()
        })
    }
}

impl DocumentJson {
    fn unpack(self) -> (String, GraphqlDocument) {
        let document = GraphqlDocument {
            is_named: self.is_named,
            operation_name: self.name.clone(),
            text: self.text,
            operation: self.operation,
            variables: self.variables,
        };
        (self.name, document)
    }
}

/// Most operations are named.
fn is_named() -> bool {
    true
}
