//! The example cards run against the simulator, and the documentation's tables are true.

use capstan_core::expr::{Expr, Scope};
use serde_json::{Map, Value, json};

use crate::binary::{capstan, capstan_json};
use crate::support::workspace;

fn with_examples(args: &[&str]) -> Value {
    let mut all = vec!["--demo", "--cards", "examples/cards"];
    all.extend(args);
    capstan_json(&all)
}

#[test]
fn the_branches_are_the_same_on_every_route() {
    let list = |route| {
        with_examples(&[
            "run",
            "repo.branches.list",
            "-R",
            "acme/rocket",
            "first=5",
            "--route",
            route,
        ])
    };
    let graphql = list("graphql");
    assert_eq!(graphql["ok"], true, "{graphql}");
    assert_eq!(graphql["data"]["branches"].as_array().unwrap().len(), 5);
    assert_eq!(graphql["meta"]["pagination"]["has_next_page"], true);
    for route in ["rest", "cli"] {
        let other = list(route);
        assert_eq!(other["data"], graphql["data"], "{route}");
        let cursor = other["meta"]["pagination"]["end_cursor"].as_str().unwrap();
        assert!(cursor.starts_with("page:2:5:"), "{route}: {cursor}");
    }
}

#[test]
fn pages_follow_each_other() {
    let page = |words: &[&str]| {
        let mut args = vec!["run", "repo.branches.list", "-R", "acme/rocket"];
        args.extend(words);
        with_examples(&args)
    };
    let all = page(&["first=100"]);
    for route in ["graphql", "rest"] {
        let first = page(&["first=4", "--route", route]);
        let cursor = first["meta"]["pagination"]["end_cursor"].as_str().unwrap();
        // A counted cursor carries the page size; GraphQL's needs to be told again.
        let size: &[&str] = if route == "rest" { &[] } else { &["first=4"] };
        let after = format!("after={cursor}");
        let second = page(&[size, &[&after, "--route", route]].concat());
        let rows = [&first, &second].map(|page| page["data"]["branches"].as_array().unwrap());
        assert_eq!(
            rows.into_iter().flatten().cloned().collect::<Vec<_>>(),
            all["data"]["branches"].as_array().unwrap()[..8],
            "{route}"
        );
    }
}

#[test]
fn an_issue_is_locked() {
    for route in ["graphql", "rest", "cli"] {
        let locked = with_examples(&[
            "run",
            "issue.lock",
            "-R",
            "acme/rocket",
            "issue_number=1",
            "reason=too_heated",
            "--route",
            route,
        ]);
        assert_eq!(
            locked["data"],
            json!({
                "number": 1,
                "locked": true,
                "url": "https://github.com/acme/rocket/issues/1",
                "changed": true
            }),
            "{locked}"
        );
        assert_eq!(locked["meta"]["next"][0]["capability"], "issue.view");
    }
}

#[test]
fn an_issue_that_is_not_there_is_named_and_mended() {
    let missing = with_examples(&[
        "run",
        "issue.lock",
        "-R",
        "acme/rocket",
        "issue_number=4711",
    ]);
    let error = &missing["error"];
    assert_eq!(error["code"], "NOT_FOUND");
    assert_eq!(
        error["message"], "there is no issue 4711 in acme/rocket",
        "{missing}"
    );
    assert_eq!(error["details"]["outcome"], "not_applied");
    assert_eq!(
        error["details"]["mend"]["arguments"]["capability"],
        "issue.list"
    );
}

/// The results of an example in `examples/chains`, and how many requests it took.
fn chain(file: &str) -> (Vec<Value>, u64) {
    let envelope = capstan_json(&["--demo", "chain", &format!("examples/chains/{file}")]);
    assert_eq!(envelope["status"], "success", "{envelope}");
    let results = envelope["results"].as_array().unwrap().clone();
    (results, envelope["meta"]["requests"].as_u64().unwrap())
}

#[test]
fn an_issue_is_triaged_by_a_chain() {
    let (results, requests) = chain("triage.json");
    assert_eq!(requests, 3, "the issue, the lookups, the writes");
    assert_eq!(results[0]["data"]["author"], "priya-nair");
    let labels = results[1]["data"]["labels"].as_array().unwrap();
    assert!(labels.contains(&json!("help wanted")), "{labels:?}");
    assert_eq!(results[2]["data"]["assignees"], json!(["priya-nair"]));
    let url = results[3]["data"]["url"].as_str().unwrap();
    assert!(url.contains("/issues/48#"), "{url}");
}

#[test]
fn a_release_is_checked_by_a_chain() {
    let (results, requests) = chain("release-check.json");
    assert_eq!(requests, 2, "GraphQL and, for the runs, REST");
    assert_eq!(results[1]["meta"]["route_used"], "rest");
    let runs = results[1]["data"]["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 5);
}

#[test]
fn what_a_chain_makes_is_used_by_its_later_steps() {
    let (results, _) = chain("follow-up.jsonl");
    let number = &results[1]["data"]["number"];
    assert!(number.is_u64(), "{results:?}");
    assert_eq!(results[2]["data"]["number"], *number);
    assert_eq!(results[4]["data"]["number"], *number);
    assert_eq!(results[4]["data"]["title"], "Follow up on the review");
}

#[test]
fn every_chain_among_the_examples_is_run() {
    let files = std::fs::read_dir(workspace().join("examples/chains")).unwrap();
    let mut names: Vec<_> = files
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(
        names,
        ["follow-up.jsonl", "release-check.json", "triage.json"]
    );
}

#[test]
fn cards_of_a_folder_are_listed_explained_and_found() {
    let all = with_examples(&["list"]);
    let ids: Vec<_> = all
        .as_array()
        .unwrap()
        .iter()
        .map(|row| &row["id"])
        .collect();
    assert!(ids.contains(&&json!("issue.lock")), "{ids:?}");
    assert!(ids.contains(&&json!("issue.view")), "{ids:?}");
    let explanation = with_examples(&["explain", "issue.lock"]);
    assert_eq!(
        explanation["optional"]["reason"],
        "off_topic|resolved|spam|too_heated"
    );
    let found = with_examples(&["search", "stop", "a", "heated", "discussion"]);
    assert_eq!(found[0]["id"], "issue.lock");
}

#[test]
fn a_configuration_adds_folders_relative_to_itself() {
    let folder = tempfile::tempdir().unwrap();
    let cards = folder.path().join("mine");
    std::fs::create_dir(&cards).unwrap();
    for name in ["issue.lock.yaml", "issue.lock.graphql"] {
        let from = workspace().join("examples/cards").join(name);
        std::fs::copy(from, cards.join(name)).unwrap();
    }
    let file = folder.path().join("capstan.toml");
    std::fs::write(&file, "cards = [\"mine\"]\n").unwrap();
    let explanation = capstan_json(&["--config", file.to_str().unwrap(), "explain", "issue.lock"]);
    assert_eq!(explanation["capability_id"], "issue.lock");
}

/// E040.
#[test]
fn a_folder_that_is_not_there_is_said_and_the_rest_goes_on() {
    let output = capstan(&["--cards", "no/such/folder", "explain", "issue.view"]);
    assert!(output.status.success());
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.starts_with("no/such/folder: error[E040]: "), "{said}");
}

/// E044.
#[test]
fn of_two_cards_with_one_id_the_first_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["first", "second"] {
        for kind in ["yaml", "graphql"] {
            let from = workspace().join(format!("examples/cards/repo.branches.list.{kind}"));
            std::fs::copy(from, folder.path().join(format!("{name}.{kind}"))).unwrap();
        }
    }
    let path = folder.path().to_str().unwrap();
    let output = capstan(&["--cards", path, "explain", "repo.branches.list"]);
    assert!(output.status.success());
    let said = String::from_utf8(output.stderr).unwrap();
    let place = format!("{path}/second.yaml:1:16: error[E044]: there is another card");
    assert!(said.starts_with(&place), "{said}");
}

#[test]
fn the_page_about_cards_shows_the_example_as_it_is() {
    let page = std::fs::read_to_string(workspace().join("docs/cards.md")).unwrap();
    for kind in ["yaml", "graphql"] {
        let file = format!("examples/cards/repo.branches.list.{kind}");
        let text = std::fs::read_to_string(workspace().join(&file)).unwrap();
        assert!(page.contains(&format!("```{kind}\n{text}```")), "{file}");
    }
}

/// The table of filters in `docs/cards.md`: every filter, and every example gives what it says.
#[test]
fn the_filters_do_what_their_table_says() {
    let page = std::fs::read_to_string(workspace().join("docs/cards.md")).unwrap();
    let (_, rest) = page
        .split_once("<!-- the value of the examples -->")
        .unwrap();
    let json_block = rest.split("```").nth(1).unwrap();
    let this: Value = serde_json::from_str(json_block.strip_prefix("json").unwrap()).unwrap();
    let (_, table) = rest.split_once("| filter | example | gives |").unwrap();
    let mut documented = Vec::new();
    for row in table
        .lines()
        .skip(2)
        .take_while(|line| line.starts_with('|'))
    {
        // A bar inside an example is written `\|`, as Markdown wants it.
        let row = row.replace("\\|", "\u{1}");
        let cells: Vec<_> = row
            .split('|')
            .map(|cell| cell.trim().replace('\u{1}', "|"))
            .collect();
        let code = |cell: &str| cell.split('`').nth(1).unwrap_or_default().to_owned();
        let (name, example, gives) = (code(&cells[1]), code(&cells[2]), code(&cells[3]));
        let value = Expr::parse(&example)
            .unwrap_or_else(|error| panic!("{example}: {error}"))
            .eval(&Scope::new(&this, &Map::new()));
        let expected = match gives.as_str() {
            "" => None,
            text => Some(serde_json::from_str::<Value>(text).unwrap()),
        };
        assert_eq!(value, expected, "{example}");
        documented.push(name.split('(').next().unwrap().to_owned());
    }
    let unknown = Expr::parse("a | no_such_filter").unwrap_err().message;
    let (_, known) = unknown.split_once("expected ").unwrap();
    let mut known: Vec<_> = known
        .split([',', ' '])
        .filter(|word| !word.is_empty() && *word != "or")
        .collect();
    documented.sort();
    // One with and without an argument has two rows.
    documented.dedup();
    known.sort_unstable();
    assert_eq!(documented, known);
}
