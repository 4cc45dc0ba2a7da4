//! `search`: finds capabilities by what they do, or lists them.

use rmcp::model::CallToolResult;
use serde_json::{Map, Value, json};

use capstan_core::ResultError;
use capstan_core::card::Kind;
use capstan_engine::{Capstan, HitWithDeps, MOST_FOUND, Wanted};

use crate::mcp::answer;
use crate::mcp::arguments::Arguments;

pub(in crate::mcp) const NAME: &str = "search";
/// What the tool was called before; still answered.
pub(in crate::mcp) const FORMER_NAME: &str = "list_capabilities";
pub(in crate::mcp) const DESCRIPTION: &str =
    "Find capabilities by what they do; without intent, list them.";

/// How many matches an intent gets when the caller does not say.
const FEW: usize = 8;

pub(in crate::mcp) fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "intent": {"type": "string", "description": "e.g. close an issue"},
            "domain": {"type": "string", "description": "e.g. pr"},
            "kind": {"enum": ["card", "tool", "code", "skill"]},
            "limit": {"type": "integer"}
        }
    })
}

pub(in crate::mcp) async fn call(capstan: &Capstan, given: Map<String, Value>) -> CallToolResult {
    match parse(given) {
        Ok(search) => answer(capstan, &search).await,
        Err(error) => answer::failure(capstan, "", error),
    }
}

/// What is looked for, and what is told of it.
struct Search {
    wanted: Wanted,
    limit: Option<usize>,
    with_deps: bool,
}

fn parse(given: Map<String, Value>) -> Result<Search, ResultError> {
    let mut arguments = Arguments::new(NAME, given);
    let filled = |text: Option<String>| text.filter(|text| !text.trim().is_empty());
    let limit = arguments.take_count("limit")?;
    let mut wanted = Wanted {
        intent: filled(arguments.take_intent()?),
        domain: filled(arguments.take_name(&["domain"])?),
        kind: None,
    };
    if let Some(kind) = filled(arguments.take_text(&["kind"])?) {
        wanted.kind = Kind::ALL.into_iter().find(|known| known.as_str() == kind);
        if wanted.kind.is_none() {
            let known = Kind::ALL.map(Kind::as_str).join(", ");
            let problem = format!("must be one of the kinds there are: {known}");
            return Err(arguments.refuse("kind", &problem));
        }
    }
    let with_deps = arguments.read(|fields| fields.take_as::<bool>("deps", "true or false"))?;
    arguments.finish(&["intent", "domain", "kind", "limit", "deps"], "")?;
    Ok(Search {
        wanted,
        limit,
        with_deps: with_deps.unwrap_or(false),
    })
}

async fn answer(capstan: &Capstan, search: &Search) -> CallToolResult {
    let Search {
        wanted,
        limit,
        with_deps,
    } = search;
    let few = if wanted.intent.is_some() {
        FEW
    } else {
        usize::MAX
    };
    let limit = limit.unwrap_or(few);
    let (shown, total, warnings) = if *with_deps {
        let found = capstan.search_by_intent_with_deps(wanted, limit).await;
        (found.hits, found.total, found.warnings)
    } else {
        let (hits, warnings) = capstan.search(wanted).await;
        let total = hits.len();
        let shown = hits.into_iter().take(limit);
        let shown = shown.map(|hit| HitWithDeps {
            hit,
            dependencies: Vec::new(),
        });
        (shown.collect(), total, warnings)
    };
    let note = match total {
        0 => Some(nothing(capstan, wanted).await),
        total => (shown.len() < total).then(|| {
            let is_cut = wanted.intent.is_some() && total == MOST_FOUND;
            let what = if is_cut { "more" } else { "all" };
            format!("{} of {total}; limit={total} shows {what}", shown.len())
        }),
    };
    let note = note
        .into_iter()
        .chain(warnings)
        .collect::<Vec<_>>()
        .join("; ");
    let note = capstan.redactor().text(&note).into_owned();
    let mut lines: Vec<_> = shown
        .iter()
        .map(|HitWithDeps { hit, dependencies }| {
            let uses = match dependencies.as_slice() {
                [] => String::new(),
                some => format!(" (uses {})", some.join(", ")),
            };
            format!("{}: {}{uses}", hit.id, hit.description)
        })
        .collect();
    let rows: Vec<_> = shown
        .iter()
        .map(|HitWithDeps { hit, dependencies }| {
            let mut row = json!({"id": hit.id, "description": hit.description});
            if let Some(why) = &hit.why {
                row["why"] = why.as_str().into();
            }
            if *with_deps {
                row["dependencies"] = dependencies.clone().into();
            }
            row
        })
        .collect();
    let mut json = json!({"capabilities": rows, "total": total});
    if !note.is_empty() {
        json["note"] = Value::String(note.clone());
        lines.push(note);
    }
    answer::success(lines.join("\n"), json)
}

/// What was searched in vain.
async fn nothing(capstan: &Capstan, wanted: &Wanted) -> String {
    let (all, _) = capstan.search(&Wanted::default()).await;
    let mut domains: Vec<_> = all
        .iter()
        .filter_map(|hit| Some(hit.id.split_once('.')?.0))
        .collect();
    domains.sort_unstable();
    domains.dedup();
    let known = wanted
        .domain
        .as_deref()
        .is_none_or(|domain| domains.contains(&domain));
    match (&wanted.intent, &wanted.domain) {
        (_, Some(domain)) if !known => format!(
            "no capability in domain `{domain}`: the domains are {}",
            domains.join(", ")
        ),
        (Some(intent), Some(domain)) => format!(
            "no capability matches `{intent}` in domain `{domain}`: use other words, or leave the domain out"
        ),
        (Some(intent), None) => format!(
            "no capability matches `{intent}` among all {}: use other words, in English, or leave intent out to list \
             them",
            all.len()
        ),
        (None, _) => "there are no capabilities of this kind".to_owned(),
    }
}
