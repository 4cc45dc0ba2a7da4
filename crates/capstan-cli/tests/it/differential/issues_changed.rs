//! Changing issues. The demo's issue 1 is open, 4 is closed; 27 is a pull request.

use capstan_core::ErrorCode::{Auth, NotFound, Validation};
use capstan_core::Route;
use github_sim::world::{Permission, StateReason, World};
use serde_json::json;

use super::case::Case;
use super::case::Expect::{Change, Futile, NoChange, Refusal};
use super::issue_states::{close, thirty_labels, unicode};
use super::seeds::{
    STRANGE_BODY, STRANGE_TITLE, VIEWER, open_issue, open_pull, rocket, subject, viewer,
};

/// A label whose name means something in an address.
const ADDRESS_LABEL: &str = "area/engine #3 100%? ü+&";

pub(super) fn cases() -> Vec<Case> {
    [
        create(),
        update(),
        close_and_reopen(),
        comment(),
        label(),
        unlabel(),
        assign(),
        unassign(),
        plan(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn create() -> Vec<Case> {
    let case = |state, expect, input| Case::new("issue.create", state, expect, input);
    vec![
        case("title only", Change, json!({"title": "Igniter"})).shows(json!({"number": 50})),
        case(
            "all there is",
            Change,
            json!({"title": STRANGE_TITLE, "body": STRANGE_BODY, "labels": ["gnc", "bug"],
                "assignees": ["priya-nair", "akira-mori"], "milestone": 3}),
        )
        .shows(json!({"milestone": "v2.0 Orbital", "milestone_number": 3})),
        case(
            "a milestone by its title",
            Change,
            json!({"title": "Igniter", "milestone": "v1.1 Hop test"}),
        )
        .not_on(&[Route::Rest, Route::Cli])
        .shows(json!({"milestone": "v1.1 Hop test", "milestone_number": 2})),
        case(
            "a title of a milestone in other letter case",
            Refusal(NotFound),
            json!({"title": "Igniter", "milestone": "V1.1 hop test"}),
        )
        .not_on(&[Route::Rest, Route::Cli]),
        case(
            "a part of a milestone's title",
            Refusal(NotFound),
            json!({"title": "Igniter", "milestone": "v1"}),
        )
        .not_on(&[Route::Rest, Route::Cli]),
        case(
            "an empty title of a milestone",
            Refusal(Validation),
            json!({"title": "Igniter", "milestone": ""}),
        ),
        case(
            "names in other letter case",
            Change,
            json!({"title": "Igniter", "labels": ["BUG"], "assignees": ["Priya-Nair"]}),
        ),
        case(
            "empty text and lists",
            Change,
            json!({"title": "Igniter", "body": "", "labels": [], "assignees": []}),
        ),
        case(
            "missing label",
            Refusal(NotFound),
            json!({"title": "Igniter", "labels": ["bug", "no such label"]}),
        ),
        case(
            "missing assignee",
            Refusal(NotFound),
            json!({"title": "Igniter", "assignees": ["nobody-at-all"]}),
        ),
        case(
            "missing milestone",
            Refusal(NotFound),
            json!({"title": "Igniter", "milestone": 99}),
        ),
        case(
            "missing repository",
            Refusal(NotFound),
            json!({"repo": "nope", "title": "Igniter"}),
        ),
        case("blank title", Refusal(Validation), json!({"title": "  "})),
        case(
            "title too long",
            Refusal(Validation),
            json!({"title": "x".repeat(257)}),
        ),
        case("no title", Refusal(Validation), json!({"body": "text"})),
        case("archived", Refusal(Auth), json!({"title": "Igniter"})).on(archived),
    ]
}

fn update() -> Vec<Case> {
    let case = |state, expect, input| Case::new("issue.update", state, expect, input);
    vec![
        case(
            "title",
            Change,
            json!({"issue_number": 1, "title": STRANGE_TITLE}),
        )
        .shows(json!({"title": STRANGE_TITLE})),
        case(
            "text",
            Change,
            json!({"issue_number": 1, "body": STRANGE_BODY}),
        ),
        case(
            "both",
            Change,
            json!({"issue_number": 1, "title": "Igniter", "body": "text"}),
        ),
        case(
            "text to empty",
            Change,
            json!({"issue_number": 1, "body": ""}),
        ),
        case(
            "one of two differs",
            Change,
            json!({"issue_number": 50, "title": "Nozzle", "body": "text"}),
        )
        .on(|world| {
            open_issue(world);
        }),
        case(
            "as it is",
            NoChange,
            json!({"issue_number": 50, "title": STRANGE_TITLE, "body": STRANGE_BODY}),
        )
        .on(unicode),
        case(
            "empty as it is",
            NoChange,
            json!({"issue_number": 50, "body": ""}),
        )
        .on(|world| {
            open_issue(world);
        }),
        case(
            "nothing to change",
            Refusal(Validation),
            json!({"issue_number": 1}),
        ),
        case(
            "blank title",
            Refusal(Validation),
            json!({"issue_number": 1, "title": " "}),
        ),
        case(
            "missing issue",
            Refusal(NotFound),
            json!({"issue_number": 999, "title": "x"}),
        ),
        case(
            "number of a pull request",
            Refusal(NotFound),
            json!({"issue_number": 27, "title": "x"}),
        ),
        case(
            "not allowed",
            Refusal(Auth),
            json!({"issue_number": 1, "title": "x"}),
        )
        .on(reader),
    ]
}

fn close_and_reopen() -> Vec<Case> {
    let closing = |state, expect, input| Case::new("issue.close", state, expect, input);
    let opening = |state, expect, input| Case::new("issue.reopen", state, expect, input);
    vec![
        closing("open", Change, json!({"issue_number": 1}))
            .shows(json!({"state": "closed", "state_reason": "completed"})),
        closing(
            "not planned",
            Change,
            json!({"issue_number": 1, "reason": "not_planned"}),
        )
        .shows(json!({"state_reason": "not_planned"})),
        closing("unicode", Change, json!({"issue_number": 50})).on(unicode),
        closing("30 labels", Change, json!({"issue_number": 50})).on(thirty_labels),
        closing("closed", NoChange, json!({"issue_number": 4})),
        closing(
            "closed for another reason",
            NoChange,
            json!({"issue_number": 50, "reason": "not_planned"}),
        )
        .on(|world| close(world, StateReason::Duplicate))
        .shows(json!({"state_reason": "duplicate"})),
        closing(
            "missing issue",
            Refusal(NotFound),
            json!({"issue_number": 999}),
        ),
        closing(
            "number of a pull request",
            Refusal(NotFound),
            json!({"issue_number": 27}),
        ),
        closing(
            "unknown reason",
            Refusal(Validation),
            json!({"issue_number": 1, "reason": "bored"}),
        ),
        closing("not allowed", Refusal(Auth), json!({"issue_number": 1})).on(reader),
        opening("closed", Change, json!({"issue_number": 4}))
            .shows(json!({"state": "open", "state_reason": "reopened"})),
        opening("closed as a duplicate", Change, json!({"issue_number": 50}))
            .on(|world| close(world, StateReason::Duplicate)),
        opening("open", NoChange, json!({"issue_number": 1})),
        opening(
            "missing issue",
            Refusal(NotFound),
            json!({"issue_number": 999}),
        ),
        opening(
            "number of a closed pull request",
            Refusal(NotFound),
            json!({"issue_number": 18}),
        ),
    ]
}

fn comment() -> Vec<Case> {
    let case = |state, expect, input| Case::new("issue.comments.create", state, expect, input);
    vec![
        case("an issue", Change, json!({"issue_number": 1, "body": "ok"})),
        case(
            "unicode",
            Change,
            json!({"issue_number": 1, "body": STRANGE_BODY}),
        ),
        case(
            "long",
            Change,
            json!({"issue_number": 1, "body": "é".repeat(60_000)}),
        ),
        case(
            "a pull request",
            Change,
            json!({"issue_number": 27, "body": "ok"}),
        ),
        case(
            "a closed issue",
            Change,
            json!({"issue_number": 4, "body": "ok"}),
        ),
        case(
            "missing issue",
            Refusal(NotFound),
            json!({"issue_number": 999, "body": "ok"}),
        ),
        case(
            "missing repository",
            Refusal(NotFound),
            json!({"repo": "nope", "issue_number": 1, "body": "ok"}),
        ),
        case(
            "empty",
            Refusal(Validation),
            json!({"issue_number": 1, "body": ""}),
        ),
        case(
            "blank",
            Refusal(Validation),
            json!({"issue_number": 1, "body": " \n"}),
        ),
    ]
}

fn label() -> Vec<Case> {
    let case = |state, expect, input| Case::new("issue.labels.add", state, expect, input);
    vec![
        case("one", Change, json!({"issue_number": 1, "labels": ["gnc"]})),
        case(
            "one more in other letter case",
            Change,
            json!({"issue_number": 1, "labels": ["BUG", "GNC"]}),
        ),
        case(
            "to 30 others",
            Change,
            json!({"issue_number": 50, "labels": ["bug", "priority: high"]}),
        )
        .on(thirty_labels),
        case(
            "a pull request",
            Change,
            json!({"issue_number": 33, "labels": ["bug"]}),
        ),
        case(
            "a name that means something in an address",
            Change,
            json!({"issue_number": 1, "labels": [ADDRESS_LABEL, "µ, 🚀", "a \"b\" \\c"]}),
        )
        .on(|world| {
            unicode(world);
            address_label(world);
        }),
        case(
            "there before in other letter case",
            NoChange,
            json!({"issue_number": 1, "labels": ["BUG"]}),
        ),
        case(
            "missing label",
            Refusal(NotFound),
            json!({"issue_number": 1, "labels": ["gnc", "no such label"]}),
        ),
        case(
            "missing issue",
            Refusal(NotFound),
            json!({"issue_number": 999, "labels": ["gnc"]}),
        ),
        case(
            "missing repository",
            Refusal(NotFound),
            json!({"repo": "nope", "issue_number": 1, "labels": ["gnc"]}),
        ),
        case(
            "none",
            Refusal(Validation),
            json!({"issue_number": 1, "labels": []}),
        ),
        case(
            "not allowed",
            Refusal(Auth),
            json!({"issue_number": 1, "labels": ["gnc"]}),
        )
        .on(reader),
    ]
}

fn unlabel() -> Vec<Case> {
    let case = |state, expect, input| Case::new("issue.labels.remove", state, expect, input);
    vec![
        case("one", Change, json!({"issue_number": 1, "label": "bug"})),
        case(
            "in other letter case",
            Change,
            json!({"issue_number": 1, "label": "Bug"}),
        ),
        case(
            "of 30",
            Change,
            json!({"issue_number": 50, "label": "зона-5 🚀"}),
        )
        .on(thirty_labels),
        case(
            "the only one",
            Change,
            json!({"issue_number": 50, "label": ADDRESS_LABEL}),
        )
        .on(|world| {
            let label = address_label(world);
            open_issue(world).labels.push(label);
        })
        .shows(json!({"labels": []})),
        case(
            "a pull request",
            Change,
            json!({"issue_number": 33, "label": "telemetry"}),
        ),
        case(
            "not on it",
            NoChange,
            json!({"issue_number": 1, "label": "gnc"}),
        ),
        case(
            "a list of one",
            Change,
            json!({"issue_number": 1, "labels": ["bug"]}),
        ),
        case(
            "several, one not on it",
            Change,
            json!({"issue_number": 1, "labels": ["BUG", "gnc", "propulsion"]}),
        )
        .not_on(&[Route::Rest, Route::Cli]),
        case(
            "one and others",
            Change,
            json!({"issue_number": 1, "label": "bug", "labels": ["propulsion"]}),
        )
        .not_on(&[Route::Rest, Route::Cli])
        .shows(json!({"changed": true})),
        case(
            "several that are not on it",
            NoChange,
            json!({"issue_number": 1, "labels": ["gnc", "telemetry"]}),
        )
        .not_on(&[Route::Rest, Route::Cli]),
        case("no label", Refusal(Validation), json!({"issue_number": 1})),
        case(
            "missing label",
            Refusal(NotFound),
            json!({"issue_number": 1, "label": "no such label"}),
        ),
        case(
            "missing issue",
            Refusal(NotFound),
            json!({"issue_number": 999, "label": "bug"}),
        ),
    ]
}

fn assign() -> Vec<Case> {
    let case = |state, expect, input| Case::new("issue.assignees.add", state, expect, input);
    vec![
        case(
            "one",
            Change,
            json!({"issue_number": 50, "assignees": ["tomas-silva"]}),
        )
        .on(|world| {
            open_issue(world);
        })
        .shows(json!({"assignees": ["tomas-silva"]})),
        case(
            "in other letter case, one there before",
            Change,
            json!({"issue_number": 50, "assignees": ["Maya-Chen", "AKIRA-mori"]}),
        )
        .on(assigned)
        .shows(json!({"assignees": ["akira-mori", "maya-chen"]})),
        case(
            "a pull request",
            Change,
            json!({"issue_number": 33, "assignees": ["priya-nair", "maya-chen"]}),
        ),
        case(
            "there before in other letter case",
            NoChange,
            json!({"issue_number": 50, "assignees": ["MAYA-chen"]}),
        )
        .on(assigned),
        case(
            "somebody without access",
            Futile,
            json!({"issue_number": 1, "assignees": ["stranger"]}),
        )
        .on(|world| world.add_user("stranger", None)),
        case(
            "missing person",
            Refusal(NotFound),
            json!({"issue_number": 1, "assignees": ["nobody-at-all"]}),
        ),
        case(
            "missing issue",
            Refusal(NotFound),
            json!({"issue_number": 999, "assignees": ["priya-nair"]}),
        ),
        case(
            "nobody",
            Refusal(Validation),
            json!({"issue_number": 1, "assignees": []}),
        ),
    ]
}

fn unassign() -> Vec<Case> {
    let case = |state, expect, input| Case::new("issue.assignees.remove", state, expect, input);
    vec![
        case(
            "the only one",
            Change,
            json!({"issue_number": 50, "assignees": ["maya-chen"]}),
        )
        .on(assigned)
        .shows(json!({"assignees": [], "changed": true})),
        case(
            "in other letter case, one not there",
            Change,
            json!({"issue_number": 50, "assignees": ["Maya-CHEN", "akira-mori"]}),
        )
        .on(assigned)
        .shows(json!({"assignees": []})),
        case(
            "one of two",
            Change,
            json!({"issue_number": 50, "assignees": ["akira-mori"]}),
        )
        .on(|world| {
            assigned(world);
            subject(world).assignees.push("akira-mori".to_owned());
        })
        .shows(json!({"assignees": ["maya-chen"]})),
        case(
            "a pull request",
            Change,
            json!({"issue_number": 50, "assignees": ["maya-chen"]}),
        )
        .on(|world| open_pull(world).assignees.push("maya-chen".to_owned())),
        case(
            "not there before",
            NoChange,
            json!({"issue_number": 50, "assignees": ["priya-nair"]}),
        )
        .on(assigned)
        .shows(json!({"assignees": ["maya-chen"], "changed": false})),
        case(
            "missing person",
            Refusal(NotFound),
            json!({"issue_number": 1, "assignees": ["nobody-at-all"]}),
        ),
        case(
            "missing issue",
            Refusal(NotFound),
            json!({"issue_number": 999, "assignees": ["priya-nair"]}),
        ),
        case(
            "nobody",
            Refusal(Validation),
            json!({"issue_number": 1, "assignees": []}),
        ),
    ]
}

fn plan() -> Vec<Case> {
    let case = |state, expect, input| Case::new("issue.milestone.set", state, expect, input);
    vec![
        case(
            "none yet",
            Change,
            json!({"issue_number": 50, "milestone": 2}),
        )
        .on(|world| {
            open_issue(world);
        })
        .shows(json!({"milestone": "v1.1 Hop test"})),
        case(
            "another",
            Change,
            json!({"issue_number": 1, "milestone": 3}),
        ),
        case(
            "a closed one",
            Change,
            json!({"issue_number": 1, "milestone": 1}),
        ),
        case(
            "by its title",
            Change,
            json!({"issue_number": 1, "milestone": "v2.0 Orbital"}),
        )
        .not_on(&[Route::Rest, Route::Cli])
        .shows(json!({"milestone": "v2.0 Orbital", "milestone_number": 3})),
        case(
            "a closed one by its title",
            Change,
            json!({"issue_number": 1, "milestone": "v1.0 Static fire"}),
        )
        .not_on(&[Route::Rest, Route::Cli])
        .shows(json!({"milestone_number": 1})),
        case(
            "the same by its title",
            NoChange,
            json!({"issue_number": 50, "milestone": "v1.1 Hop test"}),
        )
        .on(|world| open_issue(world).milestone = Some(2))
        .not_on(&[Route::Rest, Route::Cli]),
        case(
            "a title that looks like a number",
            Change,
            json!({"issue_number": 1, "milestone": "2"}),
        )
        .on(|world| retitle_milestone(world, 3, "2"))
        .not_on(&[Route::Rest, Route::Cli])
        .shows(json!({"milestone": "2", "milestone_number": 3})),
        case(
            "the last of more than a hundred by its title",
            Change,
            json!({"issue_number": 1, "milestone": "sprint 120"}),
        )
        .on(many_milestones)
        .not_on(&[Route::Rest, Route::Cli])
        .shows(json!({"milestone": "sprint 120"})),
        case(
            "missing title",
            Refusal(NotFound),
            json!({"issue_number": 1, "milestone": "v9"}),
        )
        .not_on(&[Route::Rest, Route::Cli]),
        case(
            "the same",
            NoChange,
            json!({"issue_number": 50, "milestone": 2}),
        )
        .on(|world| open_issue(world).milestone = Some(2)),
        case(
            "out of it",
            Change,
            json!({"issue_number": 50, "milestone": null}),
        )
        .on(|world| open_issue(world).milestone = Some(2)),
        case(
            "out of none",
            NoChange,
            json!({"issue_number": 50, "milestone": null}),
        )
        .on(|world| {
            open_issue(world);
        }),
        case(
            "missing milestone",
            Refusal(NotFound),
            json!({"issue_number": 1, "milestone": 99}),
        ),
        case("none said", Refusal(Validation), json!({"issue_number": 1})),
        case(
            "missing issue",
            Refusal(NotFound),
            json!({"issue_number": 999, "milestone": 2}),
        ),
        case(
            "number of a pull request",
            Refusal(NotFound),
            json!({"issue_number": 27, "milestone": 3}),
        ),
    ]
}

fn retitle_milestone(world: &mut World, number: u64, title: &str) {
    let repo = rocket(world);
    let milestones = &mut world.repo_mut(repo).unwrap().milestones;
    let milestone = milestones.iter_mut().find(|it| it.number == number);
    title.clone_into(&mut milestone.unwrap().title);
}

/// Milestones of which the last is on no page of a hundred.
pub(super) fn many_milestones(world: &mut World) {
    let repo = rocket(world);
    for number in 1..=120 {
        let title = format!("sprint {number}");
        world
            .create_milestone(&viewer(), repo, &title, None, None)
            .unwrap();
    }
}

/// The viewer may read and no more.
pub(super) fn reader(world: &mut World) {
    let repo = rocket(world);
    let collaborators = &mut world.repo_mut(repo).unwrap().collaborators;
    collaborators.insert(VIEWER.to_owned(), Permission::Read);
}

pub(super) fn archived(world: &mut World) {
    let repo = rocket(world);
    world.repo_mut(repo).unwrap().archived = true;
}

fn assigned(world: &mut World) {
    open_issue(world).assignees = vec![VIEWER.to_owned()];
}

fn address_label(world: &mut World) -> u64 {
    let repo = rocket(world);
    world.add_label(repo, ADDRESS_LABEL, "ededed", "")
}
