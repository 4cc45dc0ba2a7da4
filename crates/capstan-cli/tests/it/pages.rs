//! A cursor leads to the rows that follow, whoever follows it and whatever is left out; and a list
//! that GitHub did not finish says so.

use capstan_core::{ErrorCode, Options, ResultEnvelope, Route};
use serde_json::{Value, json};

use crate::cli::harness::{Github, Place};
use crate::code::surface::{Surface as _, World};
use crate::support::Bench;

fn rocket(mut input: Value) -> Value {
    input["owner"] = json!("acme");
    input["repo"] = json!("rocket");
    input
}

async fn run(bench: &Bench, capability: &str, input: Value) -> ResultEnvelope {
    bench
        .run(capability, &rocket(input), Options::default())
        .await
}

fn cursor(envelope: &ResultEnvelope) -> String {
    let pages = envelope.meta.pagination.as_ref().expect("a list of pages");
    pages.end_cursor.clone().expect("a next page")
}

/// The numbers or ids of all rows, page by page, with nothing but the cursor passed on.
async fn all_rows(bench: &Bench, route: Route, capability: &str, field: &str) -> Vec<Value> {
    let mut rows = Vec::new();
    let options = |route| Options {
        route,
        ..Options::default()
    };
    let mut envelope = bench
        .run(
            capability,
            &rocket(json!({"first": 2})),
            options(Some(route)),
        )
        .await;
    loop {
        let data = envelope.data.as_ref().expect("a page");
        rows.extend(data[field].as_array().unwrap().iter().cloned());
        if !envelope.meta.pagination.as_ref().unwrap().has_next_page {
            return rows;
        }
        let input = rocket(json!({"after": cursor(&envelope)}));
        // A command of `gh` cannot skip pages; another route goes on.
        envelope = bench.run(capability, &input, options(None)).await;
        assert!(envelope.ok, "{:?}", envelope.error);
    }
}

#[tokio::test]
async fn a_cursor_remembers_the_page_size() {
    let bench = Bench::demo().await;
    for (capability, field) in [
        ("workflow.runs.list", "runs"),
        ("repo.labels.list", "labels"),
    ] {
        let input = rocket(json!({"first": 100}));
        let whole = bench.run(capability, &input, Options::default()).await;
        let whole = whole.data.unwrap()[field].as_array().unwrap().clone();
        assert!(whole.len() > 2, "{capability} has one page only");
        for route in [Route::Rest, Route::Cli] {
            let rows = all_rows(&bench, route, capability, field).await;
            assert_eq!(rows, whole, "{capability} from {route}");
        }
    }
}

#[tokio::test]
async fn a_cursor_that_does_not_belong_to_the_input_is_refused() {
    let bench = Bench::demo().await;
    let first = run(
        &bench,
        "workflow.runs.list",
        json!({"first": 2, "branch": "main"}),
    )
    .await;
    let after = cursor(&first);
    let cases = [
        (
            json!({"after": after, "branch": "main", "first": 3}),
            "pages of 2",
        ),
        (json!({"after": after}), "other filters"),
        (json!({"after": after, "branch": "dev"}), "other filters"),
        (json!({"after": "page:2"}), "has no page size"),
        (json!({"after": "page:0", "first": 2}), "not a cursor"),
        (json!({"after": "page:two"}), "not a cursor"),
        (json!({"after": "page:2:2"}), "not a cursor"),
        (json!({"after": "page:2:999:00000000"}), "other filters"),
        (
            json!({"after": after.replace("page:", "PAGE:"), "branch": "main"}),
            "not a cursor",
        ),
        (
            json!({"after": after.replace(":2:2:", ":02:2:"), "branch": "main"}),
            "not a cursor",
        ),
        (
            json!({"after": after.replace(":2:2:", ":+2:2:"), "branch": "main"}),
            "not a cursor",
        ),
        (
            json!({"after": after.replace(":2:2:", ":2:+2:"), "branch": "main"}),
            "not a cursor",
        ),
        (
            json!({"after": after.to_uppercase(), "branch": "main"}),
            "not a cursor",
        ),
    ];
    for (input, said) in cases {
        bench.sim.clear_requests();
        let envelope = run(&bench, "workflow.runs.list", input.clone()).await;
        let error = envelope.error.expect("a refusal");
        assert_eq!(error.code, ErrorCode::Validation, "{input}");
        assert!(error.message.contains(said), "{input}: {}", error.message);
        assert!(bench.sim.requests().is_empty(), "{input}: it was sent");
    }
    let again = json!({"after": after, "branch": "main", "first": 2});
    assert!(run(&bench, "workflow.runs.list", again).await.ok);
    // A page number alone still works where the page size is said.
    let old = json!({"after": "page:2", "branch": "main", "first": 2});
    let old = run(&bench, "workflow.runs.list", old).await;
    assert!(old.ok, "{:?}", old.error);
}

#[tokio::test]
async fn a_search_that_github_did_not_finish_is_not_an_empty_list() {
    let bench = Bench::demo().await;
    for found in [0, 3] {
        bench
            .sim
            .world(|world| world.search_gives_up_after = Some(found));
        let input = rocket(json!({"label": "bug"}));
        let envelope = bench.run_on(Route::Rest, "issue.list", &input).await;
        assert!(envelope.ok, "{:?}", envelope.error);
        let meta = &envelope.meta;
        assert!(meta.pagination.as_ref().unwrap().incomplete);
        let warned = meta.warnings.iter().any(|it| it.contains("did not finish"));
        assert!(warned, "{:?}", meta.warnings);
        let note = meta.note.as_deref();
        assert_eq!(note.is_some(), found == 0, "{note:?}");
        assert!(
            note.is_none_or(|note| note.contains("some may exist")),
            "{note:?}"
        );
    }
    bench.sim.world(|world| world.search_gives_up_after = None);
    let input = rocket(json!({"label": "no-such-label"}));
    let envelope = bench.run_on(Route::Rest, "issue.list", &input).await;
    assert!(envelope.meta.warnings.is_empty());
    assert!(envelope.meta.note.unwrap().starts_with("no issues"));
}

/// Agents are told the same in a chain and in code, whose calls resolve to the data alone.
#[test]
fn a_search_that_github_did_not_finish_warns_in_chains_and_code() {
    let github = Github::demo();
    let gives_up = |world: &mut github_sim::world::World| world.search_gives_up_after = Some(0);
    github.sim.world(gives_up);
    let place = Place::new().online(&github);
    // Only REST's search says that it gave up.
    place.write("capstan.toml", "routes = [\"rest\"]\n");
    let world = World::at(place, &[]);
    let list = json!({"task": "issue.list", "input": rocket(json!({"label": "bug"}))});
    let view = json!({"task": "issue.view", "input": rocket(json!({"issue_number": 1}))});
    let mut server = world.server();
    let chain = server.execute(&json!({"steps": [list, view]}));
    let meta = &chain["results"][0]["meta"];
    assert_eq!(meta["pagination"]["incomplete"], true, "{chain}");
    assert!(
        meta["warnings"][0]
            .as_str()
            .unwrap()
            .contains("did not finish"),
        "{chain}"
    );
    assert!(
        chain["results"][1]["meta"].get("warnings").is_none(),
        "{chain}"
    );
    server.end();

    let code = "const page = await capstan.issue.list(args);
        return { found: page.issues.length, incomplete: page.$meta.pagination.incomplete }";
    let input = rocket(json!({"label": "bug"}));
    let ran = world.cli().exec("count bugs", code, &input);
    assert_eq!(
        ran["data"],
        json!({"found": 0, "incomplete": true}),
        "{ran}"
    );
    let warnings = ran["meta"]["warnings"].to_string();
    assert!(warnings.contains("did not finish"), "{ran}");

    let code = "return (await capstan.issue.list.all(args)).$meta";
    let ran = world.cli().exec("all bugs", code, &input);
    assert_eq!(ran["data"]["incomplete"], true, "{ran}");
}
