//! Finds capabilities of every kind by what they do.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use serde_json::Value;

use capstan_catalog::{Candidate, Catalog, Query, Summary, search};
use capstan_core::card::{Card, Kind, Operation};
use capstan_core::code::Scope;
use capstan_core::port::{CodeSummary, Filter, Tool};

use crate::capability::tool_id;
use crate::skill::skill_card;
use crate::{Capstan, local};

/// What is looked for. Everything empty lists everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    pub intent: Option<String>,
    pub domain: Option<String>,
    pub kind: Option<Kind>,
}

/// Something that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    pub id: String,
    pub description: String,
    pub operation: Operation,
    pub kind: Kind,
    /// Higher is better; zero when nothing was looked for.
    pub score: f64,
    /// For code: which share of its uses went well.
    pub reliability: Option<f64>,
}

/// What is found, and what could not be searched.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Search {
    pub(crate) hits: Vec<Hit>,
    pub(crate) warnings: Vec<String>,
}

/// A server that does not say what it has in this time is left out of a search.
const PATIENCE: Duration = Duration::from_secs(5);

/// What is known of one candidate, owned.
struct Entry {
    id: String,
    description: String,
    operation: Operation,
    kind: Kind,
    names: Vec<String>,
    intents: Vec<String>,
    parameters: Vec<String>,
    reliability: Option<f64>,
}

/// The best matches among what needs no store and no server: cards, and what Capstan does itself.
pub fn search_built_in(catalog: &Catalog, wanted: &Wanted) -> Vec<Hit> {
    let entries: Vec<_> = local::cards().map(|card| Entry::of_own(card)).collect();
    matches(catalog, &entries, wanted)
}

fn matches(catalog: &Catalog, entries: &[Entry], wanted: &Wanted) -> Vec<Hit> {
    let query = Query {
        intent: wanted.intent.as_deref(),
        domain: wanted.domain.as_deref(),
        kind: wanted.kind,
        limit: None,
    };
    let candidates = catalog.candidates();
    let all = candidates.chain(entries.iter().map(Entry::candidate));
    let known = entries.iter().map(|it| (it.id.as_str(), it.reliability));
    let known: HashMap<&str, Option<f64>> = known.collect();
    let hits = search(all, &query).into_iter().map(|hit| {
        let Summary {
            id,
            description,
            operation,
            kind,
        } = hit.capability;
        Hit {
            id: id.to_owned(),
            description: description.to_owned(),
            operation,
            kind,
            score: hit.score,
            reliability: known.get(id).copied().flatten(),
        }
    });
    hits.collect()
}

impl Capstan {
    /// The best matches first. The texts tell what could not be searched, and why.
    pub async fn search(&self, wanted: &Wanted) -> (Vec<Hit>, Vec<String>) {
        let Search { hits, warnings } = self.search_all(wanted).await;
        (hits, warnings)
    }

    pub(crate) async fn search_all(&self, wanted: &Wanted) -> Search {
        let mut warnings = Vec::new();
        let of_kind = |kind: Kind| wanted.kind.is_none_or(|wanted| wanted == kind);
        let mut entries: Vec<Entry> = Vec::new();
        if of_kind(Kind::System) {
            entries.extend(local::cards().map(|card| Entry::of_own(card)));
        }
        if of_kind(Kind::Tool) {
            entries.extend(self.tool_entries(wanted, &mut warnings).await);
        }
        if of_kind(Kind::Skill) {
            entries.extend(self.skill_entries(&mut warnings).await);
        }
        if of_kind(Kind::Code) {
            entries.extend(self.code_entries(&mut warnings).await);
        }
        Search {
            hits: matches(self.catalog(), &entries, wanted),
            warnings,
        }
    }

    async fn tool_entries(&self, wanted: &Wanted, warnings: &mut Vec<String>) -> Vec<Entry> {
        let deadline: Instant = self.clock.now() + PATIENCE;
        let servers = self.servers().into_iter().filter(|server| {
            let domain = wanted.domain.as_ref();
            domain.is_none_or(|domain| domain == server)
        });
        let listed = servers.map(|server| async move {
            let tools = self.tools_of(&server, deadline).await;
            (server, tools)
        });
        let mut entries = Vec::new();
        for (server, tools) in join_all(listed).await {
            match tools {
                Ok(tools) => entries.extend(tools.iter().map(|tool| Entry::of_tool(&server, tool))),
                Err(error) => {
                    warnings.push(format!("`{server}` was not searched: {}", error.message));
                }
            }
        }
        entries
    }

    /// The newest of each name. One that is not sound cannot be run, so it is not offered.
    async fn skill_entries(&self, warnings: &mut Vec<String>) -> Vec<Entry> {
        let Some(shelf) = self.parts.skills.as_deref() else {
            return Vec::new();
        };
        let mut entries = Vec::new();
        for id in shelf.library().ids() {
            match self.plan(id).await {
                Some(Ok(plan)) => {
                    let intents = shelf.library().newest(id).map(|it| it.intents.clone());
                    let mut entry = Entry::of_own(&skill_card(&plan));
                    entry.intents = intents.unwrap_or_default();
                    entries.push(entry);
                }
                Some(Err(error)) => warnings.push(error.message),
                None => {}
            }
        }
        entries
    }

    async fn code_entries(&self, warnings: &mut Vec<String>) -> Vec<Entry> {
        let Some(store) = self.store() else {
            return Vec::new();
        };
        let viewer = self.viewer();
        match store.summaries(viewer, &Filter::default()).await {
            Ok(all) => {
                let all = all.into_iter();
                all.map(|it| Entry::of_code(&viewer.scope, it)).collect()
            }
            Err(error) => {
                warnings.push(format!("code was not searched: {error}"));
                Vec::new()
            }
        }
    }
}

impl Entry {
    fn of_own(card: &Card) -> Self {
        Self {
            id: card.id.to_string(),
            description: card.description.clone(),
            operation: card.operation,
            kind: card.kind(),
            names: Vec::new(),
            intents: card.intents.clone(),
            parameters: parameters(&card.input_schema),
            reliability: None,
        }
    }

    fn of_tool(server: &str, tool: &Tool) -> Self {
        Self {
            id: tool_id(server, tool),
            description: tool.description.clone(),
            operation: tool.operation,
            kind: Kind::Tool,
            names: Vec::new(),
            intents: Vec::new(),
            parameters: parameters(&tool.input_schema),
            reliability: None,
        }
    }

    /// Elsewhere the same name may mean something else, so what is not of the own scope has its full
    /// name.
    fn of_code(own: &Scope, code: CodeSummary) -> Self {
        let CodeSummary {
            record,
            intent,
            parameters,
            ..
        } = code;
        let used = record.statistics.usage_count.max(1) as f64;
        let (name, fqdn) = (record.name.to_string(), record.fqdn.to_string());
        let (id, other) = match record.scope == *own {
            true => (name, fqdn),
            false => (fqdn, name),
        };
        let aliases = record.aliases.iter().map(ToString::to_string);
        Self {
            id,
            description: intent,
            operation: Operation::Write,
            kind: Kind::Code,
            names: aliases.chain([other]).collect(),
            intents: Vec::new(),
            parameters,
            reliability: Some(record.statistics.success_count as f64 / used),
        }
    }

    fn candidate(&self) -> Candidate<'_> {
        Candidate {
            summary: Summary {
                id: &self.id,
                description: &self.description,
                operation: self.operation,
                kind: self.kind,
            },
            names: texts(&self.names),
            intents: texts(&self.intents),
            parameters: texts(&self.parameters),
        }
    }
}

fn texts(all: &[String]) -> Vec<&str> {
    all.iter().map(String::as_str).collect()
}

fn parameters(schema: &Value) -> Vec<String> {
    let properties = schema.get("properties").and_then(Value::as_object);
    let names = properties.into_iter().flat_map(|map| map.keys().cloned());
    names.collect()
}
