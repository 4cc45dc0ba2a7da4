//! Merging a pull request, and checking whether it is merged.

use serde_json::json;

use super::request::RestRequest;
use super::result::{RestError, RestResult, no_content, ok};
use crate::world::{IssueRef, MergeMethod, MergeRequest, World};

pub(super) fn check(world: &World, at: IssueRef) -> RestResult {
    if world.pull_at(at)?.merged.is_some() {
        no_content()
    } else {
        Err(RestError::NotFound)
    }
}

pub(super) fn merge(world: &mut World, request: &RestRequest<'_>, at: IssueRef) -> RestResult {
    let resource = "PullRequest";
    let method = match request.text(resource, "merge_method")? {
        None => None,
        Some(name) => Some(
            MergeMethod::parse(name).ok_or_else(|| RestError::invalid(resource, "merge_method"))?,
        ),
    };
    let merge = MergeRequest {
        method,
        headline: request.text(resource, "commit_title")?.map(str::to_owned),
        body: request.text(resource, "commit_message")?.map(str::to_owned),
        expected_head: request.text(resource, "sha")?.map(str::to_owned),
    };
    let sha = world.merge_pull_request(request.viewer, at, &merge)?;
    ok(&json!({
        "sha": sha,
        "merged": true,
        "message": "Pull Request successfully merged",
    }))
}
