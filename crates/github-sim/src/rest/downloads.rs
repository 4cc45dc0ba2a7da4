//! Downloads: redirects to signed addresses of the storage host, which is another origin.

use http::StatusCode;
use time::OffsetDateTime;

use super::request::{RestRequest, path_number};
use super::result::{RestError, RestResult};
use super::route::RepoAccess;
use crate::downloads::sign;
use crate::http::HttpResponse;
use crate::world::World;

/// Redirects to a path of the storage host.
pub(super) fn redirect(world: &World, request: &RestRequest<'_>, path: &[&str]) -> RestResult {
    // Real time, because clients and the storage host compare it with their own clocks.
    let now = OffsetDateTime::now_utc().unix_timestamp();
    let expires = now.saturating_add(world.memory.downloads.lifetime_seconds);
    let url = sign(request.storage_url, path, expires);
    Ok(HttpResponse::empty(StatusCode::FOUND).with_header("location", url))
}

/// Redirects to a file that is made for the path of the request.
pub(super) fn file(world: &World, request: &RestRequest<'_>, path: &str) -> RestResult {
    redirect(world, request, &["files", &path.replace('/', "-")])
}

/// The log of a job, as text.
pub(super) fn job_log(
    world: &World,
    request: &RestRequest<'_>,
    access: RepoAccess,
    id: &str,
) -> RestResult {
    let id = path_number(id)?;
    let repo = world.repo(access.repo).ok_or(RestError::NotFound)?;
    if !repo.runs.iter().any(|run| run.job(id).is_some()) {
        return Err(RestError::NotFound);
    }
    let path = ["jobs", &repo.owner, &repo.name, &id.to_string()];
    redirect(world, request, &path)
}

/// The logs of a run, as a zip file.
pub(super) fn run_logs(
    world: &World,
    request: &RestRequest<'_>,
    access: RepoAccess,
    id: &str,
    attempt: Option<&str>,
) -> RestResult {
    let id = path_number(id)?;
    let repo = world.repo(access.repo).ok_or(RestError::NotFound)?;
    let run = repo.runs.iter().find(|run| run.id == id);
    let run = run.ok_or(RestError::NotFound)?;
    let attempt = match attempt {
        Some(attempt) => path_number(attempt)?,
        None => run.run_attempt,
    };
    if attempt == 0 || attempt > run.run_attempt {
        return Err(RestError::NotFound);
    }
    let path = format!("repos/{}/{}/actions/runs/{id}/logs", repo.owner, repo.name);
    if world.memory.switches.get(&path) == Some(&false) {
        let message = "Server Error: the logs of this run have been deleted";
        return Err(RestError::Other(StatusCode::GONE, message.to_owned()));
    }
    let (id, attempt) = (id.to_string(), attempt.to_string());
    redirect(
        world,
        request,
        &["runs", &repo.owner, &repo.name, &id, &attempt],
    )
}

/// The files of the repository, as `tarball` or `zipball`.
pub(super) fn archive(
    world: &World,
    request: &RestRequest<'_>,
    access: RepoAccess,
    format: &str,
    reference: &[&str],
) -> RestResult {
    let repo = world.repo(access.repo).ok_or(RestError::NotFound)?;
    let reference = if reference.is_empty() {
        repo.default_branch.clone()
    } else {
        reference.join("/")
    };
    let path = ["archives", &repo.owner, &repo.name, format, &reference];
    redirect(world, request, &path)
}
