//! Search over issues and repositories.

use http::StatusCode;
use serde_json::{Value, json};

use super::page;
use super::present::View;
use super::request::RestRequest;
use super::result::{RestError, RestResult};
use crate::http::HttpResponse;
use crate::world::{MatchedIn, SearchQuery, TextMatch, World};

pub(super) fn issues(world: &World, request: &RestRequest<'_>) -> RestResult {
    let query = query(request)?;
    check_scope(world, request, &query)?;
    let found = world.search_issues(request.viewer, &query);
    results(world, request, found, |at| {
        let view = View::new(world, at.repo)?;
        let issue = world.issue_at(at)?;
        let mut item = view.issue(issue);
        if request.accept.contains("text-match") {
            let address = item["url"].as_str().unwrap_or_default();
            let matches = query.text_matches(issue);
            item["text_matches"] = matches.iter().map(|it| text_match(address, it)).collect();
        }
        Some(item)
    })
}

/// Presents a text match. `issue` is the API address of the issue.
fn text_match(issue: &str, found: &TextMatch) -> Value {
    let (address, object_type, property) = match found.part {
        MatchedIn::Title => (issue.to_owned(), "Issue", "title"),
        MatchedIn::Body => (issue.to_owned(), "Issue", "body"),
        MatchedIn::Comment(id) => {
            let (issues, _) = issue.rsplit_once('/').unwrap_or_default();
            (format!("{issues}/comments/{id}"), "IssueComment", "body")
        }
    };
    let matches = found.ranges.iter().map(|(from, to)| {
        let text = found.fragment.get(*from..*to);
        json!({ "text": text, "indices": [from, to] })
    });
    json!({
        "object_url": address,
        "object_type": object_type,
        "property": property,
        "fragment": found.fragment,
        "matches": matches.collect::<Vec<_>>(),
    })
}

pub(super) fn repositories(world: &World, request: &RestRequest<'_>) -> RestResult {
    let query = query(request)?;
    let found = world.search_repositories(request.viewer, &query);
    results(world, request, found, |id| {
        let permission = world.permission(&request.viewer.login, id);
        Some(View::new(world, id)?.repository(permission))
    })
}

/// Parses the query, with the `sort` and `order` parameters added as a `sort:` qualifier.
fn query(request: &RestRequest<'_>) -> Result<SearchQuery, RestError> {
    let Some(text) = request.param("q") else {
        return Err(RestError::Validation(
            json!({ "resource": "Search", "field": "q", "code": "missing" }),
        ));
    };
    let mut text = text.to_owned();
    if let Some(sort) = request.param("sort") {
        let order = request.param("order").unwrap_or("desc");
        text.push_str(&format!(" sort:{sort}-{order}"));
    }
    Ok(SearchQuery::parse(&text))
}

/// Refuses a search in which no listed repository is visible. GraphQL's search returns nothing instead.
fn check_scope(
    world: &World,
    request: &RestRequest<'_>,
    query: &SearchQuery,
) -> Result<(), RestError> {
    let visible = |full: &str| {
        let (owner, name) = full.split_once('/')?;
        world.visible_repo(request.viewer, owner, name).ok()
    };
    let mut wanted = query.values("repo").peekable();
    if wanted.peek().is_some() && wanted.all(|full| visible(full).is_none()) {
        return Err(RestError::Validation(json!({
            "message": "The listed users and repositories cannot be searched either because the resources do not exist or you do not have permission to view them.",
            "resource": "Search",
            "field": "q",
            "code": "invalid",
        })));
    }
    Ok(())
}

fn results<T>(
    world: &World,
    request: &RestRequest<'_>,
    mut found: Vec<T>,
    present: impl Fn(T) -> Option<Value>,
) -> RestResult {
    let incomplete = world.search_gives_up_after.is_some();
    found.truncate(world.search_gives_up_after.unwrap_or(usize::MAX));
    let total = found.len();
    let (page, link) = page::paginate(request, found);
    let items: Vec<Value> = page
        .into_iter()
        .filter_map(present)
        .map(|mut item| {
            item["score"] = json!(1.0);
            item
        })
        .collect();
    let body = json!({ "total_count": total, "incomplete_results": incomplete, "items": items });
    Ok(page::with_link(
        HttpResponse::json(StatusCode::OK, &body),
        link,
    ))
}
