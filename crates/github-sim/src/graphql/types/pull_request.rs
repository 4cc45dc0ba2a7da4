//! `PullRequest`.

use super::context::{Context, actor};
use super::{commit, issueish};
use crate::graphql::field::Field;
use crate::graphql::page;
use crate::graphql::root::owner;
use crate::graphql::value::{FieldResult, FieldValue, record, some};
use crate::world::{
    IssueRef, Located, MergeState, Permission, PullRequest, RepoId, Review, ReviewState,
};

pub(super) fn resolve(context: &Context<'_>, at: IssueRef, field: &Field<'_>) -> FieldResult {
    let world = context.world;
    let Some(issue) = world.issue_at(at) else {
        return Ok(None);
    };
    let Some(pull) = &issue.pull else {
        return Ok(None);
    };
    let reviews = |wanted: Vec<&Review>| -> Vec<FieldValue> {
        let wanted = wanted.into_iter();
        wanted
            .map(|review| FieldValue::Node(Located::Review(at, review.id)))
            .collect()
    };
    let may_write = || world.permission(&context.viewer.login, at.repo) >= Permission::Write;
    match field.name() {
        "state" => some(world.pull_state(issue).name()),
        "databaseId" => some(pull.id),
        "fullDatabaseId" => some(pull.id.to_string()),
        "isDraft" => some(pull.draft),
        "merged" => some(pull.merged.is_some()),
        "mergedAt" => some(pull.merged.as_ref().map(|merged| merged.at)),
        "mergedBy" => some(
            pull.merged
                .as_ref()
                .map(|merged| actor(context, &merged.by)),
        ),
        "mergeCommit" => {
            let merged = pull.merged.as_ref();
            some(merged.map(|merged| Located::Commit(at.repo, merged.commit.clone())))
        }
        "mergeable" => some(if pull.merged.is_some() {
            "UNKNOWN"
        } else {
            pull.mergeable.name()
        }),
        "mergeStateStatus" => some(world.merge_state(at).name()),
        "canBeRebased" => some(world.merge_state(at) == MergeState::Clean),
        "reviewDecision" => some(world.review_decision(at).map(|decision| decision.name())),
        "maintainerCanModify" => some(pull.maintainer_can_modify),
        "isCrossRepository" => some(pull.head_repo != at.repo),
        "baseRefName" => some(&pull.base_ref),
        "baseRefOid" => some(&pull.base_sha),
        "headRefName" => some(&pull.head_ref),
        "headRefOid" => some(&pull.head_sha),
        "baseRef" => some(branch(context, at.repo, &pull.base_ref)),
        "headRef" => some(branch(context, pull.head_repo, &pull.head_ref)),
        "baseRepository" => some(Located::Repository(at.repo)),
        "headRepository" => some(Located::Repository(pull.head_repo)),
        "headRepositoryOwner" => {
            let head = world.repo(pull.head_repo);
            some(head.and_then(|repo| owner(world, &repo.owner)))
        }
        "additions" => some(total(context, pull, |file| file.additions)),
        "deletions" => some(total(context, pull, |file| file.deletions)),
        "changedFiles" => some(world.pull_files(pull).len()),
        "files" => {
            let files = world.pull_files(pull).into_iter().map(|file| {
                record("PullRequestChangedFile")
                    .with("path", file.path)
                    .with("additions", file.additions)
                    .with("deletions", file.deletions)
                    .with("changeType", file.change.name())
                    .with("viewerViewedState", "UNVIEWED")
                    .into()
            });
            page::connection(field, files.collect())
        }
        "commits" => {
            let commits = pull.commits.iter().map(|sha| {
                let id = format!("PRC_{sha}");
                record("PullRequestCommit")
                    .with("id", id)
                    .with("commit", Located::Commit(pull.head_repo, sha.clone()))
                    .with("pullRequest", Located::PullRequest(at))
                    .with(
                        "url",
                        format!("{}/commits/{sha}", issueish::address(context, at)),
                    )
                    .into()
            });
            page::connection(field, commits.collect())
        }
        "statusCheckRollup" => some(commit::rollup(context, pull.head_repo, &pull.head_sha)),
        "reviews" => {
            let states = field.texts("states");
            let author = field.text("author");
            let wanted = pull.reviews.iter().filter(|review| {
                let mine = review.author == context.viewer.login;
                (review.state != ReviewState::Pending || mine)
                    && (states.is_empty() || states.iter().any(|s| s == review.state.name()))
                    && author.is_none_or(|author| review.author == author)
            });
            page::connection(field, reviews(wanted.collect()))
        }
        "latestReviews" => page::connection(field, reviews(pull.latest_reviews())),
        "latestOpinionatedReviews" => {
            let mut verdicts = pull.latest_reviews();
            verdicts.retain(|review| review.state != ReviewState::Commented);
            if field.flag("writersOnly") {
                verdicts.retain(|review| {
                    world.permission(&review.author, at.repo) >= Permission::Write
                });
            }
            page::connection(field, reviews(verdicts))
        }
        "viewerLatestReview" => {
            let mut mine = pull.reviews.iter().rev();
            let found = mine.find(|review| review.author == context.viewer.login);
            some(found.map(|review| Located::Review(at, review.id)))
        }
        "reviewRequests" => {
            let requests = pull.requested_reviewers.iter().map(|login| {
                record("ReviewRequest")
                    .with("id", format!("RRQ_{}_{login}", pull.id))
                    .with("requestedReviewer", actor(context, login))
                    .with("pullRequest", Located::PullRequest(at))
                    .into()
            });
            let organization = world.repo(at.repo).map(|repo| repo.owner.as_str());
            let teams = pull.requested_teams.iter().map(|slug| {
                let combined = format!("{}/{slug}", organization.unwrap_or_default());
                let team = record("Team")
                    .with("id", format!("T_{combined}"))
                    .with("name", slug)
                    .with("slug", slug)
                    .with("combinedSlug", combined);
                record("ReviewRequest")
                    .with("id", format!("RRQ_{}_{slug}", pull.id))
                    .with("requestedReviewer", team)
                    .with("pullRequest", Located::PullRequest(at))
                    .into()
            });
            page::connection(field, requests.chain(teams).collect())
        }
        "reviewThreads" => {
            let threads = pull.threads.iter();
            let found = threads.map(|thread| Located::Thread(at, thread.id).into());
            page::connection(field, found.collect())
        }
        "closingIssuesReferences" => {
            let issues = world.closing_references(at).into_iter();
            page::connection(field, issues.map(|i| Located::Issue(i).into()).collect())
        }
        "totalCommentsCount" => {
            let inline: usize = pull
                .threads
                .iter()
                .map(|thread| thread.comments.len())
                .sum();
            some(issue.comments.len() + inline)
        }
        "checksUrl" => some(format!("{}/checks", issueish::address(context, at))),
        "revertUrl" => some(format!("{}/revert", issueish::address(context, at))),
        "viewerMergeHeadlineText" => some(format!("{} (#{})", issue.title, issue.number)),
        "viewerMergeBodyText" => some(&issue.body),
        "viewerCanUpdateBranch" | "viewerCanEditFiles" | "viewerCanDeleteHeadRef" => {
            some(may_write())
        }
        _ => issueish::resolve(context, at, issue, field),
    }
}

fn branch(context: &Context<'_>, repo: RepoId, name: &str) -> Option<Located> {
    let found = context.world.repo(repo)?;
    let known = found.branches.contains_key(name);
    known.then(|| Located::Ref(repo, name.to_owned()))
}

fn total(
    context: &Context<'_>,
    pull: &PullRequest,
    count: impl Fn(&crate::world::ChangedFile) -> u64,
) -> u64 {
    context.world.pull_files(pull).iter().map(count).sum()
}
