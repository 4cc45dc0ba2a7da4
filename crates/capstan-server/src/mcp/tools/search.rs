//! `search`: finds capabilities by what they do, or lists them.

use std::collections::BTreeMap;

use rmcp::model::CallToolResult;
use serde_json::{Map, Value, json};

use capstan_core::ResultError;
use capstan_core::card::Kind;
use capstan_engine::{Capstan, HitWithDeps, MAX_HITS, SearchRequest};

use crate::mcp::answer::{self, Style};
use crate::mcp::arguments::Arguments;

pub(in crate::mcp) const NAME: &str = "search";
/// What the tool was called before; still answered.
pub(in crate::mcp) const FORMER_NAME: &str = "list_capabilities";
pub(in crate::mcp) const DESCRIPTION: &str = "Find capabilities: their forms.";

/// How many matches an intent gets when the caller does not say.
const FEW: usize = 5;

pub(in crate::mcp) fn schema() -> Value {
    json!({"type": "object", "properties": {"intent": {"type": "string"}}})
}

pub(in crate::mcp) async fn call(
    capstan: &Capstan,
    given: Map<String, Value>,
    style: Style,
) -> CallToolResult {
    match parse(given) {
        Ok(search) if search.lists_domains() => domains(capstan, style).await,
        Ok(search) => answer(capstan, &search, style).await,
        Err(error) => answer::failure(capstan, "", error, style),
    }
}

/// What is looked for, and what is told of it.
struct Search {
    wanted: SearchRequest,
    limit: Option<usize>,
    with_deps: bool,
}

impl Search {
    /// Whether nothing is looked for: then it is told what there is.
    fn lists_domains(&self) -> bool {
        self.wanted == SearchRequest::default() && self.limit.is_none()
    }
}

fn parse(given: Map<String, Value>) -> Result<Search, ResultError> {
    let mut arguments = Arguments::new(NAME, given);
    let filled = |text: Option<String>| text.filter(|text| !text.trim().is_empty());
    let limit = arguments.take_count("limit")?;
    let mut wanted = SearchRequest {
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

async fn answer(capstan: &Capstan, search: &Search, style: Style) -> CallToolResult {
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
    let asked_for = *limit;
    let limit = limit.unwrap_or(few);
    let (mut shown, mut total, warnings) = if *with_deps {
        let found = capstan
            .discovery()
            .search_by_intent_with_deps(wanted, limit)
            .await;
        (found.hits, found.total, found.warnings)
    } else {
        let (hits, warnings) = capstan.discovery().search(wanted).await;
        let total = hits.len();
        let plain = hits.into_iter().map(|hit| HitWithDeps {
            hit,
            dependencies: Vec::new(),
        });
        (plain.collect(), total, warnings)
    };
    if wanted.intent.is_some() && wanted.kind.is_none() && wanted.domain.is_none() {
        let before = shown.len();
        shown.retain(|it| capstan_presenter::is_worth_showing(&it.hit));
        total -= before - shown.len();
    }
    // Who says how many wants to see those that hardly fit, too.
    let misfit = match &wanted.intent {
        Some(intent) if asked_for.is_none() => {
            capstan_presenter::keep_fitting(&mut shown, intent, |it| &it.hit)
        }
        _ => None,
    };
    shown.truncate(limit);
    let note = match total {
        0 => Some(nothing(capstan, wanted).await),
        _ if misfit.is_some() => misfit,
        total => (shown.len() < total).then(|| {
            let is_cut = wanted.intent.is_some() && total == MAX_HITS;
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
            let form = capstan
                .words()
                .form(&hit.id)
                .unwrap_or_else(|| hit.id.clone());
            format!(
                "{}{uses}",
                capstan_presenter::match_line(&form, &hit.description)
            )
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
    answer::success(lines.join("\n"), &json, style)
}

/// What there is: the domains, and how many capabilities each has.
async fn domains(capstan: &Capstan, style: Style) -> CallToolResult {
    let (all, _) = capstan.discovery().search(&SearchRequest::default()).await;
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for hit in all.iter().filter(|hit| hit.kind != Kind::System) {
        let domain = hit
            .id
            .split_once('.')
            .map_or(hit.id.as_str(), |(domain, _)| domain);
        *counts.entry(domain).or_default() += 1;
    }
    let listed: Vec<_> = counts
        .iter()
        .map(|(name, count)| format!("{name} {count}"))
        .collect();
    let text = format!("{}; search by intent gives forms", listed.join(", "));
    answer::success(text, &json!({"domains": counts, "total": all.len()}), style)
}

/// What was searched in vain.
async fn nothing(capstan: &Capstan, wanted: &SearchRequest) -> String {
    let (all, _) = capstan.discovery().search(&SearchRequest::default()).await;
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
