//! Changing pull requests. The demo's 27 can be merged, 33 fails, 38 is a draft, 44 conflicts.

use capstan_core::ErrorCode::{Auth, Conflict, NotFound, Validation};
use github_sim::Sim;
use github_sim::world::{IssueRef, Located, MergeRequest, World};
use serde_json::json;

use super::case::Case;
use super::case::Expect::{Change, NoChange, Refusal};
use super::issues_changed::{archived, reader};
use super::pull_states::{
    approval_needed, changes_requested, checks_failed, closed, free_admins, merged,
    required_check_failed,
};
use super::seeds::{STRANGE_BODY, STRANGE_TITLE, newest, open_pull, rocket, viewer};

pub(super) fn cases() -> Vec<Case> {
    [create(), merge(), comment(), review(), reply(), resolve()]
        .into_iter()
        .flatten()
        .collect()
}

fn create() -> Vec<Case> {
    let case = |state, expect, input| Case::new("pr.create", state, expect, input);
    let branch = "count-dropped-frames";
    vec![
        case(
            "plain",
            Change,
            json!({"title": "Count", "head": branch, "base": "main"}),
        )
        .shows(json!({"number": 50})),
        case(
            "draft, unicode",
            Change,
            json!({"title": STRANGE_TITLE, "body": STRANGE_BODY, "head": branch, "base": "main", "draft": true}),
        ),
        case(
            "head with its owner",
            Change,
            json!({"title": "Count", "head": format!("acme:{branch}"), "base": "main"}),
        ),
        case(
            "missing head",
            Refusal(Validation),
            json!({"title": "Count", "head": "no-such-branch", "base": "main"}),
        ),
        case(
            "missing base",
            Refusal(Validation),
            json!({"title": "Count", "head": branch, "base": "no-such-branch"}),
        ),
        case(
            "nothing to merge",
            Refusal(Validation),
            json!({"title": "Count", "head": "main", "base": "main"}),
        ),
        case(
            "open already",
            Refusal(Validation),
            json!({"title": "Count", "head": "engine-vote", "base": "main"}),
        ),
        case(
            "missing repository",
            Refusal(NotFound),
            json!({"repo": "nope", "title": "Count", "head": branch, "base": "main"}),
        ),
        case(
            "no title",
            Refusal(Validation),
            json!({"head": branch, "base": "main"}),
        ),
        case(
            "archived",
            Refusal(Auth),
            json!({"title": "Count", "head": branch, "base": "main"}),
        )
        .on(archived),
    ]
}

fn merge() -> Vec<Case> {
    let case = |state, expect, input| Case::new("pr.merge", state, expect, input);
    let head = Sim::demo().world(|world| {
        let at = demo_pull(world, 27);
        let issue = world.issue_at(at).unwrap();
        issue.pull.as_ref().unwrap().head_sha.clone()
    });
    vec![
        case("merge", Change, json!({"pr_number": 27})),
        case(
            "squash",
            Change,
            json!({"pr_number": 27, "method": "squash"}),
        ),
        case(
            "rebase",
            Change,
            json!({"pr_number": 27, "method": "rebase"}),
        ),
        case(
            "the head that was expected",
            Change,
            json!({"pr_number": 27, "expected_head_sha": head}),
        ),
        case("nothing but a commit", Change, json!({"pr_number": 50})).on(|world| {
            open_pull(world);
        }),
        case("merged", NoChange, json!({"pr_number": 50})).on(merged),
        case(
            "merged by another method",
            NoChange,
            json!({"pr_number": 12, "method": "squash"}),
        ),
        case(
            "another head than expected",
            Refusal(Conflict),
            json!({"pr_number": 27, "expected_head_sha": "0".repeat(40)}),
        ),
        case(
            "against a review that asks for changes",
            Refusal(Conflict),
            json!({"pr_number": 49}),
        ),
        case(
            "against a review, on purpose",
            Change,
            json!({"pr_number": 49, "admin": true}),
        ),
        case(
            "without the review that is required",
            Refusal(Conflict),
            json!({"pr_number": 50}),
        )
        .on(approval_needed),
        case(
            "without the required review, on purpose, by an administrator who may",
            Change,
            json!({"pr_number": 50, "admin": true}),
        )
        .on(|world| {
            approval_needed(world);
            free_admins(world);
        }),
        case(
            "an administrator who may, not on purpose",
            Refusal(Conflict),
            json!({"pr_number": 50}),
        )
        .on(|world| {
            approval_needed(world);
            free_admins(world);
        }),
        case(
            "without the required review, on purpose, where GitHub insists",
            Refusal(Validation),
            json!({"pr_number": 50, "admin": true}),
        )
        .on(approval_needed),
        case(
            "with a required check that failed",
            Refusal(Conflict),
            json!({"pr_number": 50}),
        )
        .on(required_check_failed),
        case(
            "with checks that failed and nobody requires",
            Change,
            json!({"pr_number": 50}),
        )
        .on(checks_failed),
        case(
            "changes requested, then merged",
            NoChange,
            json!({"pr_number": 50}),
        )
        .on(|world| {
            changes_requested(world);
            let at = newest(world);
            world
                .merge_pull_request(&viewer(), at, &MergeRequest::default())
                .unwrap();
        }),
        case("conflicting", Refusal(Conflict), json!({"pr_number": 44})),
        case("draft", Refusal(Conflict), json!({"pr_number": 38})),
        case("closed", Refusal(Conflict), json!({"pr_number": 50})).on(closed),
        case(
            "method not allowed here",
            Refusal(Validation),
            json!({"pr_number": 27, "method": "rebase"}),
        )
        .on(|world| {
            let repo = rocket(world);
            world.repo_mut(repo).unwrap().rebase_merge_allowed = false;
        }),
        case(
            "missing pull request",
            Refusal(NotFound),
            json!({"pr_number": 999}),
        ),
        case(
            "number of an issue",
            Refusal(NotFound),
            json!({"pr_number": 1}),
        ),
        case("not allowed", Refusal(Auth), json!({"pr_number": 27})).on(reader),
    ]
}

fn comment() -> Vec<Case> {
    let case = |state, expect, input| Case::new("pr.comments.create", state, expect, input);
    vec![
        case("open", Change, json!({"pr_number": 27, "body": "ok"})),
        case(
            "merged, unicode",
            Change,
            json!({"pr_number": 12, "body": STRANGE_BODY}),
        ),
        case(
            "missing pull request",
            Refusal(NotFound),
            json!({"pr_number": 999, "body": "ok"}),
        ),
        case(
            "number of an issue",
            Refusal(NotFound),
            json!({"pr_number": 1, "body": "ok"}),
        ),
        case(
            "blank",
            Refusal(Validation),
            json!({"pr_number": 27, "body": "  "}),
        ),
    ]
}

fn review() -> Vec<Case> {
    let case = |state, expect, input| Case::new("pr.reviews.submit", state, expect, input);
    vec![
        case(
            "approve",
            Change,
            json!({"pr_number": 27, "event": "approve"}),
        )
        .shows(json!({"state": "approved"})),
        case(
            "approve, unicode",
            Change,
            json!({"pr_number": 33, "event": "approve", "body": STRANGE_BODY}),
        ),
        case(
            "request changes",
            Change,
            json!({"pr_number": 33, "event": "request_changes", "body": "no"}),
        )
        .shows(json!({"state": "changes_requested"})),
        case(
            "comment",
            Change,
            json!({"pr_number": 49, "event": "comment", "body": "hm"}),
        )
        .shows(json!({"state": "commented"})),
        case(
            "approve one's own",
            Refusal(Validation),
            json!({"pr_number": 50, "event": "approve"}),
        )
        .on(|world| {
            open_pull(world);
        }),
        case(
            "comment on one's own",
            Change,
            json!({"pr_number": 50, "event": "comment", "body": "hm"}),
        )
        .on(|world| {
            open_pull(world);
        }),
        case(
            "comment without a text",
            Refusal(Validation),
            json!({"pr_number": 27, "event": "comment"}),
        ),
        case(
            "missing pull request",
            Refusal(NotFound),
            json!({"pr_number": 999, "event": "approve"}),
        ),
        case(
            "number of an issue",
            Refusal(NotFound),
            json!({"pr_number": 1, "event": "approve"}),
        ),
    ]
}

fn reply() -> Vec<Case> {
    let case = |state, expect, thread: String, body: &str| {
        let input = json!({"thread_id": thread, "body": body});
        Case::new("pr.threads.reply", state, expect, json!({})).exactly(input)
    };
    vec![
        case("unresolved", Change, thread(49, 0), "Done.")
            .shows(json!({"pr_number": 49, "path": "uplink/src/command.rs", "resolved": false})),
        case("resolved, unicode", Change, thread(27, 0), STRANGE_BODY)
            .shows(json!({"pr_number": 27, "resolved": true})),
        case("missing thread", Refusal(NotFound), missing_thread(), "x"),
        case(
            "not a node id",
            Refusal(NotFound),
            "nonsense".to_owned(),
            "x",
        ),
        case("empty", Refusal(Validation), thread(49, 0), ""),
    ]
}

fn resolve() -> Vec<Case> {
    let case = |state, expect, thread: String| {
        let input = json!({"thread_id": thread});
        Case::new("pr.threads.resolve", state, expect, json!({})).exactly(input)
    };
    vec![
        case("unresolved", Change, thread(49, 0)).shows(json!({"resolved": true})),
        case("another", Change, thread(49, 1)),
        case("resolved", NoChange, thread(27, 0)).shows(json!({"resolved": true})),
        case("missing thread", Refusal(NotFound), missing_thread()),
        case("id of something else", Refusal(NotFound), issue_id()),
        case("not a node id", Refusal(NotFound), "nonsense".to_owned()),
        case("not allowed", Refusal(Auth), thread(49, 0)).on(reader),
    ]
}

fn demo_pull(world: &World, number: u64) -> IssueRef {
    let repo = rocket(world);
    IssueRef { repo, number }
}

/// The node id of a thread of the demo.
fn thread(number: u64, index: usize) -> String {
    Sim::demo().world(|world| {
        let at = demo_pull(world, number);
        let pull = world.issue_at(at).unwrap().pull.as_ref().unwrap();
        let place = Located::Thread(at, pull.threads[index].id);
        world.node_id(&place).unwrap()
    })
}

fn missing_thread() -> String {
    Sim::demo().world(|world| {
        let place = Located::Thread(demo_pull(world, 49), 4_000_000);
        world.node_id(&place).unwrap()
    })
}

fn issue_id() -> String {
    Sim::demo().world(|world| {
        let place = Located::Issue(demo_pull(world, 1));
        world.node_id(&place).unwrap()
    })
}
