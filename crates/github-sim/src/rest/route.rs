//! The router: from method and path to the resource that answers.

use super::present::View;
use super::reply::{Failure, Reply};
use super::request::{RestRequest, path_number};
use super::{
    actions, assignees, comments, commits, contents, issue_labels, issues, labels, merge, meta,
    milestones, moved, pulls, releases, repos, review_comments, reviews, search, users,
};
use crate::http::Answer;
use crate::world::{IssueRef, Permission, RepoId, World};

/// Answers a request, changing the world if that is what it asks.
pub(crate) fn answer(world: &mut World, request: &RestRequest<'_>) -> Answer {
    route(world, request).unwrap_or_else(Failure::into_answer)
}

/// A repository that the viewer may see, with what the viewer may do there.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub(super) repo: RepoId,
    pub(super) permission: Permission,
}

impl Place {
    fn new(world: &World, request: &RestRequest<'_>, repo: RepoId) -> Self {
        Self {
            repo,
            permission: world.permission(&request.viewer.login, repo),
        }
    }

    pub(super) fn view(self, world: &World) -> Result<View<'_>, Failure> {
        View::new(world, self.repo).ok_or(Failure::NotFound)
    }

    /// An issue or pull request of the repository, by the number in the path.
    pub(super) fn issue(self, world: &World, segment: &str) -> Result<IssueRef, Failure> {
        let at = IssueRef {
            repo: self.repo,
            number: path_number(segment)?,
        };
        world.issue_at(at).map(|_| at).ok_or(Failure::NotFound)
    }

    /// A pull request of the repository, by the number in the path.
    pub(super) fn pull(self, world: &World, segment: &str) -> Result<IssueRef, Failure> {
        let at = self.issue(world, segment)?;
        let is_pull = world.issue_at(at).is_some_and(crate::world::Issue::is_pull);
        if is_pull {
            Ok(at)
        } else {
            Err(Failure::NotFound)
        }
    }
}

fn route(world: &mut World, request: &RestRequest<'_>) -> Reply {
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
            if let Some(redirection) = moved::redirection(world, request, owner, name) {
                return Ok(redirection);
            }
            let repo = world.visible_repo(request.viewer, owner, name)?;
            in_repo(
                world,
                request,
                Place::new(world, request, repo),
                method,
                rest,
            )
        }
        (method, ["repositories", id, rest @ ..]) => {
            let repo = moved::by_id(world, request, id).ok_or(Failure::NotFound)?;
            in_repo(
                world,
                request,
                Place::new(world, request, repo),
                method,
                rest,
            )
        }
        _ => Err(Failure::NotFound),
    }
}

fn in_repo(
    world: &mut World,
    request: &RestRequest<'_>,
    place: Place,
    method: &str,
    rest: &[&str],
) -> Reply {
    match (method, rest) {
        ("GET", []) => repos::one(world, place),
        ("PATCH", []) => repos::update(world, request, place),
        ("GET", ["readme"]) => contents::one(world, place, "README.md"),
        ("GET", ["contents", path @ ..]) => contents::one(world, place, &path.join("/")),
        ("GET", ["assignees"]) => assignees::assignable(world, request, place),
        ("GET", ["assignees", login]) => assignees::check(world, place, login),
        ("GET", ["labels"]) => labels::list(world, request, place),
        ("POST", ["labels"]) => labels::create(world, request, place),
        ("GET", ["labels", name]) => labels::one(world, place, name),
        ("PATCH", ["labels", name]) => labels::update(world, request, place, name),
        ("DELETE", ["labels", name]) => labels::delete(world, request, place, name),
        ("GET", ["milestones"]) => milestones::list(world, request, place),
        ("POST", ["milestones"]) => milestones::create(world, request, place),
        ("GET", ["milestones", number]) => milestones::one(world, place, number),
        ("PATCH", ["milestones", number]) => milestones::update(world, request, place, number),
        (method, ["issues", rest @ ..]) => in_issues(world, request, place, method, rest),
        (method, ["pulls", rest @ ..]) => in_pulls(world, request, place, method, rest),
        ("GET", ["commits"]) => commits::list(world, request, place),
        ("GET", ["commits", reference]) => commits::one(world, place, reference),
        ("GET", ["commits", reference, "check-runs"]) => {
            commits::check_runs(world, request, place, reference)
        }
        ("GET", ["commits", reference, "status"]) => {
            commits::combined_status(world, place, reference)
        }
        ("GET", ["commits", reference, "statuses"]) => {
            commits::statuses(world, request, place, reference)
        }
        ("GET", ["branches"]) => repos::branches(world, request, place),
        ("GET", ["branches", name]) => repos::branch(world, place, name),
        ("GET", ["releases"]) => releases::list(world, request, place),
        ("GET", ["releases", "latest"]) => releases::latest(world, place),
        ("GET", ["releases", "tags", tag]) => releases::tagged(world, place, tag),
        ("GET", ["releases", id]) => releases::one(world, place, id),
        ("GET", ["actions", "runs"]) => actions::runs(world, request, place, None),
        ("GET", ["actions", "runs", id]) => actions::run(world, place, id),
        ("GET", ["actions", "workflows"]) => actions::workflows(world, request, place),
        ("GET", ["actions", "workflows", id]) => actions::workflow(world, place, id),
        ("GET", ["actions", "workflows", id, "runs"]) => {
            actions::runs(world, request, place, Some(id))
        }
        _ => Err(Failure::NotFound),
    }
}

fn in_issues(
    world: &mut World,
    request: &RestRequest<'_>,
    place: Place,
    method: &str,
    rest: &[&str],
) -> Reply {
    match (method, rest) {
        ("GET", []) => issues::list(world, request, place),
        ("POST", []) => issues::create(world, request, place),
        ("GET", ["comments", id]) => comments::one(world, place, id),
        ("PATCH", ["comments", id]) => comments::update(world, request, place, id),
        ("DELETE", ["comments", id]) => comments::delete(world, request, place, id),
        (method, [number, rest @ ..]) => {
            let at = place.issue(world, number)?;
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
                _ => Err(Failure::NotFound),
            }
        }
        _ => Err(Failure::NotFound),
    }
}

fn in_pulls(
    world: &mut World,
    request: &RestRequest<'_>,
    place: Place,
    method: &str,
    rest: &[&str],
) -> Reply {
    match (method, rest) {
        ("GET", []) => pulls::list(world, request, place),
        ("POST", []) => pulls::create(world, request, place),
        ("GET", ["comments", id]) => review_comments::one(world, place, id),
        (method, [number, rest @ ..]) => {
            let at = place.pull(world, number)?;
            match (method, rest) {
                ("GET", []) => pulls::one(world, place, at),
                ("PATCH", []) => pulls::update(world, request, place, at),
                ("GET", ["files"]) => pulls::files(world, request, at),
                ("GET", ["commits"]) => pulls::commits(world, request, at),
                ("GET", ["merge"]) => merge::check(world, at),
                ("PUT", ["merge"]) => merge::merge(world, request, at),
                ("GET", ["reviews"]) => reviews::list(world, request, at),
                ("POST", ["reviews"]) => reviews::create(world, request, at),
                ("GET", ["reviews", id]) => reviews::one(world, at, id),
                ("POST", ["reviews", id, "events"]) => reviews::submit(world, request, at, id),
                ("GET", ["requested_reviewers"]) => reviews::requested(world, at),
                ("POST", ["requested_reviewers"]) => reviews::request(world, request, place, at),
                ("DELETE", ["requested_reviewers"]) => {
                    reviews::withdraw_request(world, request, place, at)
                }
                ("GET", ["comments"]) => review_comments::list(world, request, at),
                ("POST", ["comments"]) => review_comments::create(world, request, at),
                ("POST", ["comments", id, "replies"]) => {
                    review_comments::reply(world, request, at, id)
                }
                _ => Err(Failure::NotFound),
            }
        }
        _ => Err(Failure::NotFound),
    }
}
