//! The states in which a pull request may be; each is the state of pull request 50.

use github_sim::world::{
    CheckConclusion, CommitStatus, MergeRequest, Mergeable, NewReview, NewReviewComment,
    ReviewEvent, ReviewState, Side, Viewer, World,
};
use serde_json::json;

use super::case::State;
use super::seeds::{
    DELETED, STRANGE_BODY, STRANGE_TITLE, VIEWER, comment_35_times, employ_bot, label_amply,
    newest, open_pull, pull, rocket, subject, viewer,
};

pub(super) fn all() -> Vec<State> {
    let state = |name, seed, shows| State { name, seed, shows };
    let none = json!({"total": 0, "passed": 0, "failed": 0, "pending": 0});
    vec![
        state(
            "nothing but a commit",
            |world| {
                open_pull(world);
            },
            json!({"state": "open", "draft": false, "body": "", "labels": [], "merge_state": "clean",
                "ready": true, "blockers": [], "requested_reviewers": [], "unresolved_threads": 0,
                "additions": 12, "deletions": 5, "changed_files": 1, "checks": none}),
        ),
        state(
            "draft",
            |world| pull(open_pull(world)).draft = true,
            json!({"draft": true, "merge_state": "draft", "ready": false, "blockers": ["it is a draft"]}),
        ),
        state(
            "merged",
            merged,
            json!({"state": "merged", "merge_state": "unknown", "merged_by": "maya-chen"}),
        ),
        state("closed unmerged", closed, json!({"state": "closed"})),
        state(
            "conflicting",
            |world| pull(open_pull(world)).mergeable = Mergeable::Conflicting,
            json!({"merge_state": "dirty"}),
        ),
        state(
            "mergeability being computed",
            |world| pull(open_pull(world)).mergeable = Mergeable::Unknown,
            json!({"merge_state": "unknown"}),
        ),
        state(
            "approval needed",
            approval_needed,
            json!({"merge_state": "blocked", "review_decision": "review_required", "ready": false,
                "blockers": ["a review is required", "a rule of the base branch blocks it"]}),
        ),
        state(
            "changes requested, and no rule requires a review",
            |world| review(world, ReviewEvent::RequestChanges),
            json!({"merge_state": "clean", "review_decision": "changes_requested", "ready": false,
                "blockers": ["changes requested by priya-nair"]}),
        ),
        state(
            "approved, and no rule requires a review",
            |world| review(world, ReviewEvent::Approve),
            json!({"merge_state": "clean", "review_decision": "approved", "ready": true, "blockers": []}),
        ),
        state(
            "changes requested, then dismissed",
            |world| {
                review(world, ReviewEvent::RequestChanges);
                pull(subject(world)).reviews[0].state = ReviewState::Dismissed;
            },
            json!({"merge_state": "clean", "ready": true, "blockers": []}),
        ),
        state(
            "changes requested where a review is required",
            |world| {
                review(world, ReviewEvent::RequestChanges);
                require_approval(world);
            },
            json!({"merge_state": "blocked", "review_decision": "changes_requested", "ready": false}),
        ),
        state(
            "reviews requested of people and a team",
            |world| {
                let pull = pull(open_pull(world));
                pull.requested_reviewers = vec!["tomas-silva".to_owned(), "akira-mori".to_owned()];
                pull.requested_teams = vec!["propulsion".to_owned()];
            },
            json!({"requested_reviewers": ["Team", "akira-mori", "tomas-silva"], "ready": true}),
        ),
        state(
            "a required check that failed",
            required_check_failed,
            json!({"merge_state": "blocked", "ready": false, "checks": {"failing": ["build"]},
                "blockers": ["required checks failed: build", "a rule of the base branch blocks it"]}),
        ),
        state(
            "checks and statuses of every kind",
            checked,
            json!({"merge_state": "unstable", "checks": {"total": 16, "passed": 2, "failed": 6,
                "pending": 5, "skipped": 1, "neutral": 1, "cancelled": 1,
                "failing": ["ci/outside-2", "ci/outside-3", "job 1", "job 3", "job 4", "job 8"]},
                "ready": false}),
        ),
        state(
            "all green",
            green,
            json!({"merge_state": "clean", "checks": {"total": 40, "passed": 40, "failed": 0, "pending": 0}}),
        ),
        state(
            "unicode",
            |world| {
                let issue = open_pull(world);
                issue.title = STRANGE_TITLE.to_owned();
                issue.body = STRANGE_BODY.to_owned();
            },
            json!({"title": STRANGE_TITLE, "body": STRANGE_BODY}),
        ),
        state(
            "30 labels",
            |world| {
                open_pull(world);
                label_amply(world);
            },
            json!({"number": 50}),
        ),
        state(
            "deleted author",
            |world| open_pull(world).author = DELETED.to_owned(),
            json!({"author": "ghost"}),
        ),
        state("bot author", by_bot, json!({"author": "dependabot"})),
        state(
            "35 comments and review threads",
            |world| {
                threads(world);
                comment_35_times(world);
            },
            json!({"comments": 35, "unresolved_threads": 4}),
        ),
    ]
}

/// All states at once, from pull request 50 on; for lists.
pub(super) fn everything(world: &mut World) {
    let rules = [
        "approval needed",
        "where a review is required",
        "a required check",
    ];
    let bound = |state: &State| rules.iter().any(|rule| state.name.contains(rule));
    for state in all().iter().filter(|state| !bound(state)) {
        (state.seed)(world);
    }
}

pub(super) fn merged(world: &mut World) {
    open_pull(world);
    let at = newest(world);
    world
        .merge_pull_request(&viewer(), at, &MergeRequest::default())
        .unwrap();
}

pub(super) fn closed(world: &mut World) {
    open_pull(world);
    let at = newest(world);
    world.close_pull_request(&viewer(), at).unwrap();
}

/// Check runs with every conclusion and none, statuses with every state.
pub(super) fn checked(world: &mut World) {
    let sha = pull(open_pull(world)).head_sha.clone();
    let repo = rocket(world);
    let conclusions = [
        CheckConclusion::Success,
        CheckConclusion::Failure,
        CheckConclusion::Neutral,
        CheckConclusion::Cancelled,
        CheckConclusion::Skipped,
        CheckConclusion::TimedOut,
        CheckConclusion::ActionRequired,
        CheckConclusion::Stale,
        CheckConclusion::StartupFailure,
    ];
    for (index, conclusion) in conclusions.into_iter().enumerate() {
        let name = format!("job {}", 9 - index);
        world.add_check_run(repo, &sha, Some("CI"), &name, Some(conclusion));
    }
    world.add_check_run(repo, &sha, None, "Überprüfung 🚀 \"läuft\"", None);
    world.add_check_run(repo, &sha, Some("CI"), "same name", None);
    let states = [
        CommitStatus::Success,
        CommitStatus::Failure,
        CommitStatus::Error,
        CommitStatus::Pending,
    ];
    for (index, state) in states.into_iter().enumerate() {
        let context = format!("ci/outside-{}", 4 - index);
        world.add_status(repo, &sha, &context, state, "said so");
    }
    world.add_status(repo, &sha, "same name", CommitStatus::Pending, "");
    let commit = world.repo_mut(repo).unwrap().commits.get_mut(&sha).unwrap();
    commit.statuses[0].target_url = None;
}

pub(super) fn green(world: &mut World) {
    let sha = pull(open_pull(world)).head_sha.clone();
    let repo = rocket(world);
    for index in 0..35 {
        let name = format!("shard {index}");
        world.add_check_run(
            repo,
            &sha,
            Some("CI"),
            &name,
            Some(CheckConclusion::Success),
        );
    }
    for index in 0..5 {
        let context = format!("ci/{index}");
        world.add_status(repo, &sha, &context, CommitStatus::Success, "fine");
    }
}

/// Threads: open and resolved, outdated, without a line, with replies, by the deleted and by an app.
pub(super) fn threads(world: &mut World) {
    let bot = employ_bot(world);
    open_pull(world);
    let at = newest(world);
    let talks: [(&str, &[&str]); 5] = [
        ("priya-nair", &[]),
        ("jonas-weber", &[VIEWER]),
        ("akira-mori", &[VIEWER, "akira-mori", VIEWER]),
        ("tomas-silva", &[]),
        ("tomas-silva", &["priya-nair"]),
    ];
    for (index, (opener, replies)) in (0..).zip(talks) {
        let first = NewReviewComment {
            path: "propulsion/src/nozzle.rs".to_owned(),
            line: Some(10 + index),
            start_line: None,
            side: Side::Right,
            body: format!("{STRANGE_TITLE}\n{index}"),
        };
        let (thread, _) = world
            .add_review_comment(&Viewer::full(opener), at, first)
            .unwrap();
        for author in replies {
            world
                .reply_to_thread(&Viewer::full(author), at, thread, STRANGE_BODY)
                .unwrap();
        }
    }
    let threads = &mut pull(subject(world)).threads;
    threads[1].resolved_by = Some(VIEWER.to_owned());
    threads[2].outdated = true;
    threads[2].line = None;
    threads[3].comments[0].author = DELETED.to_owned();
    threads[4].comments[0].author = bot;
    threads[4].comments[1].author = DELETED.to_owned();
}

/// A review in every state, also by the deleted and by an app; the last is the viewer's and not sent yet.
pub(super) fn reviewed(world: &mut World) {
    let bot = employ_bot(world);
    open_pull(world);
    let at = newest(world);
    let reviews = [
        ("priya-nair", Some(ReviewEvent::Approve), STRANGE_BODY),
        ("jonas-weber", Some(ReviewEvent::RequestChanges), "No."),
        ("tomas-silva", Some(ReviewEvent::Comment), "Hm."),
        ("akira-mori", Some(ReviewEvent::Approve), "Fine."),
        (VIEWER, None, ""),
    ];
    for (author, event, body) in reviews {
        let review = NewReview {
            event,
            body: body.to_owned(),
            ..NewReview::default()
        };
        world.add_review(&Viewer::full(author), at, review).unwrap();
    }
    let reviews = &mut pull(subject(world)).reviews;
    reviews[1].author = DELETED.to_owned();
    reviews[2].author = bot;
    reviews[3].state = ReviewState::Dismissed;
}

pub(super) fn approval_needed(world: &mut World) {
    open_pull(world);
    require_approval(world);
}

fn require_approval(world: &mut World) {
    let repo = rocket(world);
    world.repo_mut(repo).unwrap().required_approvals = 1;
}

/// A new pull request with a review by somebody who may write.
fn review(world: &mut World, event: ReviewEvent) {
    open_pull(world);
    let at = newest(world);
    let review = NewReview {
        event: Some(event),
        body: "Seen.".to_owned(),
        ..NewReview::default()
    };
    world
        .add_review(&Viewer::full("priya-nair"), at, review)
        .unwrap();
}

pub(super) fn changes_requested(world: &mut World) {
    review(world, ReviewEvent::RequestChanges);
}

/// A required check and another one fail.
pub(super) fn required_check_failed(world: &mut World) {
    let sha = pull(open_pull(world)).head_sha.clone();
    let repo = rocket(world);
    world.add_check_run(
        repo,
        &sha,
        Some("CI"),
        "build",
        Some(CheckConclusion::Failure),
    );
    world.repo_mut(repo).unwrap().required_checks = vec!["build".to_owned()];
}

/// Two checks fail that nobody requires.
pub(super) fn checks_failed(world: &mut World) {
    let sha = pull(open_pull(world)).head_sha.clone();
    let repo = rocket(world);
    world.add_check_run(
        repo,
        &sha,
        Some("CI"),
        "lint",
        Some(CheckConclusion::Failure),
    );
    world.add_status(repo, &sha, "ci/slow", CommitStatus::Error, "broke");
}

/// What is required binds administrators no more.
pub(super) fn free_admins(world: &mut World) {
    let repo = rocket(world);
    world.repo_mut(repo).unwrap().enforce_admins = false;
}

fn by_bot(world: &mut World) {
    let bot = employ_bot(world);
    open_pull(world).author = bot;
}
