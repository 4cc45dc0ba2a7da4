//! `search`: finds capabilities by what they do, or lists them.

use rmcp::model::CallToolResult;
use serde_json::{Map, Value, json};

use capstan_catalog::{Catalog, Query};
use capstan_core::ResultError;
use capstan_engine::Capstan;

use crate::mcp::answer;
use crate::mcp::arguments::Arguments;

pub(in crate::mcp) const NAME: &str = "search";
/// What the tool was called before; still answered.
pub(in crate::mcp) const FORMER_NAME: &str = "list_capabilities";
pub(in crate::mcp) const DESCRIPTION: &str =
    "Find capabilities by what they do; without intent, list them.";

/// How many matches an intent gets when the caller does not say.
const FEW: usize = 8;

/// The kinds of capability that exist.
const KINDS: [&str; 1] = ["card"];

pub(in crate::mcp) fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "intent": {"type": "string", "description": "e.g. close an issue"},
            "domain": {"type": "string", "description": "e.g. pr"},
            "kind": {"enum": KINDS},
            "limit": {"type": "integer"}
        }
    })
}

pub(in crate::mcp) fn call(capstan: &Capstan, given: Map<String, Value>) -> CallToolResult {
    match parse(given) {
        Ok(wanted) => answer(capstan, &wanted),
        Err(error) => answer::failure(capstan, "", error),
    }
}

#[derive(Debug, Default)]
struct Wanted {
    intent: Option<String>,
    domain: Option<String>,
    limit: Option<usize>,
}

fn parse(given: Map<String, Value>) -> Result<Wanted, ResultError> {
    let mut arguments = Arguments::new(NAME, given);
    let filled = |text: Option<String>| text.filter(|text| !text.trim().is_empty());
    let wanted = Wanted {
        intent: filled(arguments.take_text(&["intent"])?),
        domain: filled(arguments.take_text(&["domain"])?),
        limit: arguments.take_count("limit")?,
    };
    if let Some(kind) = filled(arguments.take_text(&["kind"])?)
        && !KINDS.contains(&kind.as_str())
    {
        let problem = format!("must be one of the kinds there are: {}", KINDS.join(", "));
        return Err(arguments.refuse("kind", &problem));
    }
    arguments.finish(&["intent", "domain", "kind", "limit"], "")?;
    Ok(wanted)
}

fn answer(capstan: &Capstan, wanted: &Wanted) -> CallToolResult {
    let catalog = capstan.catalog();
    let hits = catalog.search(&Query {
        intent: wanted.intent.as_deref(),
        domain: wanted.domain.as_deref(),
        limit: None,
    });
    let total = hits.len();
    let few = wanted.intent.as_ref().map_or(total, |_| FEW);
    let shown: Vec<_> = hits
        .iter()
        .take(wanted.limit.unwrap_or(few))
        .map(|hit| (hit.capability.id, hit.capability.description))
        .collect();
    let note = note(catalog, wanted, shown.len(), total)
        .map(|note| capstan.redactor().text(&note).into_owned());
    let mut lines: Vec<_> = shown
        .iter()
        .map(|(id, description)| format!("{id}: {description}"))
        .collect();
    let rows: Vec<_> = shown
        .iter()
        .map(|(id, description)| json!({"id": id, "description": description}))
        .collect();
    let mut json = json!({"capabilities": rows, "total": total});
    if let Some(note) = note {
        json["note"] = Value::String(note.clone());
        lines.push(note);
    }
    answer::success(lines.join("\n"), json)
}

/// What there is to say beside the rows: that some are left out, or what was searched in vain.
fn note(catalog: &Catalog, wanted: &Wanted, shown: usize, total: usize) -> Option<String> {
    if total > 0 {
        return (shown < total).then(|| format!("{shown} of {total}; limit={total} shows all"));
    }
    let domains = domains(catalog);
    let known = wanted
        .domain
        .as_deref()
        .is_none_or(|domain| domains.contains(&domain));
    Some(match (&wanted.intent, &wanted.domain) {
        (_, Some(domain)) if !known => format!(
            "no capability in domain `{domain}`: the domains are {}",
            domains.join(", ")
        ),
        (Some(intent), Some(domain)) => format!(
            "no capability matches `{intent}` in domain `{domain}`: use other words, or leave the domain out"
        ),
        (Some(intent), None) => format!(
            "no capability matches `{intent}` among all {}: use other words, or leave intent out to list them",
            catalog.iter().count()
        ),
        (None, _) => "there are no capabilities".to_owned(),
    })
}

fn domains(catalog: &Catalog) -> Vec<&str> {
    let mut domains: Vec<_> = catalog
        .iter()
        .filter_map(|capability| capability.id.split('.').next())
        .collect();
    // Sorted by id, hence by domain.
    domains.dedup();
    domains
}
