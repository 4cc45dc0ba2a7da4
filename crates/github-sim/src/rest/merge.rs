//! Whether a pull request is merged, and merging it.

use serde_json::json;

use super::reply::{Failure, Reply, no_content, ok};
use super::request::RestRequest;
use crate::world::{IssueRef, MergeMethod, MergeRequest, World};

pub(super) fn check(world: &World, at: IssueRef) -> Reply {
    if world.pull_at(at)?.merged.is_some() {
        no_content()
    } else {
        Err(Failure::NotFound)
    }
}

pub(super) fn merge(world: &mut World, request: &RestRequest<'_>, at: IssueRef) -> Reply {
    let resource = "PullRequest";
    let method = match request.text(resource, "merge_method")? {
        None => None,
        Some(name) => Some(
            MergeMethod::parse(name).ok_or_else(|| Failure::invalid(resource, "merge_method"))?,
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
