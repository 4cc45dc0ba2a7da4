//! The states in which an issue may be; each is the state of issue 50.

use github_sim::world::{StateReason, World};
use serde_json::json;

use super::case::State;
use super::seeds::{
    DELETED, STRANGE_BODY, STRANGE_TITLE, comment_35_times, employ_bot, label_amply, newest,
    open_issue, rocket, viewer,
};

pub(super) fn all() -> Vec<State> {
    let state = |name, seed, shows| State { name, seed, shows };
    vec![
        state(
            "nothing but a title",
            |world| {
                open_issue(world);
            },
            json!({"state": "open", "body": "", "labels": [], "assignees": [], "comments": 0, "author": "maya-chen"}),
        ),
        state(
            "30 labels",
            thirty_labels,
            json!({"number": 50, "title": "Nozzle"}),
        ),
        state(
            "closed as completed",
            |world| close(world, StateReason::Completed),
            json!({"state": "closed", "state_reason": "completed"}),
        ),
        state(
            "closed as not planned",
            |world| close(world, StateReason::NotPlanned),
            json!({"state": "closed", "state_reason": "not_planned"}),
        ),
        state(
            "closed as a duplicate",
            |world| close(world, StateReason::Duplicate),
            json!({"state": "closed", "state_reason": "duplicate"}),
        ),
        state(
            "reopened",
            reopened,
            json!({"state": "open", "state_reason": "reopened"}),
        ),
        state(
            "unicode",
            unicode,
            json!({"title": STRANGE_TITLE, "body": STRANGE_BODY, "labels": ["a \"b\" \\c", "µ, 🚀"], "milestone": "Ω \"1\""}),
        ),
        state(
            "long text",
            |world| open_issue(world).body = "Zeile für Zeile.\n".repeat(3500),
            json!({"body": "Zeile für Zeile.\n".repeat(3500)}),
        ),
        state(
            "deleted author",
            |world| open_issue(world).author = DELETED.to_owned(),
            json!({"author": "ghost"}),
        ),
        state("bot author", by_bot, json!({"author": "dependabot"})),
        state(
            "milestone",
            |world| open_issue(world).milestone = Some(2),
            json!({"milestone": "v1.1 Hop test"}),
        ),
        state(
            "several assignees",
            assigned,
            json!({"assignees": ["akira-mori", "maya-chen", "priya-nair"]}),
        ),
        state(
            "35 comments",
            discussed,
            json!({"comments": 35, "body": ""}),
        ),
    ]
}

/// All states at once, from issue 50 on; for lists.
pub(super) fn everything(world: &mut World) {
    for state in all() {
        (state.seed)(world);
    }
}

pub(super) fn close(world: &mut World, reason: StateReason) {
    open_issue(world);
    let at = newest(world);
    world.close_issue(&viewer(), at, Some(reason)).unwrap();
}

pub(super) fn thirty_labels(world: &mut World) {
    open_issue(world);
    label_amply(world);
}

pub(super) fn unicode(world: &mut World) {
    let repo = rocket(world);
    let labels = vec![
        world.add_label(repo, "µ, 🚀", "ededed", ""),
        world.add_label(repo, "a \"b\" \\c", "ededed", ""),
    ];
    let milestone = world
        .create_milestone(&viewer(), repo, "Ω \"1\"", None, None)
        .unwrap();
    let issue = open_issue(world);
    issue.title = STRANGE_TITLE.to_owned();
    issue.body = STRANGE_BODY.to_owned();
    issue.labels = labels;
    issue.milestone = Some(milestone);
}

pub(super) fn discussed(world: &mut World) {
    open_issue(world);
    comment_35_times(world);
}

fn reopened(world: &mut World) {
    close(world, StateReason::Completed);
    let at = newest(world);
    world.reopen_issue(&viewer(), at).unwrap();
}

pub(super) fn by_bot(world: &mut World) {
    let bot = employ_bot(world);
    open_issue(world).author = bot;
}

fn assigned(world: &mut World) {
    let people = ["priya-nair", "akira-mori", "maya-chen"];
    open_issue(world).assignees = people.map(str::to_owned).to_vec();
}
