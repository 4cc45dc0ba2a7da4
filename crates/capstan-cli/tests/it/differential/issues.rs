//! Reading issues and what is said about them.

use capstan_core::ErrorCode::{NotFound, Validation};
use capstan_core::Route;
use github_sim::world::World;
use serde_json::json;

use super::case::Expect::{Data, Pages, Refusal};
use super::case::{Case, each};
use super::issue_states::{self, discussed, everything, unicode};
use super::seeds::{
    DELETED, STRANGE_BODY, comment_35_times, employ_bot, open_issue, open_pull, rocket, subject,
};

pub(super) fn cases() -> Vec<Case> {
    let mut cases = each(
        "issue.view",
        Data,
        &json!({"issue_number": 50}),
        issue_states::all(),
    );
    cases.extend(view());
    cases.extend(list());
    cases.extend(comments());
    cases
}

fn view() -> Vec<Case> {
    let case = |state, expect, input| Case::new("issue.view", state, expect, input);
    vec![
        case("a busy issue of the demo", Data, json!({"issue_number": 1})),
        case(
            "names in other letter case",
            Data,
            json!({"owner": "ACME", "repo": "Rocket", "issue_number": 1}),
        )
        .shows(json!({"url": "https://github.com/acme/rocket/issues/1"})),
        case(
            "former name of the repository",
            Data,
            json!({"repo": "missile", "issue_number": 1}),
        )
        .on(renamed),
        case(
            "private repository",
            Data,
            json!({"repo": "launchpad", "issue_number": 1}),
        ),
        case(
            "missing issue",
            Refusal(NotFound),
            json!({"issue_number": 999}),
        ),
        case(
            "number of a pull request",
            Refusal(NotFound),
            json!({"issue_number": 27}),
        ),
        case(
            "missing repository",
            Refusal(NotFound),
            json!({"repo": "nope", "issue_number": 1}),
        ),
        case(
            "missing owner",
            Refusal(NotFound),
            json!({"owner": "nobody-at-all", "issue_number": 1}),
        ),
        case(
            "number zero",
            Refusal(Validation),
            json!({"issue_number": 0}),
        ),
        case(
            "unknown input",
            Refusal(Validation),
            json!({"issue_number": 1, "colour": "red"}),
        ),
    ]
}

fn list() -> Vec<Case> {
    let case = |state, expect, input| Case::new("issue.list", state, expect, input);
    vec![
        case("open", Data, json!({})),
        case("closed", Data, json!({"state": "closed"})),
        case("every state", Data, json!({"state": "all", "first": 100})).on(everything),
        case("one page of several", Data, json!({"first": 7})),
        case(
            "exactly one page",
            Data,
            json!({"state": "all", "first": 40}),
        ),
        case(
            "several pages",
            Pages(40),
            json!({"state": "all", "first": 9}),
        ),
        case(
            "several pages of one label",
            Pages(35),
            json!({"label": "many", "first": 30}),
        )
        .on(one_label_on_many),
        case("by label", Data, json!({"label": "bug", "state": "all"})),
        case(
            "by label in other letter case",
            Data,
            json!({"label": "GNC", "state": "all"}),
        ),
        case(
            "by label with a space and a colon",
            Data,
            json!({"label": "priority: high"}),
        ),
        case("by label with a comma", Data, json!({"label": "µ, 🚀"}))
            .on(unicode)
            .not_on(&[Route::Cli]),
        case(
            "by label with a quotation mark",
            Data,
            json!({"label": "a \"b\" \\c"}),
        )
        .on(unicode)
        .not_on(&[Route::Rest, Route::Cli]),
        case("by missing label", Data, json!({"label": "no such label"}))
            .shows(json!({"issues": []})),
        case("by assignee", Data, json!({"assignee": "priya-nair"})),
        case("by author", Data, json!({"author": "jonas-weber"})),
        case("by app", Data, json!({"author": "app/dependabot"}))
            .not_on(&[Route::Graphql, Route::Cli]),
        case(
            "by author in other letter case",
            Data,
            json!({"author": "Jonas-Weber"}),
        ),
        case("by words", Data, json!({"search": "engine controller"}))
            .not_on(&[Route::Graphql, Route::Cli]),
        case(
            "by words in comments",
            Data,
            json!({"state": "all", "search": "masked \"ice warning\""}),
        )
        .shows(json!({"issues": [{"number": 1}]}))
        .not_on(&[Route::Graphql, Route::Cli]),
        case(
            "by a phrase in another order",
            Data,
            json!({"state": "all", "search": "\"warning ice\""}),
        )
        .shows(json!({"issues": []}))
        .not_on(&[Route::Graphql, Route::Cli]),
        case(
            "by words and label",
            Data,
            json!({"search": "STATIC fire", "label": "bug", "author": "priya-nair"}),
        )
        .shows(json!({"issues": [{"number": 1}]}))
        .not_on(&[Route::Graphql, Route::Cli]),
        case(
            "by nothing but spaces",
            Refusal(Validation),
            json!({"search": " "}),
        ),
        case(
            "by label, assignee, author and state",
            Data,
            json!({"label": "bug", "assignee": "maya-chen", "author": "priya-nair", "state": "open"}),
        ),
        case(
            "empty",
            Data,
            json!({"repo": "launchpad", "state": "closed"}),
        )
        .shows(json!({"issues": []})),
        case(
            "missing repository",
            Refusal(NotFound),
            json!({"repo": "nope"}),
        ),
        case(
            "unknown state",
            Refusal(Validation),
            json!({"state": "merged"}),
        ),
        case("page too large", Refusal(Validation), json!({"first": 101})),
    ]
}

fn comments() -> Vec<Case> {
    let case = |state, expect, input| Case::new("issue.comments.list", state, expect, input);
    vec![
        case("none", Data, json!({"issue_number": 50}))
            .on(|world| {
                open_issue(world);
            })
            .shows(json!({"comments": []})),
        case("30 of 35", Data, json!({"issue_number": 50})).on(discussed),
        case(
            "35 of 35",
            Data,
            json!({"issue_number": 50, "first": 35}),
        )
        .on(discussed),
        case(
            "several pages",
            Pages(35),
            json!({"issue_number": 50, "first": 10}),
        )
        .on(discussed),
        case(
            "several pages on a pull request",
            Pages(35),
            json!({"issue_number": 50, "first": 30}),
        )
        .on(|world| {
            open_pull(world);
            comment_35_times(world);
        }),
        case(
            "by the deleted, by an app, unicode",
            Data,
            json!({"issue_number": 50, "first": 3}),
        )
        .on(strange_comments)
        .shows(json!({"comments": [
            {"author": "ghost"}, {"author": "dependabot"}, {"author": "akira-mori", "body": STRANGE_BODY},
        ]})),
        case("of the demo", Data, json!({"issue_number": 1})),
        case(
            "missing issue",
            Refusal(NotFound),
            json!({"issue_number": 999}),
        ),
        case(
            "missing repository",
            Refusal(NotFound),
            json!({"repo": "nope", "issue_number": 1}),
        ),
        case("number missing", Refusal(Validation), json!({})),
    ]
}

pub(super) fn renamed(world: &mut World) {
    let repo = rocket(world);
    let names = &mut world.repo_mut(repo).unwrap().former_names;
    names.push("acme/missile".to_owned());
}

fn one_label_on_many(world: &mut World) {
    let repo = rocket(world);
    let label = world.add_label(repo, "many", "ededed", "");
    for _ in 0..35 {
        open_issue(world).labels.push(label);
    }
}

fn strange_comments(world: &mut World) {
    let bot = employ_bot(world);
    discussed(world);
    let comments = &mut subject(world).comments;
    comments[0].author = DELETED.to_owned();
    comments[1].author = bot;
    comments[2].body = STRANGE_BODY.to_owned();
}
