//! `Commit`, `Ref`, `StatusCheckRollup`, `CheckRun`, `CheckSuite` and `StatusContext`.

use super::context::{Context, actor};
use crate::graphql::field::Field;
use crate::graphql::page;
use crate::graphql::value::{FieldResult, FieldValue, record, some};
use crate::world::{CheckRun, CheckStatus, Commit, Located, RepoId};

pub(super) fn commit(
    context: &Context<'_>,
    repo: RepoId,
    sha: &str,
    field: &Field<'_>,
) -> FieldResult {
    let Some(commit) = find(context, repo, sha) else {
        return Ok(None);
    };
    match field.name() {
        "oid" => some(&commit.sha),
        "abbreviatedOid" => some(commit.short_sha()),
        "message" => some(&commit.message),
        "messageHeadline" => some(commit.headline()),
        "messageBody" => some(commit.body()),
        "committedDate" | "authoredDate" | "pushedDate" => some(commit.committed_at),
        "author" | "committer" => some(git_actor(context, commit)),
        "authors" => page::connection(field, vec![git_actor(context, commit).into()]),
        "additions" => some(commit.files.iter().map(|f| f.additions).sum::<u64>()),
        "deletions" => some(commit.files.iter().map(|f| f.deletions).sum::<u64>()),
        "changedFiles" | "changedFilesIfAvailable" => some(commit.files.len()),
        "parents" => {
            let parents = commit.parents.iter();
            let found = parents.map(|sha| Located::Commit(repo, sha.clone()).into());
            page::connection(field, found.collect())
        }
        "history" => page::connection(field, history(context, repo, commit)),
        "statusCheckRollup" => some(rollup(context, repo, sha)),
        "status" if !commit.statuses.is_empty() => some(
            record("Status")
                .with("state", commit.combined_status().name())
                .with("contexts", contexts(repo, commit, false))
                .with("commit", Located::Commit(repo, sha.to_owned())),
        ),
        "checkSuites" => {
            let runs = commit.check_runs.iter();
            let suites = runs.map(|run| Located::CheckSuite(repo, sha.to_owned(), run.id).into());
            page::connection(field, suites.collect())
        }
        "commitUrl" => some(super::url(context, &Located::Commit(repo, sha.to_owned()))),
        _ => Ok(None),
    }
}

pub(super) fn branch(
    context: &Context<'_>,
    repo: RepoId,
    name: &str,
    field: &Field<'_>,
) -> FieldResult {
    let Some(branch) = context
        .world
        .repo(repo)
        .and_then(|found| found.branches.get(name))
    else {
        return Ok(None);
    };
    match field.name() {
        "name" => some(&branch.name),
        "prefix" => some("refs/heads/"),
        "target" => some(Located::Commit(repo, branch.head().to_owned())),
        "associatedPullRequests" => {
            let filter = crate::world::IssueFilter {
                pulls: Some(true),
                ..Default::default()
            };
            let order = crate::world::IssueOrder::default();
            let states = field.texts("states");
            let world = context.world;
            let found = world
                .list_issues(repo, &filter, order)
                .into_iter()
                .filter(|at| {
                    world.issue_at(*at).is_some_and(|issue| {
                        let state = world.pull_state(issue).name();
                        issue
                            .pull
                            .as_ref()
                            .is_some_and(|pull| pull.head_ref == name)
                            && (states.is_empty() || states.iter().any(|wanted| wanted == state))
                    })
                });
            page::connection(
                field,
                found.map(|at| Located::PullRequest(at).into()).collect(),
            )
        }
        _ => Ok(None),
    }
}

/// Returns the combined state of all checks and statuses; null if there are none.
pub(super) fn rollup(context: &Context<'_>, repo: RepoId, sha: &str) -> FieldValue {
    let Some(commit) = find(context, repo, sha) else {
        return FieldValue::Null;
    };
    let Some(state) = commit.rollup() else {
        return FieldValue::Null;
    };
    record("StatusCheckRollup")
        .with("id", format!("SCR_{}", commit.sha))
        .with("state", state.name())
        .with("commit", Located::Commit(repo, commit.sha.clone()))
        .with(
            "contexts",
            FieldValue::Connection(contexts(repo, commit, true), counts(commit)),
        )
        .into()
}

pub(super) fn check_run(
    context: &Context<'_>,
    repo: RepoId,
    sha: &str,
    id: u64,
    field: &Field<'_>,
) -> FieldResult {
    let Some(run) = find_run(context, repo, sha, id) else {
        return Ok(None);
    };
    match field.name() {
        "name" => some(&run.name),
        "databaseId" => some(run.id),
        "status" => some(run.status.name()),
        "conclusion" => some(run.conclusion.map(|conclusion| conclusion.name())),
        "startedAt" => some(run.started_at),
        "completedAt" => some(run.completed_at),
        "detailsUrl" => some(&run.details_url),
        "title" => some(run.title.as_ref()),
        "summary" => some(run.summary.as_ref()),
        "checkSuite" => some(Located::CheckSuite(repo, sha.to_owned(), id)),
        "isRequired" => some(is_required(context, repo, &run.name)),
        _ => Ok(None),
    }
}

/// Resolves a check suite. Each check run has its own suite, with the same database id.
pub(super) fn check_suite(
    context: &Context<'_>,
    repo: RepoId,
    sha: &str,
    id: u64,
    field: &Field<'_>,
) -> FieldResult {
    let Some(run) = find_run(context, repo, sha, id) else {
        return Ok(None);
    };
    match field.name() {
        "databaseId" => some(run.id),
        "status" => some(run.status.name()),
        "conclusion" => some(run.conclusion.map(|conclusion| conclusion.name())),
        "commit" => some(Located::Commit(repo, sha.to_owned())),
        "app" => some(
            record("App")
                .with("name", "GitHub Actions")
                .with("slug", "github-actions"),
        ),
        "checkRuns" => {
            let run = Located::CheckRun(repo, sha.to_owned(), id);
            page::connection(field, vec![run.into()])
        }
        "workflowRun" => some(run.workflow.as_ref().map(|workflow| {
            record("WorkflowRun")
                .with("databaseId", run.id)
                .with("event", &run.event)
                .with("workflow", record("Workflow").with("name", workflow))
        })),
        _ => Ok(None),
    }
}

pub(super) fn status(
    context: &Context<'_>,
    repo: RepoId,
    sha: &str,
    id: u64,
    field: &Field<'_>,
) -> FieldResult {
    let commit = find(context, repo, sha);
    let status = commit.and_then(|commit| commit.statuses.iter().find(|status| status.id == id));
    let Some(status) = status else {
        return Ok(None);
    };
    match field.name() {
        "context" => some(&status.context),
        "state" => some(status.state.name()),
        "description" => some(status.description.as_ref()),
        "targetUrl" => some(status.target_url.as_ref()),
        "creator" => some(actor(context, &status.creator)),
        "createdAt" => some(status.created_at),
        "commit" => some(Located::Commit(repo, sha.to_owned())),
        "isRequired" => some(is_required(context, repo, &status.context)),
        _ => Ok(None),
    }
}

/// Returns whether the check must pass before a pull request can be merged.
fn is_required(context: &Context<'_>, repo: RepoId, name: &str) -> bool {
    let found = context.world.repo(repo);
    found.is_some_and(|found| found.required_checks.iter().any(|it| it == name))
}

/// Returns the fields of a rollup's connection that count checks and statuses by state.
fn counts(commit: &Commit) -> Vec<(&'static str, FieldValue)> {
    let by_state = |type_name: &'static str, states: Vec<&'static str>| -> FieldValue {
        let mut counted: Vec<(&str, usize)> = Vec::new();
        for state in states {
            match counted.iter_mut().find(|(known, _)| *known == state) {
                Some((_, count)) => *count += 1,
                None => counted.push((state, 1)),
            }
        }
        let records = counted
            .into_iter()
            .map(|(state, count)| record(type_name).with("state", state).with("count", count));
        records.collect::<Vec<_>>().into()
    };
    let checks = commit.check_runs.iter().map(|run| match run.conclusion {
        Some(conclusion) => conclusion.name(),
        // GitHub has no state for a run that was only requested.
        None if run.status == CheckStatus::Requested => CheckStatus::Queued.name(),
        None => run.status.name(),
    });
    let statuses = commit.statuses.iter().map(|status| status.state.name());
    vec![
        ("checkRunCount", commit.check_runs.len().into()),
        (
            "checkRunCountsByState",
            by_state("CheckRunStateCount", checks.collect()),
        ),
        ("statusContextCount", commit.statuses.len().into()),
        (
            "statusContextCountsByState",
            by_state("StatusContextStateCount", statuses.collect()),
        ),
    ]
}

fn find<'c>(context: &Context<'c>, repo: RepoId, sha: &str) -> Option<&'c Commit> {
    context.world.repo(repo)?.commits.get(sha)
}

fn find_run<'c>(context: &Context<'c>, repo: RepoId, sha: &str, id: u64) -> Option<&'c CheckRun> {
    let commit = find(context, repo, sha)?;
    commit.check_runs.iter().find(|run| run.id == id)
}

fn contexts(repo: RepoId, commit: &Commit, with_checks: bool) -> Vec<FieldValue> {
    let sha = || commit.sha.clone();
    let mut found: Vec<FieldValue> = Vec::new();
    if with_checks {
        let runs = commit.check_runs.iter();
        found.extend(runs.map(|run| Located::CheckRun(repo, sha(), run.id).into()));
    }
    let statuses = commit.statuses.iter();
    found.extend(statuses.map(|status| Located::StatusContext(repo, sha(), status.id).into()));
    found
}

fn git_actor(context: &Context<'_>, commit: &Commit) -> crate::graphql::value::Record {
    let user = context.world.users.get(&commit.author);
    let name = user.and_then(|user| user.name.clone());
    record("GitActor")
        .with("name", name.unwrap_or_else(|| commit.author.clone()))
        .with("email", user.map(|user| &user.email))
        .with("date", commit.committed_at)
        .with("user", actor(context, &commit.author))
}

/// Returns the commit and its ancestors along first parents, newest first.
fn history(context: &Context<'_>, repo: RepoId, tip: &Commit) -> Vec<FieldValue> {
    let mut found = Vec::new();
    let mut next = Some(tip);
    while let Some(commit) = next {
        found.push(Located::Commit(repo, commit.sha.clone()).into());
        let parent = commit.parents.first();
        next = parent.and_then(|sha| find(context, repo, sha));
    }
    found
}
