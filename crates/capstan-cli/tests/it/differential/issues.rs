//! Reading issues and what is said about them.

use capstan_core::ErrorCode::{NotFound, Validation};
use capstan_core::Route;
use github_sim::world::World;
use serde_json::json;

use super::case::Expect::{Data, Pages, Refusal};
use super::case::{Case, each};
use super::issue_states::{self, discussed, everything, unicode};
use super::seeds::{
    DELETED, STRANGE_BODY, comment_35_times, employ_bot, newest, open_issue, open_pull, rocket,
    subject, viewer,
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
            "with comments",
            Data,
            json!({"issue_number": 1, "comments": true}),
        )
        .shows(json!({"comments": 3, "discussion": [
            {"author": "jonas-weber"}, {"author": "priya-nair"}, {"author": "maya-chen"},
        ]}))
        .not_on(&[Route::Rest]),
        case(
            "with comments by the deleted, by an app, unicode",
            Data,
            json!({"issue_number": 50, "comments": true}),
        )
        .on(|world| {
            strange_comments(world);
            subject(world).comments.truncate(3);
        })
        .shows(json!({"discussion": [
            {"author": "ghost"}, {"author": "dependabot"}, {"author": "akira-mori", "body": STRANGE_BODY},
        ]}))
        .not_on(&[Route::Rest]),
        case(
            "with more comments than are shown",
            Data,
            json!({"issue_number": 50, "comments": true}),
        )
        .on(discussed)
        .not_on(&[Route::Rest]),
        case(
            "with comments where there are none",
            Data,
            json!({"issue_number": 50, "comments": true}),
        )
        .on(|world| {
            open_issue(world);
        })
        .shows(json!({"comments": 0, "discussion": []}))
        .not_on(&[Route::Rest]),
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
            json!({"labels": ["many"], "first": 30}),
        )
        .on(one_label_on_many),
        case("by label", Data, json!({"labels": ["bug"], "state": "all"})),
        case(
            "by label in other letter case",
            Data,
            json!({"labels": ["GNC"], "state": "all"}),
        ),
        case(
            "by label with a space and a colon",
            Data,
            json!({"labels": ["priority: high"]}),
        ),
        case("by label with a comma", Data, json!({"labels": ["µ, 🚀"]})).on(unicode),
        case(
            "by label with a quotation mark",
            Data,
            json!({"labels": ["a \"b\" \\c"]}),
        )
        .on(unicode)
        .not_on(&[Route::Rest]),
        case(
            "by several labels, of which all must be there",
            Data,
            json!({"labels": ["BUG", "gnc", "priority: high"], "state": "all"}),
        )
        .shows(json!({"issues": [{"number": 20}]}))
        .not_on(&[Route::Graphql, Route::Cli]),
        case(
            "by missing label",
            Data,
            json!({"labels": ["no such label"]}),
        )
        .shows(json!({"issues": []})),
        case("by assignee", Data, json!({"assignee": "priya-nair"})),
        case("by author", Data, json!({"author": "jonas-weber"})),
        case("by app", Data, json!({"author": "app/dependabot"}))
            .on(issue_states::by_bot)
            .shows(json!({"issues": [{"number": 50}]}))
            .not_on(&[Route::Graphql, Route::Cli]),
        case("by the name of an app", Data, json!({"app": "dependabot"}))
            .on(issue_states::by_bot)
            .shows(json!({"issues": [{"number": 50}]}))
            .not_on(&[Route::Graphql, Route::Cli]),
        case(
            "by author and app",
            Refusal(Validation),
            json!({"author": "maya-chen", "app": "dependabot"}),
        ),
        case("by mention", Data, json!({"mention": "Tomas-Silva"}))
            .on(mentioned)
            .shows(json!({"issues": [{"number": 51}, {"number": 50}]})),
        case(
            "by milestone",
            Data,
            json!({"milestone": "v1.1 Hop test", "state": "all"}),
        ),
        case(
            "by number of a milestone",
            Data,
            json!({"milestone": 2, "first": 3}),
        ),
        case(
            "by closed milestone",
            Data,
            json!({"milestone": "v1.0 Static fire", "state": "closed"}),
        ),
        case(
            "by milestone with a quotation mark",
            Data,
            json!({"milestone": "Ω \"1\""}),
        )
        .on(unicode)
        .shows(json!({"issues": [{"number": 50}]}))
        .not_on(&[Route::Rest]),
        case(
            "by missing milestone",
            Refusal(NotFound),
            json!({"milestone": "v9"}),
        ),
        case(
            "by title of a milestone in other letter case",
            Refusal(NotFound),
            json!({"milestone": "V1.1 hop test"}),
        ),
        case(
            "by missing number of a milestone",
            Refusal(NotFound),
            json!({"milestone": 99}),
        ),
        case(
            "several pages of one milestone",
            Pages(11),
            json!({"milestone": "v1.1 Hop test", "state": "all", "first": 5}),
        ),
        case(
            "by words and milestone",
            Data,
            json!({"search": "stale", "milestone": 2}),
        )
        .shows(json!({"issues": [
            {"number": 30, "matched": ["title"]}, {"number": 25, "matched": ["body"]},
        ]}))
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
        .shows(json!({"issues": [{"number": 1, "matched": ["comment"]}]}))
        .not_on(&[Route::Graphql, Route::Cli]),
        case(
            "by words in title, body and comments",
            Data,
            json!({"search": "engine vote", "milestone": 2}),
        )
        .shows(json!({"issues": [
            {"number": 25, "matched": ["body"]}, {"number": 1, "matched": ["title", "body", "comment"]},
        ]}))
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
            json!({"search": "STATIC fire", "labels": ["bug"], "author": "priya-nair"}),
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
            json!({"labels": ["bug"], "assignee": "maya-chen", "author": "priya-nair", "state": "open"}),
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

/// The text of one issue and a comment on another; a third names somebody whose login begins alike.
fn mentioned(world: &mut World) {
    open_issue(world).body = "Ask @tomas-silva.".to_owned();
    open_issue(world);
    let at = newest(world);
    world
        .add_comment(&viewer(), at, "cc @tomas-silva, please")
        .unwrap();
    open_issue(world).body = "Ask @tomas-silvanus or tomas-silva.".to_owned();
}

fn strange_comments(world: &mut World) {
    let bot = employ_bot(world);
    discussed(world);
    let comments = &mut subject(world).comments;
    comments[0].author = DELETED.to_owned();
    comments[1].author = bot;
    comments[2].body = STRANGE_BODY.to_owned();
}
