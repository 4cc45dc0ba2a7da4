//! `search`: finds capabilities by what they do, or lists them.

use std::collections::{BTreeMap, HashSet};

use rmcp::model::CallToolResult;
use serde_json::{Map, Value, json};

use capstan_core::ResultError;
use capstan_core::card::Kind;
use capstan_engine::{Capstan, Hit, HitWithDeps, MAX_HITS, SearchRequest};

use crate::mcp::arguments::ToolArguments;
use crate::mcp::tool_result::{self, ResultStyle};

pub(in crate::mcp) const NAME: &str = "search";
/// The former name of the tool, which is still accepted.
pub(in crate::mcp) const FORMER_NAME: &str = "list_capabilities";
pub(in crate::mcp) const DESCRIPTION: &str = "Find capabilities: their forms.";

/// How many matches of an intent are shown unless `limit` says otherwise.
const DEFAULT_LIMIT: usize = 5;
/// How many capabilities of a domain are listed unless `limit` says otherwise. Generated cards come last, and those that
/// people wrote are always listed.
const LISTED: usize = 40;

pub(in crate::mcp) fn schema() -> Value {
    json!({"type": "object", "properties": {"intent": {"type": "string"}}})
}

pub(in crate::mcp) async fn call(
    capstan: &Capstan,
    given: Map<String, Value>,
    style: ResultStyle,
) -> CallToolResult {
    match parse(given) {
        Ok(call) if call.is_empty() => list_domains(capstan, style).await,
        Ok(call) => search(capstan, &call, style).await,
        Err(error) => tool_result::from_error(capstan, "", error, style),
    }
}

/// A parsed call.
struct SearchCall {
    request: SearchRequest,
    limit: Option<usize>,
    with_deps: bool,
}

impl SearchCall {
    /// Returns whether the call searches for nothing in particular. It then gets an overview.
    fn is_empty(&self) -> bool {
        self.request == SearchRequest::default() && self.limit.is_none()
    }
}

fn parse(given: Map<String, Value>) -> Result<SearchCall, ResultError> {
    let mut arguments = ToolArguments::new(NAME, given);
    let non_blank = |text: Option<String>| text.filter(|text| !text.trim().is_empty());
    let limit = arguments.take_count("limit")?;
    let mut request = SearchRequest {
        intent: non_blank(arguments.take_intent()?),
        domain: non_blank(arguments.take_name(&["domain"])?),
        ..SearchRequest::default()
    };
    request.with_generated = request.intent.is_some() || request.domain.is_some();
    if let Some(kind) = non_blank(arguments.take_text(&["kind"])?) {
        request.kind = Kind::ALL.into_iter().find(|known| known.as_str() == kind);
        if request.kind.is_none() {
            let known = Kind::ALL.map(Kind::as_str).join(", ");
            let problem = format!("must be one of {known}");
            return Err(arguments.problem("kind", &problem));
        }
    }
    let with_deps =
        arguments.take_with(|fields| fields.take_as::<bool>("deps", "true or false"))?;
    arguments.finish(&["intent", "domain", "kind", "limit", "deps"], "")?;
    Ok(SearchCall {
        request,
        limit,
        with_deps: with_deps.unwrap_or(false),
    })
}

async fn search(capstan: &Capstan, call: &SearchCall, style: ResultStyle) -> CallToolResult {
    let SearchCall {
        request,
        limit: given_limit,
        with_deps,
    } = call;
    let limit = given_limit.unwrap_or(if request.intent.is_some() {
        DEFAULT_LIMIT
    } else {
        usize::MAX
    });
    let (mut shown, mut total, warnings) = if *with_deps {
        let found = capstan
            .discovery()
            .search_by_intent_with_deps(request, limit)
            .await;
        (found.hits, found.total, found.warnings)
    } else {
        let (hits, warnings) = capstan.discovery().search(request).await;
        let total = hits.len();
        let without_deps = hits.into_iter().map(|hit| HitWithDeps {
            hit,
            dependencies: Vec::new(),
        });
        (without_deps.collect(), total, warnings)
    };
    if request.intent.is_some() && request.kind.is_none() && request.domain.is_none() {
        let before = shown.len();
        shown.retain(|it| capstan_presenter::is_worth_showing(&it.hit));
        total -= before - shown.len();
    }
    // A caller that gives a limit also wants to see poor matches.
    let poor_match_note = match &request.intent {
        Some(intent) if given_limit.is_none() => {
            capstan_presenter::keep_fitting(&mut shown, intent, |it| &it.hit)
        }
        _ => None,
    };
    if request.intent.is_none() {
        shown.sort_by_key(|it| it.hit.is_generated);
        if given_limit.is_none() {
            let written = shown.iter().filter(|it| !it.hit.is_generated).count();
            shown.truncate(written.max(LISTED));
        }
    }
    shown.truncate(limit);
    let match_note = match total {
        0 => Some(no_match_note(capstan, request).await),
        _ if poor_match_note.is_some() => poor_match_note,
        total => (shown.len() < total).then(|| {
            let is_cut = request.intent.is_some() && total == MAX_HITS;
            let what = if is_cut { "more" } else { "all" };
            format!("{} of {total}; limit={total} shows {what}", shown.len())
        }),
    };
    let notes: Vec<_> = match_note.into_iter().chain(warnings).collect();
    let note = capstan.redactor().text(&notes.join("; ")).into_owned();
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
    tool_result::from_text(lines.join("\n"), &json, style)
}

/// Returns an overview: the domains and how many capabilities each has, generated cards apart.
async fn list_domains(capstan: &Capstan, style: ResultStyle) -> CallToolResult {
    let (all, _) = capstan.discovery().search(&everything()).await;
    let (generated, all): (Vec<Hit>, Vec<Hit>) = all.into_iter().partition(|it| it.is_generated);
    let (counts, generated) = (count_domains(&all), count_domains(&generated));
    let mut text = listed(&counts);
    if !generated.is_empty() {
        text.push_str(&format!(
            "; generated for the rest of GitHub's API: {}",
            listed(&generated)
        ));
    }
    text.push_str("; search by intent gives forms");
    let mut json = json!({"domains": counts, "total": all.len()});
    if !generated.is_empty() {
        json["generated"] = json!(generated);
    }
    tool_result::from_text(text, &json, style)
}

/// Returns how many capabilities each domain has. Capstan's own actions do not count.
fn count_domains(all: &[Hit]) -> BTreeMap<&str, usize> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for hit in all.iter().filter(|hit| hit.kind != Kind::System) {
        *counts.entry(domain_of(hit)).or_default() += 1;
    }
    counts
}

fn domain_of(hit: &Hit) -> &str {
    let parts = hit.id.split_once('.');
    parts.map_or(hit.id.as_str(), |(domain, _)| domain)
}

fn listed(counts: &BTreeMap<&str, usize>) -> String {
    let counts = counts.iter().map(|(name, count)| format!("{name} {count}"));
    counts.collect::<Vec<_>>().join(", ")
}

/// Returns a request that lists everything.
fn everything() -> SearchRequest {
    SearchRequest {
        with_generated: true,
        ..SearchRequest::default()
    }
}

/// Returns the note for a search without matches: what was searched, and what to try instead.
async fn no_match_note(capstan: &Capstan, request: &SearchRequest) -> String {
    let (all, _) = capstan.discovery().search(&everything()).await;
    let mut domains: Vec<_> = all
        .iter()
        .filter_map(|hit| Some((hit.is_generated, hit.id.split_once('.')?.0)))
        .collect();
    // Domains that only have generated cards come last.
    domains.sort_unstable();
    let mut known = HashSet::new();
    let mut domains: Vec<_> = domains.into_iter().map(|(_, domain)| domain).collect();
    domains.retain(|domain| known.insert(*domain));
    let is_known_domain = request
        .domain
        .as_deref()
        .is_none_or(|domain| known.contains(domain));
    match (&request.intent, &request.domain) {
        (_, Some(domain)) if !is_known_domain => format!(
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
        (None, _) => "no capability has this kind".to_owned(),
    }
}
