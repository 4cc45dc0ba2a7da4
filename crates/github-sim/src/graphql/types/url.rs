//! Web addresses of nodes.

use super::context::Context;
use crate::world::Located;

/// Returns the web address of a node; `None` for nodes without one.
pub(in crate::graphql) fn url(context: &Context<'_>, place: &Located) -> Option<String> {
    let world = context.world;
    let base = match place.repo() {
        Some(repo) => world.repo(repo)?.url(),
        None => "https://github.com".to_owned(),
    };
    let repo = place.repo().and_then(|repo| world.repo(repo));
    let thread = place.issue().and_then(|at| {
        let issue = world.issue_at(at)?;
        let part = if issue.is_pull() { "pull" } else { "issues" };
        Some(format!("{base}/{part}/{}", at.number))
    });
    Some(match place {
        Located::User(login) | Located::Organization(login) => format!("{base}/{login}"),
        Located::Bot(login) => format!("{base}/apps/{login}"),
        Located::Repository(_) => base,
        Located::Issue(_) | Located::PullRequest(_) => thread?,
        Located::Label(_, id) => format!("{base}/labels/{}", encode(&repo?.label(*id)?.name)),
        Located::Milestone(_, number) => format!("{base}/milestone/{number}"),
        Located::Comment(_, id) => format!("{}#issuecomment-{id}", thread?),
        Located::Review(_, id) => format!("{}#pullrequestreview-{id}", thread?),
        Located::ReviewComment(_, id) => format!("{}#discussion_r{id}", thread?),
        Located::Release(_, id) => {
            let release = repo?.releases.iter().find(|release| release.id == *id)?;
            format!("{base}/releases/tag/{}", release.tag)
        }
        Located::Commit(_, sha) => format!("{base}/commit/{sha}"),
        Located::CheckRun(_, sha, id) => {
            let commit = repo?.commits.get(sha)?;
            let run = commit.check_runs.iter().find(|run| run.id == *id)?;
            run.details_url.clone()
        }
        Located::CheckSuite(_, sha, id) => {
            format!("{base}/commit/{sha}/checks?check_suite_id={id}")
        }
        Located::Workflow(_, id) => format!("{base}/actions/workflows/{id}"),
        Located::WorkflowRun(_, id) => format!("{base}/actions/runs/{id}"),
        Located::Thread(..) | Located::Ref(..) | Located::StatusContext(..) => return None,
        Located::IssueType(..) => return None,
    })
}

fn encode(text: &str) -> String {
    percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC).to_string()
}

/// Returns the path of a web address, as GitHub's `resourcePath` fields do.
pub(super) fn resource_path(address: &str) -> String {
    address.trim_start_matches("https://github.com").to_owned()
}
