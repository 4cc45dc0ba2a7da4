//! Reading pull requests, their checks and their review threads.

use capstan_core::ErrorCode::{AdapterUnsupported, NotFound, Validation};
use github_sim::world::Mergeable;
use serde_json::json;

use super::case::Expect::{Data, Pages, Refusal};
use super::case::{Case, each};
use super::pull_states::{self, checked, everything, green, reviewed, threads};
use super::seeds::{STRANGE_BODY, comment_35_times, open_pull, pull, subject};

pub(super) fn cases() -> Vec<Case> {
    let mut cases = each(
        "pr.view",
        Data,
        &json!({"pr_number": 50}),
        pull_states::all(),
    );
    cases.extend(view());
    cases.extend(list());
    cases.extend(checks());
    cases.extend(review_threads());
    cases.extend(reviews());
    cases
}

fn view() -> Vec<Case> {
    let case = |state, expect, input| Case::new("pr.view", state, expect, input);
    vec![
        case("ready, of the demo", Data, json!({"pr_number": 27})),
        case("failing, of the demo", Data, json!({"pr_number": 33})),
        case(
            "with comments",
            Data,
            json!({"pr_number": 50, "comments": true}),
        )
        .on(|world| {
            open_pull(world);
            comment_35_times(world);
            subject(world).comments.truncate(2);
        })
        .shows(json!({"discussion": [{"author": "maya-chen", "body": "Remark 0\n"}, {"author": "priya-nair"}]})),
        case(
            "with more comments than are shown",
            Data,
            json!({"pr_number": 50, "comments": true}),
        )
        .on(|world| {
            open_pull(world);
            comment_35_times(world);
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
        case(
            "missing repository",
            Refusal(NotFound),
            json!({"repo": "nope", "pr_number": 27}),
        ),
        case(
            "text that is no number",
            Refusal(Validation),
            json!({"pr_number": "engine-vote"}),
        ),
    ]
}

fn list() -> Vec<Case> {
    let case = |state, expect, input| Case::new("pr.list", state, expect, input);
    vec![
        case("open", Data, json!({})),
        case("closed", Data, json!({"state": "closed"})),
        case("merged", Data, json!({"state": "merged"})),
        case("every state", Data, json!({"state": "all", "first": 100})).on(everything),
        case(
            "one page of several",
            Data,
            json!({"state": "all", "first": 4}),
        ),
        case(
            "several pages",
            Pages(9),
            json!({"state": "all", "first": 4}),
        ),
        case("checks of every kind", Data, json!({"first": 1}))
            .on(checked)
            .shows(json!({"pull_requests": [{"number": 50, "checks": {"total": 16, "passed": 2, "failed": 6,
                "pending": 5, "skipped": 1, "neutral": 1, "cancelled": 1,
                "failing": ["ci/outside-2", "ci/outside-3", "job 1", "job 3", "job 4", "job 8"]}}]})),
        case("conflicting", Data, json!({"first": 1}))
            .on(|world| pull(open_pull(world)).mergeable = Mergeable::Conflicting)
            .shows(json!({"pull_requests": [{"merge_state": "dirty"}]})),
        case("by label", Data, json!({"label": "bug", "state": "all"})),
        case("by base", Data, json!({"base": "main"})),
        case("by another base", Data, json!({"base": "develop"}))
            .shows(json!({"pull_requests": []})),
        case(
            "by head",
            Data,
            json!({"head": "engine-vote", "state": "all"}),
        ),
        case(
            "by the beginning of a head",
            Data,
            json!({"head": "nozzle-5"}),
        )
        .on(|world| {
            open_pull(world);
        })
        .shows(json!({"pull_requests": []})),
        case(
            "by head and label",
            Data,
            json!({"head": "engine-vote", "label": "bug"}),
        ),
        case(
            "by author",
            Data,
            json!({"author": "akira-mori", "state": "all"}),
        )
        .shows(
            json!({"pull_requests": [{"number": 33, "labels": ["enhancement", "telemetry"],
            "review_decision": null, "requested_reviewers": ["priya-nair"],
            "checks": {"total": 4, "passed": 2, "failed": 1, "pending": 1, "failing": ["test (stable)"]},
            "merge_state": "unstable"}, {"number": 23}]}),
        ),
        case(
            "pages of an author",
            Pages(2),
            json!({"author": "akira-mori", "state": "all", "first": 1}),
        ),
        case(
            "by author and head",
            Refusal(AdapterUnsupported),
            json!({"author": "akira-mori", "head": "cbor"}),
        ),
        case(
            "by author and label",
            Data,
            json!({"author": "jonas-weber", "label": "gnc"}),
        ),
        case(
            "with changes requested",
            Data,
            json!({"base": "main", "first": 1}),
        )
        .shows(
            json!({"pull_requests": [{"number": 49, "review_decision": "changes_requested",
                "requested_reviewers": ["jonas-weber"], "unresolved_threads": 2,
                "checks": {"total": 4, "passed": 3, "skipped": 1}}]}),
        ),
        case("empty", Data, json!({"repo": "launchpad"})).shows(json!({"pull_requests": []})),
        case(
            "missing repository",
            Refusal(NotFound),
            json!({"repo": "nope"}),
        ),
        case("page too small", Refusal(Validation), json!({"first": 0})),
    ]
}

fn checks() -> Vec<Case> {
    let case = |state, expect, input| Case::new("pr.checks.list", state, expect, input);
    vec![
        case("none", Data, json!({"pr_number": 50}))
            .on(|world| {
                open_pull(world);
            })
            .shows(json!({"total": 0, "checks": []})),
        case("every kind", Data, json!({"pr_number": 50}))
            .on(checked)
            .shows(
                json!({"total": 16, "passed": 2, "failed": 6, "pending": 5, "skipped": 2,
                "cancelled": 1}),
            ),
        case("40 green", Data, json!({"pr_number": 50}))
            .on(green)
            .shows(json!({"total": 40, "passed": 40})),
        case("of the demo", Data, json!({"pr_number": 33})),
        case("merged", Data, json!({"pr_number": 12})),
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
    ]
}

fn reviews() -> Vec<Case> {
    let case = |state, expect, input| Case::new("pr.reviews.list", state, expect, input);
    vec![
        case("none", Data, json!({"pr_number": 50}))
            .on(|world| {
                open_pull(world);
            })
            .shows(json!({"reviews": []})),
        case("every kind", Data, json!({"pr_number": 50}))
            .on(reviewed)
            .shows(json!({"reviews": [
                {"author": "priya-nair", "state": "approved", "body": STRANGE_BODY},
                {"author": "ghost", "state": "changes_requested"},
                {"author": "dependabot", "state": "commented"},
                {"author": "akira-mori", "state": "dismissed"},
                {"author": "maya-chen", "state": "pending", "submitted_at": null},
            ]})),
        case(
            "one page of several",
            Data,
            json!({"pr_number": 50, "first": 2}),
        )
        .on(reviewed),
        case(
            "several pages",
            Pages(5),
            json!({"pr_number": 50, "first": 2}),
        )
        .on(reviewed),
        case("of the demo", Data, json!({"pr_number": 49})),
        case("with threads", Data, json!({"pr_number": 50})).on(threads),
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
        case(
            "missing repository",
            Refusal(NotFound),
            json!({"repo": "nope", "pr_number": 49}),
        ),
    ]
}

fn review_threads() -> Vec<Case> {
    let case = |state, expect, input| Case::new("pr.threads.list", state, expect, input);
    vec![
        case("none", Data, json!({"pr_number": 50}))
            .on(|world| pull(open_pull(world)).draft = true)
            .shows(json!({"threads": []})),
        case("unresolved", Data, json!({"pr_number": 50})).on(threads),
        case(
            "resolved",
            Data,
            json!({"pr_number": 50, "state": "resolved"}),
        )
        .on(threads)
        .shows(json!({"threads": [{"comments": 2, "last_reply_by": "maya-chen"}]})),
        case("answered and not", Data, json!({"pr_number": 49})).shows(json!({"threads": [
            {"created_at": "2026-05-29T21:19:10Z", "last_reply_at": "2026-05-29T21:59:17Z"},
            {"created_at": "2026-05-29T23:34:24Z", "last_reply_at": null},
        ]})),
        case("all", Data, json!({"pr_number": 50, "state": "all"})).on(threads),
        case(
            "several pages",
            Pages(5),
            json!({"pr_number": 50, "state": "all", "first": 2}),
        )
        .on(threads),
        case("of the demo", Data, json!({"pr_number": 49})),
        case(
            "missing pull request",
            Refusal(NotFound),
            json!({"pr_number": 999}),
        ),
        case(
            "missing repository",
            Refusal(NotFound),
            json!({"repo": "nope", "pr_number": 49}),
        ),
    ]
}
