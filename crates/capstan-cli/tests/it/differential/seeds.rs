//! Ways to change the demo's world. The first new issue or pull request is number 50.

use github_sim::world::{
    ChangeKind, ChangedFile, Issue, IssueRef, NewIssue, NewPullRequest, PullRequest, RepoId,
    Viewer, World,
};

pub(super) const VIEWER: &str = "maya-chen";

/// The one who left.
pub(super) const DELETED: &str = "lena-koch";

/// Names with everything in them that is easily mistreated on the way.
pub(super) const STRANGE_TITLE: &str =
    "\"Ünïcödé\" \\n 日本語 🚀👩‍🚀 עברית مرحبا e\u{301} $HOME `x` <b>&amp;</b> {owner} %20 'q'";
pub(super) const STRANGE_BODY: &str = "first line\nsecond\r\n\ttabbed\n\n```sh\necho \"a\\b\" 'c'\n```\n\u{200f}שלום\u{200e} \u{2028} \u{feff} \u{fffd} \u{1F9D1}\u{200D}\u{1F680}\n{\"json\": [null, 1.0, \"\\u00e9\"]}\n  trailing  \n\n";

pub(super) fn rocket(world: &World) -> RepoId {
    world.find_repo("acme", "rocket").unwrap()
}

pub(super) fn viewer() -> Viewer {
    Viewer::full(VIEWER)
}

/// Opens the issue that a state is about: no text, labels, people or milestone.
pub(super) fn open_issue(world: &mut World) -> &mut Issue {
    let repo = rocket(world);
    let new = NewIssue {
        title: "Nozzle".to_owned(),
        ..NewIssue::default()
    };
    let at = world.create_issue(&viewer(), repo, new).unwrap();
    world.issue_at_mut(at).unwrap()
}

/// Opens the pull request that a state is about: no text, labels, checks or reviews.
pub(super) fn open_pull(world: &mut World) -> &mut Issue {
    let repo = rocket(world);
    let branch = format!("nozzle-{}", newest(world).number + 1);
    let file = ChangedFile {
        path: "propulsion/src/nozzle.rs".to_owned(),
        change: ChangeKind::Modified,
        additions: 12,
        deletions: 5,
    };
    world.push_commit(repo, &branch, VIEWER, "Widen the nozzle", vec![file]);
    let new = NewPullRequest {
        title: "Nozzle".to_owned(),
        head: branch,
        base: "main".to_owned(),
        ..NewPullRequest::default()
    };
    let at = world.create_pull_request(&viewer(), repo, new).unwrap();
    world.issue_at_mut(at).unwrap()
}

/// Where the issue or pull request that was opened last is.
pub(super) fn newest(world: &World) -> IssueRef {
    let repo = rocket(world);
    let issues = &world.repo(repo).unwrap().issues;
    let (number, _) = issues.last_key_value().unwrap();
    IssueRef {
        repo,
        number: *number,
    }
}

pub(super) fn pull(issue: &mut Issue) -> &mut PullRequest {
    issue.pull.as_mut().unwrap()
}

pub(super) fn subject(world: &mut World) -> &mut Issue {
    let at = newest(world);
    world.issue_at_mut(at).unwrap()
}

/// Thirty labels on the subject, in an order that is neither theirs nor their making's.
pub(super) fn label_amply(world: &mut World) {
    let repo = rocket(world);
    let mut ids: Vec<u64> = (0..30)
        .map(|index| {
            let name = match index % 3 {
                0 => format!("Area {index}"),
                1 => format!("area: {index}, {}", "x".repeat(index)),
                _ => format!("зона-{index} 🚀"),
            };
            world.add_label(repo, &name, "ededed", "")
        })
        .collect();
    ids.reverse();
    ids.rotate_left(7);
    subject(world).labels = ids;
}

pub(super) fn comment_35_times(world: &mut World) {
    let at = newest(world);
    let authors = [VIEWER, "priya-nair", "akira-mori"];
    for index in 0..35 {
        let author = Viewer::full(authors[index % authors.len()]);
        world
            .add_comment(&author, at, &format!("Remark {index}\n"))
            .unwrap();
    }
}

/// An app's account that can be named as an author.
pub(super) fn employ_bot(world: &mut World) -> String {
    world.add_bot("dependabot");
    "dependabot".to_owned()
}
