//! The router: finds the handler for a method and path.

use super::present::View;
use super::request::{RestRequest, path_number};
use super::result::{RestError, RestResult};
use super::{
    actions, assets, assignees, comments, commits, contents, documented, downloads, issue_labels,
    issues, jobs, labels, media, merge, meta, milestones, moved, pulls, releases, repos,
    review_comments, reviews, search, users,
};
use crate::http::HttpResponse;
use crate::world::{IssueRef, Permission, RepoId, World};

/// Handles a REST request and returns the response.
pub(crate) fn respond(world: &mut World, request: &RestRequest<'_>) -> HttpResponse {
    let result = if request.is_upload {
        assets::upload(world, request)
    } else {
        match route(world, request) {
            Err(RestError::Unrouted) => documented::respond(world, request),
            result => result,
        }
    };
    let response = result.unwrap_or_else(RestError::into_response);
    media::apply(world, request, response)
}

/// A repository that the viewer may see, with the viewer's permission.
#[derive(Debug, Clone, Copy)]
pub(super) struct RepoAccess {
    pub(super) repo: RepoId,
    pub(super) permission: Permission,
}

impl RepoAccess {
    fn new(world: &World, request: &RestRequest<'_>, repo: RepoId) -> Self {
        Self {
            repo,
            permission: world.permission(&request.viewer.login, repo),
        }
    }

    pub(super) fn view(self, world: &World) -> Result<View<'_>, RestError> {
        View::new(world, self.repo).ok_or(RestError::NotFound)
    }

    /// Returns the issue or pull request with the number in the path.
    pub(super) fn issue(self, world: &World, segment: &str) -> Result<IssueRef, RestError> {
        let at = IssueRef {
            repo: self.repo,
            number: path_number(segment)?,
        };
        world.issue_at(at).map(|_| at).ok_or(RestError::NotFound)
    }

    /// Returns the pull request with the number in the path.
    pub(super) fn pull(self, world: &World, segment: &str) -> Result<IssueRef, RestError> {
        let at = self.issue(world, segment)?;
        let is_pull = world.issue_at(at).is_some_and(crate::world::Issue::is_pull);
        if is_pull {
            Ok(at)
        } else {
            Err(RestError::NotFound)
        }
    }
}

fn route(world: &mut World, request: &RestRequest<'_>) -> RestResult {
    let segments: Vec<&str> = request.segments.iter().map(String::as_str).collect();
    let method = match request.method.as_str() {
        "HEAD" => "GET",
        method => method,
    };
    match (method, segments.as_slice()) {
        ("GET", []) => meta::root(request),
        ("GET", ["meta"]) => meta::meta(),
        ("GET", ["user"]) => users::viewer(world, request),
        ("GET", ["users", login]) => users::one(world, login),
        ("GET", ["orgs", login]) => users::organization(world, login),
        ("GET", ["orgs" | "users", login, "repos"]) => repos::of_owner(world, request, login),
        ("GET", ["user", "repos"]) => repos::of_viewer(world, request),
        ("GET", ["search", "issues"]) => search::issues(world, request),
        ("GET", ["search", "repositories"]) => search::repositories(world, request),
        (method, ["repos", owner, name, rest @ ..]) => {
            if let Some(redirect) = moved::redirect(world, request, owner, name) {
                return Ok(redirect);
            }
            let repo = world.visible_repo(request.viewer, owner, name)?;
            in_repo(
                world,
                request,
                RepoAccess::new(world, request, repo),
                method,
                rest,
            )
        }
        (method, ["repositories", id, rest @ ..]) => {
            let repo = moved::by_id(world, request, id).ok_or(RestError::NotFound)?;
            in_repo(
                world,
                request,
                RepoAccess::new(world, request, repo),
                method,
                rest,
            )
        }
        _ => Err(RestError::Unrouted),
    }
}

fn in_repo(
    world: &mut World,
    request: &RestRequest<'_>,
    access: RepoAccess,
    method: &str,
    rest: &[&str],
) -> RestResult {
    match (method, rest) {
        ("GET", []) => repos::one(world, access),
        ("PATCH", []) => repos::update(world, request, access),
        ("GET", ["readme"]) => contents::one(world, access, "README.md"),
        ("GET", ["contents", path @ ..]) => contents::one(world, access, &path.join("/")),
        ("GET", ["assignees"]) => assignees::assignable(world, request, access),
        ("GET", ["assignees", login]) => assignees::check(world, access, login),
        ("GET", ["labels"]) => labels::list(world, request, access),
        ("POST", ["labels"]) => labels::create(world, request, access),
        ("GET", ["labels", name]) => labels::one(world, access, name),
        ("PATCH", ["labels", name]) => labels::update(world, request, access, name),
        ("DELETE", ["labels", name]) => labels::delete(world, request, access, name),
        ("GET", ["milestones"]) => milestones::list(world, request, access),
        ("POST", ["milestones"]) => milestones::create(world, request, access),
        ("GET", ["milestones", number]) => milestones::one(world, access, number),
        ("PATCH", ["milestones", number]) => milestones::update(world, request, access, number),
        (method, ["issues", rest @ ..]) => in_issues(world, request, access, method, rest),
        (method, ["pulls", rest @ ..]) => in_pulls(world, request, access, method, rest),
        ("GET", ["commits"]) => commits::list(world, request, access),
        ("GET", ["commits", reference]) => commits::one(world, access, reference),
        ("GET", ["commits", reference, "check-runs"]) => {
            commits::check_runs(world, request, access, reference)
        }
        ("GET", ["commits", reference, "status"]) => {
            commits::combined_status(world, access, reference)
        }
        ("GET", ["commits", reference, "statuses"]) => {
            commits::statuses(world, request, access, reference)
        }
        ("GET", ["branches"]) => repos::branches(world, request, access),
        ("GET", ["branches", name]) => repos::branch(world, access, name),
        ("GET", ["releases"]) => releases::list(world, request, access),
        ("GET", ["releases", "latest"]) => releases::latest(world, request, access),
        ("GET", ["releases", "tags", tag]) => releases::tagged(world, request, access, tag),
        ("GET", ["releases", "assets", id]) => assets::one(world, request, access, id),
        ("DELETE", ["releases", "assets", id]) => assets::delete(world, request, access, id),
        ("GET", ["releases", id]) => releases::one(world, request, access, id),
        ("GET", ["releases", id, "assets"]) => assets::list(world, request, access, id),
        // Files are uploaded to another host.
        ("POST", ["releases", _, "assets"]) => Err(RestError::NotFound),
        ("GET", [format @ ("tarball" | "zipball"), reference @ ..]) => {
            downloads::archive(world, request, access, format, reference)
        }
        ("GET", ["actions", "jobs", id]) => jobs::one(world, access, id),
        ("GET", ["actions", "jobs", id, "logs"]) => downloads::job_log(world, request, access, id),
        ("GET", ["actions", "runs", id, "attempts", _, "jobs"]) => {
            jobs::list(world, request, access, id)
        }
        ("GET", ["actions", "runs", id, "attempts", attempt, "logs"]) => {
            downloads::run_logs(world, request, access, id, Some(attempt))
        }
        ("GET", ["actions", "runs", id, "jobs"]) => jobs::list(world, request, access, id),
        ("GET", ["actions", "runs", id, "logs"]) => {
            downloads::run_logs(world, request, access, id, None)
        }
        ("GET", ["actions", "runs"]) => actions::runs(world, request, access, None),
        ("GET", ["actions", "runs", id]) => actions::run(world, access, id),
        ("GET", ["actions", "workflows"]) => actions::workflows(world, request, access),
        ("GET", ["actions", "workflows", id]) => actions::workflow(world, access, id),
        ("GET", ["actions", "workflows", id, "runs"]) => {
            actions::runs(world, request, access, Some(id))
        }
        _ => Err(RestError::Unrouted),
    }
}

fn in_issues(
    world: &mut World,
    request: &RestRequest<'_>,
    access: RepoAccess,
    method: &str,
    rest: &[&str],
) -> RestResult {
    match (method, rest) {
        ("GET", []) => issues::list(world, request, access),
        ("POST", []) => issues::create(world, request, access),
        ("GET", ["comments", id]) => comments::one(world, access, id),
        ("PATCH", ["comments", id]) => comments::update(world, request, access, id),
        ("DELETE", ["comments", id]) => comments::delete(world, request, access, id),
        (method, [number, rest @ ..]) if is_number(number) => {
            let at = access.issue(world, number)?;
            match (method, rest) {
                ("GET", []) => issues::one(world, at),
                ("PATCH", []) => issues::update(world, request, at),
                ("PUT", ["lock"]) => issues::lock(world, request, at),
                ("DELETE", ["lock"]) => issues::unlock(world, request, at),
                ("GET", ["comments"]) => comments::list(world, request, at),
                ("POST", ["comments"]) => comments::create(world, request, at),
                ("GET", ["labels"]) => issue_labels::list(world, request, at),
                ("POST", ["labels"]) => issue_labels::add(world, request, at),
                ("PUT", ["labels"]) => issue_labels::replace(world, request, at),
                ("DELETE", ["labels"]) => issue_labels::clear(world, request, at),
                ("DELETE", ["labels", name]) => issue_labels::remove(world, request, at, name),
                ("POST", ["assignees"]) => assignees::add(world, request, at),
                ("DELETE", ["assignees"]) => assignees::remove(world, request, at),
                _ => Err(RestError::Unrouted),
            }
        }
        _ => Err(RestError::Unrouted),
    }
}

fn in_pulls(
    world: &mut World,
    request: &RestRequest<'_>,
    access: RepoAccess,
    method: &str,
    rest: &[&str],
) -> RestResult {
    match (method, rest) {
        ("GET", []) => pulls::list(world, request, access),
        ("POST", []) => pulls::create(world, request, access),
        ("GET", ["comments", id]) => review_comments::one(world, access, id),
        (method, [number, rest @ ..]) if is_number(number) => {
            let at = access.pull(world, number)?;
            match (method, rest) {
                ("GET", []) => pulls::one(world, access, at),
                ("PATCH", []) => pulls::update(world, request, access, at),
                ("GET", ["files"]) => pulls::files(world, request, at),
                ("GET", ["commits"]) => pulls::commits(world, request, at),
                ("GET", ["merge"]) => merge::check(world, at),
                ("PUT", ["merge"]) => merge::merge(world, request, at),
                ("GET", ["reviews"]) => reviews::list(world, request, at),
                ("POST", ["reviews"]) => reviews::create(world, request, at),
                ("GET", ["reviews", id]) => reviews::one(world, at, id),
                ("POST", ["reviews", id, "events"]) => reviews::submit(world, request, at, id),
                ("GET", ["requested_reviewers"]) => reviews::requested(world, at),
                ("POST", ["requested_reviewers"]) => reviews::request(world, request, access, at),
                ("DELETE", ["requested_reviewers"]) => {
                    reviews::withdraw_request(world, request, access, at)
                }
                ("GET", ["comments"]) => review_comments::list(world, request, at),
                ("POST", ["comments"]) => review_comments::create(world, request, at),
                ("POST", ["comments", id, "replies"]) => {
                    review_comments::reply(world, request, at, id)
                }
                _ => Err(RestError::Unrouted),
            }
        }
        _ => Err(RestError::Unrouted),
    }
}

/// Returns whether a segment is a number. Others, such as `/issues/events`, are resources of their own.
fn is_number(segment: &str) -> bool {
    segment.bytes().all(|byte| byte.is_ascii_digit())
}
