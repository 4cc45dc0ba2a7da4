//! Sequences of writes that would end otherwise in another order.

use capstan_core::ChainStep;
use github_sim::Sim;
use serde_json::json;

use super::steps::{close, comment, create, label, reopen, retitle, step, unlabel, view};
use super::world::portrait;

/// What it is about, and its steps.
pub(super) type Sequence = (&'static str, Vec<ChainStep>);

/// Issue 1 is open and has the label `bug`; issue 4 is closed.
pub(super) fn sequences() -> Vec<Sequence> {
    let close_as = |reason: &str| step("issue.close", json!({"issue_number": 1, "reason": reason}));
    let plan = |milestone: u64| {
        step(
            "issue.milestone.set",
            json!({"issue_number": 1, "milestone": milestone}),
        )
    };
    vec![
        ("reopen, close an open one", vec![reopen(1), close(1)]),
        ("close, reopen an open one", vec![close(1), reopen(1)]),
        ("reopen, close a closed one", vec![reopen(4), close(4)]),
        ("close, reopen a closed one", vec![close(4), reopen(4)]),
        (
            "back and forth",
            vec![close(1), reopen(1), close(1), reopen(1), close(1)],
        ),
        (
            "reopened in between",
            vec![close_as("completed"), reopen(1), close_as("not_planned")],
        ),
        (
            "closed, others between",
            vec![
                close(1),
                comment(2, "a"),
                view(1),
                retitle(3, "b"),
                reopen(1),
            ],
        ),
        (
            "add, remove what is not there",
            vec![label(1, &["gnc"]), unlabel(1, "gnc")],
        ),
        (
            "remove, add what is there",
            vec![unlabel(1, "bug"), label(1, &["bug"])],
        ),
        (
            "add, remove what is there",
            vec![label(1, &["bug"]), unlabel(1, "bug")],
        ),
        (
            "remove, add what is not there",
            vec![unlabel(1, "gnc"), label(1, &["gnc"])],
        ),
        (
            "labels back and forth",
            vec![
                label(1, &["gnc", "bug"]),
                unlabel(1, "bug"),
                label(1, &["bug"]),
                unlabel(1, "gnc"),
                unlabel(1, "bug"),
            ],
        ),
        (
            "labels in another letter case",
            vec![
                unlabel(1, "BUG"),
                label(1, &["Bug", "GNC"]),
                unlabel(1, "gnc"),
            ],
        ),
        (
            "titles",
            vec![retitle(1, "a"), retitle(1, "b"), retitle(1, "a")],
        ),
        ("titles that are already so", {
            let present = title_of(1);
            vec![retitle(1, "a"), retitle(1, &present)]
        }),
        ("milestones", vec![plan(1), plan(3), plan(2), plan(1)]),
        (
            "comments on two issues",
            (0..6)
                .map(|i| comment(1 + i % 2, &format!("Remark {i}")))
                .collect(),
        ),
        (
            "new issues",
            (0..5).map(|i| create(&format!("Issue {i}"))).collect(),
        ),
        (
            "a failure in between",
            vec![
                close(1),
                close(4711),
                reopen(1),
                label(1, &["no such label"]),
                close(1),
            ],
        ),
    ]
}

fn title_of(issue: u64) -> String {
    portrait(&Sim::demo())[&issue].title.clone()
}
