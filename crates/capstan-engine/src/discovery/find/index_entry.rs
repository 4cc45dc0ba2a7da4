//! An entry of the search index: what a search returns, and the texts by which it is found.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use capstan_catalog::{Candidate, Standing};
use capstan_core::card::{Card, Kind, Operation};
use capstan_core::code::{DisplayName, Scope, Statistics};
use capstan_core::port::{CodeSummary, Tool};
use capstan_search::Document;

use crate::capability::tool_id;

pub(super) struct IndexEntry {
    pub(super) capability: IndexedCapability,
    pub(super) document: Document,
}

/// What a search returns about a capability.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct IndexedCapability {
    pub(super) id: String,
    pub(super) description: String,
    pub(super) operation: Operation,
    pub(super) kind: Kind,
    #[serde(default)]
    pub(super) standing: Standing,
    /// For code: its FQDN, which never changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) fqdn: Option<String>,
    /// For code: (successful uses + 1) / (uses + 1).
    pub(super) reliability: Option<f64>,
}

impl IndexEntry {
    /// Returns its key in the index.
    pub(super) fn key(&self) -> &str {
        &self.document.id
    }

    /// Returns the texts to embed. A generated name says nothing and is left out.
    pub(super) fn texts(&self) -> Vec<String> {
        let is_named = |name: DisplayName| !name.is_unnamed();
        let says_something = self.capability.kind != Kind::Code
            || DisplayName::parse(&self.document.id).is_ok_and(is_named);
        if says_something {
            return self.document.texts();
        }
        let unnamed = Document {
            id: String::new(),
            ..self.document.clone()
        };
        unnamed.texts()
    }

    /// Uses the FQDN as its id, because the short name means something else here.
    pub(super) fn with_full_name(mut self) -> Self {
        if let Some(fqdn) = &self.capability.fqdn {
            self.capability.id.clone_from(fqdn);
            self.document.id.clone_from(fqdn);
        }
        self
    }

    pub(super) fn from_candidate(candidate: &Candidate<'_>) -> Self {
        let owned = |all: &[&str]| all.iter().map(|&it| it.to_owned()).collect();
        let summary = candidate.summary;
        Self::new(
            IndexedCapability {
                id: summary.id.to_owned(),
                description: summary.description.to_owned(),
                operation: summary.operation,
                kind: summary.kind,
                standing: summary.standing,
                fqdn: None,
                reliability: None,
            },
            owned(&candidate.intents),
            owned(&candidate.parameters),
        )
    }

    pub(super) fn from_card(card: &Card) -> Self {
        Self::new(
            IndexedCapability {
                id: card.id.to_string(),
                description: card.description.clone(),
                operation: card.operation,
                kind: card.kind(),
                standing: Standing::default(),
                fqdn: None,
                reliability: None,
            },
            card.intents.clone(),
            parameters(&card.input_schema),
        )
    }

    pub(super) fn from_tool(server: &str, tool: &Tool) -> Self {
        Self::new(
            IndexedCapability {
                id: tool_id(server, tool),
                description: tool.description.clone(),
                operation: tool.operation,
                kind: Kind::Tool,
                standing: Standing::default(),
                fqdn: None,
                reliability: None,
            },
            Vec::new(),
            parameters(&tool.input_schema),
        )
    }

    /// Makes an entry for code. Code of other scopes is listed under its FQDN, because its short name may
    /// mean something else here.
    pub(super) fn from_code(own: &Scope, code: CodeSummary) -> Self {
        let CodeSummary {
            record,
            intent,
            parameters,
            ..
        } = code;
        let (name, fqdn) = (record.name.to_string(), record.fqdn.to_string());
        let aliases = record.aliases.iter().map(ToString::to_string);
        let names = aliases.chain([name.clone(), fqdn.clone()]).collect();
        let entry = Self {
            document: Document {
                id: name.clone(),
                names,
                description: intent.clone(),
                intents: Vec::new(),
                parameters,
            },
            capability: IndexedCapability {
                id: name,
                description: intent,
                operation: Operation::Write,
                kind: Kind::Code,
                standing: Standing::default(),
                reliability: Some(reliability(record.statistics)),
                fqdn: Some(fqdn),
            },
        };
        if record.scope == *own {
            entry
        } else {
            entry.with_full_name()
        }
    }

    fn new(capability: IndexedCapability, intents: Vec<String>, parameters: Vec<String>) -> Self {
        Self {
            document: Document {
                id: capability.id.clone(),
                names: Vec::new(),
                description: capability.description.clone(),
                intents,
                parameters,
            },
            capability,
        }
    }
}

/// Returns the share of successful uses, with one extra success, so that a single failure does not decide.
fn reliability(statistics: Statistics) -> f64 {
    let (ok, all) = (statistics.success_count, statistics.usage_count);
    (ok as f64 + 1.0) / (all as f64 + 1.0)
}

/// Returns each parameter's name, with its description if the schema has one.
fn parameters(schema: &Value) -> Vec<String> {
    let properties = schema.get("properties").and_then(Value::as_object);
    let properties = properties.into_iter().flatten();
    let described = properties.map(|(name, schema)| match schema["description"].as_str() {
        Some(description) => format!("{name}: {description}"),
        None => name.clone(),
    });
    described.collect()
}
