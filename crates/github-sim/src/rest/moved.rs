//! Renamed repositories: GitHub redirects requests under a former name to a permanent address.

use http::StatusCode;
use serde_json::json;
use url::form_urlencoded;

use super::request::RestRequest;
use crate::http::HttpResponse;
use crate::world::{RepoId, World};

/// Returns the redirect for a request to `/repos/{owner}/{name}…`, if that is a former name of a visible repository.
pub(super) fn redirect(
    world: &World,
    request: &RestRequest<'_>,
    owner: &str,
    name: &str,
) -> Option<HttpResponse> {
    if world.find_repo(owner, name).is_some() {
        return None;
    }
    let repo = world.find_renamed_repo(owner, name)?;
    if !world.can_see(request.viewer, repo) {
        return None;
    }
    let mut url = format!("{}/repositories/{}", request.base, world.repo(repo)?.id);
    if let Some(rest) = request.path.trim_start_matches('/').splitn(4, '/').nth(3) {
        url.push('/');
        url.push_str(rest);
    }
    if !request.query.is_empty() {
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(&request.query);
        url.push('?');
        url.push_str(&query.finish());
    }
    // A write must be repeated with the same method and body.
    let (status, message) = if matches!(request.method.as_str(), "GET" | "HEAD") {
        (StatusCode::MOVED_PERMANENTLY, "Moved Permanently")
    } else {
        (StatusCode::TEMPORARY_REDIRECT, "Temporary Redirect")
    };
    let body = json!({
        "message": message,
        "url": url,
        "documentation_url": "https://docs.github.com/rest/guides/best-practices-for-using-the-rest-api#follow-redirects",
    });
    Some(HttpResponse::json(status, &body).with_header("location", url))
}

/// Returns the visible repository with this database id.
pub(super) fn by_id(world: &World, request: &RestRequest<'_>, id: &str) -> Option<RepoId> {
    let id: u64 = id.parse().ok()?;
    let index = world.repositories.iter().position(|repo| repo.id == id)?;
    Some(RepoId(index)).filter(|repo| world.can_see(request.viewer, *repo))
}
