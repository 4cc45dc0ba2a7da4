//! Something that can be found: what is shown of it, and the texts by which it is found.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use capstan_catalog::Candidate;
use capstan_core::card::{Card, Kind, Operation};
use capstan_core::code::{DisplayName, Scope, Statistics};
use capstan_core::port::{CodeSummary, Tool};
use capstan_search::Document;

use crate::capability::tool_id;

pub(super) struct IndexEntry {
    pub(super) shown: Shown,
    pub(super) document: Document,
}

/// What is known of a capability when it was found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Shown {
    pub(super) id: String,
    pub(super) description: String,
    pub(super) operation: Operation,
    pub(super) kind: Kind,
    /// For code: its full name, which never changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) fqdn: Option<String>,
    /// For code: which share of its uses went well.
    pub(super) reliability: Option<f64>,
}

impl IndexEntry {
    /// Its place in the index.
    pub(super) fn key(&self) -> &str {
        &self.document.id
    }

    /// What an embedder is given for it. A name that nobody gave says nothing.
    pub(super) fn texts(&self) -> Vec<String> {
        let is_named = |name: DisplayName| !name.is_unnamed();
        let says_something = self.shown.kind != Kind::Code
            || DisplayName::parse(&self.document.id).is_ok_and(is_named);
        match says_something {
            true => self.document.texts(),
            false => Document {
                id: String::new(),
                ..self.document.clone()
            }
            .texts(),
        }
    }

    /// Under its full name: the short one means something else here.
    pub(super) fn by_full_name(mut self) -> Self {
        if let Some(fqdn) = &self.shown.fqdn {
            self.shown.id.clone_from(fqdn);
            self.document.id.clone_from(fqdn);
        }
        self
    }

    pub(super) fn of_candidate(candidate: &Candidate<'_>) -> Self {
        let owned = |all: &[&str]| all.iter().map(|&it| it.to_owned()).collect();
        let summary = candidate.summary;
        Self::new(
            Shown {
                id: summary.id.to_owned(),
                description: summary.description.to_owned(),
                operation: summary.operation,
                kind: summary.kind,
                fqdn: None,
                reliability: None,
            },
            owned(&candidate.intents),
            owned(&candidate.parameters),
        )
    }

    pub(super) fn of_card(card: &Card) -> Self {
        Self::new(
            Shown {
                id: card.id.to_string(),
                description: card.description.clone(),
                operation: card.operation,
                kind: card.kind(),
                fqdn: None,
                reliability: None,
            },
            card.intents.clone(),
            parameters(&card.input_schema),
        )
    }

    pub(super) fn of_tool(server: &str, tool: &Tool) -> Self {
        Self::new(
            Shown {
                id: tool_id(server, tool),
                description: tool.description.clone(),
                operation: tool.operation,
                kind: Kind::Tool,
                fqdn: None,
                reliability: None,
            },
            Vec::new(),
            parameters(&tool.input_schema),
        )
    }

    /// Elsewhere the same name may mean something else, so what is not of the own scope has its full
    /// name.
    pub(super) fn of_code(own: &Scope, code: CodeSummary) -> Self {
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
            shown: Shown {
                id: name,
                description: intent,
                operation: Operation::Write,
                kind: Kind::Code,
                reliability: Some(reliability(record.statistics)),
                fqdn: Some(fqdn),
            },
        };
        match record.scope == *own {
            true => entry,
            false => entry.by_full_name(),
        }
    }

    fn new(shown: Shown, intents: Vec<String>, parameters: Vec<String>) -> Self {
        Self {
            document: Document {
                id: shown.id.clone(),
                names: Vec::new(),
                description: shown.description.clone(),
                intents,
                parameters,
            },
            shown,
        }
    }
}

/// The share of uses that went well, with one good one on credit: a single failure is no verdict.
fn reliability(statistics: Statistics) -> f64 {
    let (ok, all) = (statistics.success_count, statistics.usage_count);
    (ok as f64 + 1.0) / (all as f64 + 1.0)
}

/// A name each, with what it is for where the schema says so.
fn parameters(schema: &Value) -> Vec<String> {
    let properties = schema.get("properties").and_then(Value::as_object);
    let properties = properties.into_iter().flatten();
    let told = properties.map(|(name, schema)| match schema["description"].as_str() {
        Some(what) => format!("{name}: {what}"),
        None => name.clone(),
    });
    told.collect()
}
