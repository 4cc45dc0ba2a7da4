//! The fields of `Query`.

use super::field::Field;
use super::object::Session;
use super::page;
use super::value::{FieldResult, FieldValue, ResolveError, record, some};
use crate::world::{IssueRef, Located, SearchQuery, Viewer, World};
use serde_json::{Value, json};

pub(super) fn resolve(session: &Session<'_>, field: &Field<'_>) -> FieldResult {
    let world = session.world.borrow();
    let viewer = &session.viewer;
    match field.name() {
        "viewer" => some(Located::User(viewer.login.clone())),
        "repository" => repository(&world, viewer, field),
        "user" => {
            let login = field.text("login").unwrap_or_default();
            match world.user(login).filter(|user| !user.bot) {
                Some(user) => some(Located::User(user.login.clone())),
                None => Err(ResolveError::not_found(format!(
                    "Could not resolve to a User with the login of '{login}'."
                ))),
            }
        }
        "organization" => {
            let login = field.text("login").unwrap_or_default();
            match world.organization(login) {
                Some(org) => some(Located::Organization(org.login.clone())),
                None => Err(ResolveError::not_found(format!(
                    "Could not resolve to an Organization with the login of '{login}'."
                ))),
            }
        }
        "repositoryOwner" => some(owner(&world, field.text("login").unwrap_or_default())),
        "node" => {
            let id = field.text("id").unwrap_or_default();
            some(world.node(viewer, id)?)
        }
        "nodes" => nodes(session, &world, field),
        "resource" => some(resource(
            &world,
            viewer,
            field.text("url").unwrap_or_default(),
        )),
        "search" => search(&world, viewer, field),
        "rateLimit" => {
            let limit = &world.rate_limit;
            some(
                record("RateLimit")
                    .with("cost", session.cost.points())
                    .with("nodeCount", session.cost.nodes)
                    .with("limit", limit.limit)
                    .with("used", limit.used)
                    .with("remaining", limit.limit.saturating_sub(limit.used))
                    .with("resetAt", limit.resets_at),
            )
        }
        _ => Ok(None),
    }
}

/// Returns the user or organisation with this login.
pub(super) fn owner(world: &World, login: &str) -> Option<Located> {
    match world.organization(login) {
        Some(org) => Some(Located::Organization(org.login.clone())),
        None => world
            .user(login)
            .map(|user| Located::User(user.login.clone())),
    }
}

fn repository(world: &World, viewer: &Viewer, field: &Field<'_>) -> FieldResult {
    let owner = field.text("owner").unwrap_or_default();
    let name = field.text("name").unwrap_or_default();
    let found = world.visible_repo(viewer, owner, name)?;
    if !field.flag("followRenames") && world.find_repo(owner, name).is_none() {
        return Err(ResolveError::not_found(format!(
            "Could not resolve to a Repository with the name '{owner}/{name}'."
        )));
    }
    some(Located::Repository(found))
}

/// The maximum number of ids for `nodes`.
const MAX_IDS: usize = 100;

/// Resolves `nodes`. An unknown id gives a null and an error of its own.
fn nodes(session: &Session<'_>, world: &World, field: &Field<'_>) -> FieldResult {
    let mut found = Vec::new();
    let ids = field.texts("ids");
    if ids.len() > MAX_IDS {
        return Err(ResolveError::new(
            "ARGUMENT_LIMIT",
            format!(
                "You may not provide more than {MAX_IDS} node ids; you provided {}.",
                ids.len()
            ),
        ));
    }
    for (index, id) in ids.iter().enumerate() {
        match world.node(&session.viewer, id) {
            Ok(place) => found.push(FieldValue::Node(place)),
            Err(refusal) => {
                found.push(FieldValue::Null);
                session.extra_errors.borrow_mut().push(json!({
                    "type": "NOT_FOUND",
                    "path": [field.response_key(), index],
                    "locations": field.locations(),
                    "message": refusal.to_string(),
                }));
            }
        }
    }
    some(FieldValue::List(found))
}

/// Returns the account, repository, issue or pull request at a web address.
fn resource(world: &World, viewer: &Viewer, address: &str) -> Option<Located> {
    let path = match address.split_once("://") {
        Some((_, rest)) => rest.split_once('/').map_or("", |(_, path)| path),
        None => address.trim_start_matches('/'),
    };
    let parts: Vec<&str> = path.trim_end_matches('/').split('/').collect();
    match parts.as_slice() {
        [login] => owner(world, login),
        [login, name] => {
            let repo = world.visible_repo(viewer, login, name).ok()?;
            Some(Located::Repository(repo))
        }
        [login, name, kind, number, ..] => {
            let repo = world.visible_repo(viewer, login, name).ok()?;
            let number = number.parse().ok()?;
            let issue = world.issue_at(IssueRef { repo, number })?;
            match *kind {
                "issues" if !issue.is_pull() => Some(Located::Issue(IssueRef { repo, number })),
                "pull" | "issues" if issue.is_pull() => {
                    Some(Located::PullRequest(IssueRef { repo, number }))
                }
                _ => None,
            }
        }
        _ => None,
    }
}

fn search(world: &World, viewer: &Viewer, field: &Field<'_>) -> FieldResult {
    let query = SearchQuery::parse(field.text("query").unwrap_or_default());
    let kind = field.text("type").unwrap_or_default();
    let (count, found): (&'static str, Vec<FieldValue>) = match kind {
        "REPOSITORY" => (
            "repositoryCount",
            world
                .search_repositories(viewer, &query)
                .into_iter()
                .map(|repo| FieldValue::Node(Located::Repository(repo)))
                .collect(),
        ),
        "USER" => (
            "userCount",
            world
                .users
                .values()
                .filter(|user| !user.deleted && !user.bot)
                .filter(|user| {
                    query
                        .words
                        .iter()
                        .all(|word| user.login.contains(word.as_str()))
                })
                .map(|user| FieldValue::Node(Located::User(user.login.clone())))
                .collect(),
        ),
        "DISCUSSION" => ("discussionCount", Vec::new()),
        _ => (
            "issueCount",
            world
                .search_issues(viewer, &query)
                .into_iter()
                .map(|at| match world.issue_at(at) {
                    Some(issue) if issue.is_pull() => FieldValue::Node(Located::PullRequest(at)),
                    _ => FieldValue::Node(Located::Issue(at)),
                })
                .collect(),
        ),
    };
    let total = FieldValue::Json(Value::from(found.len()));
    page::connection_with(field, found, |item| item, vec![(count, total)])
}
