//! `Repository`.

use super::context::{Context, html};
use super::{issueish, label};
use crate::graphql::field::Field;
use crate::graphql::page;
use crate::graphql::root::owner;
use crate::graphql::value::{FieldResult, FieldValue, ResolveError, record, some};
use crate::world::{IssueFilter, IssueRef, Located, Permission, RepoId, Repository};

pub(super) fn resolve(context: &Context<'_>, id: RepoId, field: &Field<'_>) -> FieldResult {
    let Some(repo) = context.world.repo(id) else {
        return Ok(None);
    };
    match settings(context, id, repo, field)? {
        Some(value) => Ok(Some(value)),
        None => contents(context, id, repo, field),
    }
}

/// Resolves the settings of the repository and the viewer's permissions.
fn settings(
    context: &Context<'_>,
    id: RepoId,
    repo: &Repository,
    field: &Field<'_>,
) -> FieldResult {
    let world = context.world;
    let permission = world.permission(&context.viewer.login, id);
    match field.name() {
        "name" => some(&repo.name),
        "nameWithOwner" => some(repo.full_name()),
        "owner" => Ok(owner(world, &repo.owner).map(FieldValue::from)),
        "databaseId" => some(repo.id),
        "description" => some(repo.description.as_ref()),
        "descriptionHTML" | "shortDescriptionHTML" => {
            some(html(repo.description.as_deref().unwrap_or_default()))
        }
        "homepageUrl" => some(repo.homepage.as_ref()),
        "sshUrl" => some(format!("git@github.com:{}.git", repo.full_name())),
        "projectsUrl" => some(format!("{}/projects", repo.url())),
        "visibility" => some(repo.visibility.name()),
        "isPrivate" => some(repo.is_private()),
        "isArchived" => some(repo.archived),
        "isFork" => some(repo.is_fork),
        "isTemplate" => some(repo.is_template),
        "isEmpty" => some(repo.commits.is_empty()),
        "isInOrganization" => some(world.organization(&repo.owner).is_some()),
        "isBlankIssuesEnabled" | "forkingAllowed" => some(true),
        "hasIssuesEnabled" => some(repo.has_issues),
        "hasWikiEnabled" => some(repo.has_wiki),
        "hasProjectsEnabled" => some(repo.has_projects),
        "hasDiscussionsEnabled" => some(repo.has_discussions),
        "mergeCommitAllowed" => some(repo.merge_commit_allowed),
        "squashMergeAllowed" => some(repo.squash_merge_allowed),
        "rebaseMergeAllowed" => some(repo.rebase_merge_allowed),
        "autoMergeAllowed" => some(repo.auto_merge_allowed),
        "deleteBranchOnMerge" => some(repo.delete_branch_on_merge),
        "stargazerCount" => some(repo.stars),
        "forkCount" => some(repo.forks),
        "createdAt" => some(repo.created_at),
        "updatedAt" => some(repo.updated_at),
        "pushedAt" => some(repo.pushed_at),
        "licenseInfo" => some(repo.license.as_ref().map(|license| {
            record("License")
                .with("key", &license.key)
                .with("name", &license.name)
                .with("spdxId", &license.spdx_id)
                .with("nickname", FieldValue::Null)
        })),
        "primaryLanguage" => some(repo.language.as_ref().map(|name| {
            record("Language")
                .with("name", name)
                .with("color", FieldValue::Null)
        })),
        "viewerPermission" => some((permission > Permission::None).then(|| permission.name())),
        "viewerCanAdminister" => some(permission >= Permission::Admin),
        "viewerCanCreateProjects" | "viewerCanUpdateTopics" => {
            some(permission >= Permission::Write)
        }
        "viewerCanSubscribe" => some(true),
        "viewerDefaultMergeMethod" => some(if repo.merge_commit_allowed {
            "MERGE"
        } else if repo.squash_merge_allowed {
            "SQUASH"
        } else {
            "REBASE"
        }),
        _ => Ok(None),
    }
}

/// Resolves the contents of the repository.
fn contents(
    context: &Context<'_>,
    id: RepoId,
    repo: &Repository,
    field: &Field<'_>,
) -> FieldResult {
    match field.name() {
        "issue" => {
            let number = number(field);
            match repo.issue(number) {
                Some(_) => some(Located::Issue(IssueRef { repo: id, number })),
                None => Err(number_not_found("an Issue", number)),
            }
        }
        "pullRequest" => {
            let number = number(field);
            match repo.pull(number) {
                Some(_) => some(Located::PullRequest(IssueRef { repo: id, number })),
                None => Err(number_not_found("a PullRequest", number)),
            }
        }
        "issueOrPullRequest" => {
            let number = number(field);
            let at = IssueRef { repo: id, number };
            match repo.issues.get(&number) {
                Some(issue) if issue.is_pull() => some(Located::PullRequest(at)),
                Some(_) => some(Located::Issue(at)),
                None => Err(number_not_found("an issue or pull request", number)),
            }
        }
        "issues" => issueish::list(context, id, issue_filter(context, repo, field), field),
        "pullRequests" => {
            let filter = IssueFilter {
                pulls: Some(true),
                ..IssueFilter::default()
            };
            issueish::list(context, id, filter, field)
        }
        "pinnedIssues" => {
            let pinned = repo
                .issues
                .values()
                .filter(|issue| issue.pinned)
                .map(|issue| {
                    let number = issue.number;
                    record("PinnedIssue")
                        .with("issue", Located::Issue(IssueRef { repo: id, number }))
                        .into()
                });
            page::connection(field, pinned.collect())
        }
        "label" => {
            let label = repo.label_named(field.text("name").unwrap_or_default());
            some(label.map(|label| Located::Label(id, label.id)))
        }
        "labels" => {
            let ids: Vec<u64> = repo.labels.iter().map(|label| label.id).collect();
            label::labels(context, id, &ids, field)
        }
        "milestone" => {
            let number = number(field);
            match repo.milestone(number) {
                Some(_) => some(Located::Milestone(id, number)),
                None => Err(number_not_found("a Milestone", number)),
            }
        }
        "milestones" => label::milestones(context, id, field),
        "issueTypes" => {
            let org = context.world.organization(&repo.owner);
            let types = org.into_iter().flat_map(|org| &org.issue_types);
            let found = types.map(|kind| Located::IssueType(repo.owner.clone(), kind.id).into());
            page::connection(field, found.collect())
        }
        "issueType" => {
            let org = context.world.organization(&repo.owner);
            let wanted = field.text("name").unwrap_or_default();
            let mut types = org.into_iter().flat_map(|org| &org.issue_types);
            let kind = types.find(|kind| kind.name == wanted);
            some(kind.map(|kind| Located::IssueType(repo.owner.clone(), kind.id)))
        }
        "assignableUsers" | "mentionableUsers" | "suggestedActors" | "collaborators" => {
            let query = field.text("query").or(field.text("loginNames"));
            let query = query.unwrap_or_default().to_lowercase();
            let users = context.world.assignable(id).into_iter();
            let found = users.filter(|user| user.login.to_lowercase().contains(&query));
            page::connection(
                field,
                found
                    .map(|u| Located::User(u.login.clone()).into())
                    .collect(),
            )
        }
        "releases" => {
            let mut releases: Vec<_> = repo.releases.iter().collect();
            releases.sort_by_key(|release| (release.created_at, release.id));
            let descending = field.order().is_none_or(|(_, descending)| descending);
            if descending {
                releases.reverse();
            }
            page::connection(
                field,
                releases
                    .iter()
                    .map(|r| Located::Release(id, r.id).into())
                    .collect(),
            )
        }
        "release" => {
            let tag = field.text("tagName").unwrap_or_default();
            let release = repo.releases.iter().find(|release| release.tag == tag);
            some(release.map(|release| Located::Release(id, release.id)))
        }
        "latestRelease" => some(repo.latest_release().map(|r| Located::Release(id, r.id))),
        "repositoryTopics" => {
            let topics = repo.topics.iter().map(|topic| {
                record("RepositoryTopic")
                    .with("topic", record("Topic").with("name", topic))
                    .with("url", format!("https://github.com/topics/{topic}"))
                    .into()
            });
            page::connection(field, topics.collect())
        }
        "languages" => {
            let languages = repo.language.iter().map(|name| {
                record("LanguageEdge")
                    .with("size", 1_u64)
                    .with("node", record("Language").with("name", name))
                    .into()
            });
            let node = |edge: FieldValue| match edge {
                FieldValue::Record(edge) => edge
                    .fields
                    .into_iter()
                    .find_map(|(name, value)| (name == "node").then_some(value))
                    .unwrap_or(FieldValue::Null),
                other => other,
            };
            page::connection_with(field, languages.collect(), node, Vec::new())
        }
        "stargazers" | "watchers" | "forks" => count_only(repo, field),
        "discussionCategories" => {
            let categories = ["General", "Ideas", "Q&A"].map(|name| {
                let slug = name.to_lowercase().replace('&', "-");
                record("DiscussionCategory")
                    .with("id", format!("DiscussionCategory:{slug}"))
                    .with("name", name)
                    .with("slug", slug)
                    .into()
            });
            page::connection(field, categories.to_vec())
        }
        "branchProtectionRules" => {
            let rule = record("BranchProtectionRule")
                .with(
                    "id",
                    format!("BranchProtectionRule:{}", repo.default_branch),
                )
                .with("pattern", &repo.default_branch);
            page::connection(field, vec![rule.into()])
        }
        "defaultBranchRef" => some(branch(id, repo, &repo.default_branch)),
        "ref" => {
            let name = field.text("qualifiedName").unwrap_or_default();
            let short = name.strip_prefix("refs/heads/").unwrap_or(name);
            some(branch(id, repo, short))
        }
        "refs" => {
            let heads = field
                .text("refPrefix")
                .unwrap_or_default()
                .starts_with("refs/heads");
            let query = field.text("query").unwrap_or_default();
            let names = repo
                .branches
                .keys()
                .filter(|name| heads && name.contains(query));
            page::connection(
                field,
                names
                    .map(|name| Located::Ref(id, name.clone()).into())
                    .collect(),
            )
        }
        "object" => some(object(id, repo, field)),
        _ => Ok(None),
    }
}

fn number(field: &Field<'_>) -> u64 {
    let number = field.number("number").unwrap_or_default();
    u64::try_from(number).unwrap_or_default()
}

fn number_not_found(what: &str, number: u64) -> ResolveError {
    ResolveError::not_found(format!(
        "Could not resolve to {what} with the number of {number}."
    ))
}

fn issue_filter(context: &Context<'_>, repo: &Repository, field: &Field<'_>) -> IssueFilter {
    let mut filter = IssueFilter {
        pulls: Some(false),
        ..IssueFilter::default()
    };
    let Some(by) = field.argument("filterBy") else {
        return filter;
    };
    let text = |key: &str| by[key].as_str().map(str::to_owned);
    let is_null = |key: &str| by.get(key).is_some_and(serde_json::Value::is_null);
    filter.author = text("createdBy");
    filter.assignee = text("assignee").or(is_null("assignee").then(|| "none".to_owned()));
    filter.mentioned = text("mentioned");
    filter.any_label = crate::graphql::field::texts(by.get("labels"));
    filter.since = text("since").and_then(|since| {
        time::OffsetDateTime::parse(&since, &time::format_description::well_known::Rfc3339).ok()
    });
    if let [state] = crate::graphql::field::texts(by.get("states")).as_slice() {
        filter.state = crate::world::IssueState::parse(state);
    }
    // `milestone` is a node id or a title; `milestoneNumber` is a number as text.
    let number_of_title = |wanted: &str| {
        let mut milestones = repo.milestones.iter();
        milestones
            .find(|m| m.title == wanted || m.number.to_string() == wanted)
            .map(|m| m.number.to_string())
    };
    filter.milestone = text("milestoneNumber")
        .or_else(|| {
            let wanted = text("milestone")?;
            match context.world.node(context.viewer, &wanted) {
                Ok(Located::Milestone(_, number)) => Some(number.to_string()),
                _ => number_of_title(&wanted).or(Some(wanted)),
            }
        })
        .or((is_null("milestone") || is_null("milestoneNumber")).then(|| "none".to_owned()));
    filter
}

/// Resolves stars, watchers and forks. The world only counts them, so the page is empty.
fn count_only(repo: &Repository, field: &Field<'_>) -> FieldResult {
    let total = match field.name() {
        "stargazers" => repo.stars,
        "watchers" => repo.watchers,
        _ => repo.forks,
    };
    let page = page::connection(field, Vec::new())?;
    Ok(page.map(|page| match page {
        FieldValue::Record(mut connection) => {
            connection.fields.retain(|(name, _)| *name != "totalCount");
            connection.with("totalCount", total).into()
        }
        other => other,
    }))
}

fn branch(id: RepoId, repo: &Repository, name: &str) -> Option<Located> {
    let known = repo.branches.contains_key(name);
    known.then(|| Located::Ref(id, name.to_owned()))
}

/// Resolves a git expression: a commit, or a file as `ref:path`.
fn object(id: RepoId, repo: &Repository, field: &Field<'_>) -> FieldValue {
    let expression = field
        .text("expression")
        .or(field.text("oid"))
        .unwrap_or_default();
    let resolve = |reference: &str| {
        let reference = if reference == "HEAD" {
            &repo.default_branch
        } else {
            reference
        };
        repo.commit(reference)
    };
    match expression.split_once(':') {
        None => resolve(expression)
            .map(|commit| Located::Commit(id, commit.sha.clone()))
            .into(),
        Some((reference, path)) => {
            let text = resolve(reference).and_then(|_| repo.files.get(path));
            text.map(|text| {
                record("Blob")
                    .with("text", text)
                    .with("byteSize", text.len())
                    .with("isBinary", false)
                    .with("isTruncated", false)
                    .with("repository", Located::Repository(id))
            })
            .into()
        }
    }
}
