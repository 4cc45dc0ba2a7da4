//! `User`, `Organization` and `IssueType`.

use super::context::{Context, actors};
use crate::graphql::field::Field;
use crate::graphql::page;
use crate::graphql::value::{FieldResult, FieldValue, some};
use crate::world::{Located, RepoId};

pub(super) fn user(context: &Context<'_>, login: &str, field: &Field<'_>) -> FieldResult {
    let Some(user) = context.world.users.get(login) else {
        return Ok(None);
    };
    match field.name() {
        "login" => some(&user.login),
        "name" => some(user.name.as_ref()),
        "email" => some(&user.email),
        "bio" => some(user.bio.as_ref()),
        "databaseId" => some(user.id),
        "createdAt" | "updatedAt" => some(user.created_at),
        "isViewer" | "viewerCanAdminister" => some(user.login == context.viewer.login),
        "avatarUrl" => some(avatar(user.id)),
        "repositories" | "topRepositories" => page::connection(field, repositories(context, login)),
        "repository" => repository(context, login, field),
        "organizations" => {
            let organizations = context.world.organizations.values();
            let mine = organizations.filter(|org| org.members.contains(&user.login));
            let found = mine.map(|org| FieldValue::Node(Located::Organization(org.login.clone())));
            page::connection(field, found.collect())
        }
        "organization" => {
            let wanted = field.text("login").unwrap_or_default();
            let org = context.world.organization(wanted);
            let mine = org.filter(|org| org.members.contains(&user.login));
            some(mine.map(|org| Located::Organization(org.login.clone())))
        }
        _ => Ok(None),
    }
}

pub(super) fn organization(context: &Context<'_>, login: &str, field: &Field<'_>) -> FieldResult {
    let Some(org) = context.world.organizations.get(login) else {
        return Ok(None);
    };
    match field.name() {
        "login" => some(&org.login),
        "name" => some(org.name.as_ref()),
        "description" => some(org.description.as_ref()),
        "databaseId" => some(org.id),
        "createdAt" | "updatedAt" => some(org.created_at),
        "avatarUrl" => some(avatar(org.id)),
        "viewerIsAMember" => some(org.members.contains(&context.viewer.login)),
        "repositories" => page::connection(field, repositories(context, login)),
        "repository" => repository(context, login, field),
        "membersWithRole" => page::connection(field, actors(context, org.members.iter())),
        "issueTypes" => {
            let types = org.issue_types.iter();
            let found =
                types.map(|kind| FieldValue::Node(Located::IssueType(login.to_owned(), kind.id)));
            page::connection(field, found.collect())
        }
        _ => Ok(None),
    }
}

pub(super) fn issue_type(
    context: &Context<'_>,
    login: &str,
    id: u64,
    field: &Field<'_>,
) -> FieldResult {
    let org = context.world.organizations.get(login);
    let kind = org.and_then(|org| org.issue_types.iter().find(|kind| kind.id == id));
    let Some(kind) = kind else {
        return Ok(None);
    };
    match field.name() {
        "name" => some(&kind.name),
        "description" => some(kind.description.as_ref()),
        "color" => some(&kind.color),
        "isEnabled" => some(true),
        _ => Ok(None),
    }
}

fn avatar(id: u64) -> String {
    format!("https://avatars.githubusercontent.com/u/{id}?v=4")
}

/// Returns the visible repositories of an owner, most recently pushed first.
fn repositories(context: &Context<'_>, owner: &str) -> Vec<FieldValue> {
    let world = context.world;
    let mut found: Vec<RepoId> = (0..world.repositories.len())
        .map(RepoId)
        .filter(|id| world.can_see(context.viewer, *id))
        .filter(|id| world.repo(*id).is_some_and(|repo| repo.owner == owner))
        .collect();
    found.sort_by_key(|id| std::cmp::Reverse(world.repo(*id).map(|repo| repo.pushed_at)));
    found
        .into_iter()
        .map(|id| FieldValue::Node(Located::Repository(id)))
        .collect()
}

fn repository(context: &Context<'_>, owner: &str, field: &Field<'_>) -> FieldResult {
    let name = field.text("name").unwrap_or_default();
    let found = context.world.visible_repo(context.viewer, owner, name)?;
    some(Located::Repository(found))
}
