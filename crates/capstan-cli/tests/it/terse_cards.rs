//! Cards that leave out what the rest of them tells, and cards in the other words of the format.

use serde_json::json;

use crate::cli::harness::{Github, Place};

/// The smallest card of an issue, with the keys in their camel-case spelling: no operation, no
/// mapping of outputs or arguments, and its document somewhere below the folder of cards.
const CARD: &str = r#"capability_id: issue.view
version: "1.0.0"
description: "One issue, by its number."
input_schema:
  type: object
  required: [owner, repo, issue_number]
  properties:
    owner: { type: string }
    repo: { type: string }
    issue_number: { type: integer, minimum: 1 }
output_schema:
  type: object
  required: [id, number, title, state, url]
  properties:
    id: { type: string }
    number: { type: integer }
    title: { type: string }
    state: { type: string }
    url: { type: string }
routing:
  preferred: graphql
  fallbacks: [cli]
  notes:
    - "The command line is for those without a token."
graphql:
  operationName: IssueView
  documentPath: packages/adapters/graphql/src/operations/IssueView.graphql
cli:
  command: "issue view"
  jsonFields: ["id","number","title","state","url"]
examples:
  - title: "An issue"
    input: { owner: "acme", repo: "rocket", issue_number: 1 }
"#;
const DOCUMENT: &str = "query IssueView($owner: String!, $repo: String!, $issueNumber: Int!) {
  repository(owner: $owner, name: $repo) {
    issue(number: $issueNumber) { id number title state url }
  }
}
";
const DOCUMENT_PATH: &str = "cards/packages/adapters/graphql/src/operations/IssueView.graphql";

fn with_card() -> Place {
    let place = Place::new();
    place.write("cards/registry/issue.view.yaml", CARD);
    place.write(DOCUMENT_PATH, DOCUMENT);
    place
}

#[test]
fn a_card_in_the_other_words_of_the_format_loads_and_runs_on_every_route() {
    let github = Github::demo();
    let place = with_card()
        .with_gh()
        .online(&github)
        .env("GH_CONFIG_DIR", github.gh_config.path());
    let expected = json!({
        "number": 1,
        "title": "Engine cuts off during hop test",
        "state": "OPEN",
        "url": "https://github.com/acme/rocket/issues/1",
    });
    for route in ["graphql", "cli"] {
        let ran = place.line(&format!(
            "--cards cards run issue.view -R acme/rocket issue_number=1 --route {route}"
        ));
        assert_eq!((ran.code, &*ran.stderr), (0, ""), "{route}: {ran:?}");
        let data = &ran.json()["data"];
        for name in ["number", "state", "url"] {
            assert_eq!(data[name], expected[name], "{route}: {data}");
        }
        assert!(
            data["id"].is_string() && data["title"].is_string(),
            "{data}"
        );
        assert_eq!(data.as_object().unwrap().len(), 5, "{route}: {data}");
    }
    let explained = place.line("--cards cards explain issue.view").json();
    assert_eq!(explained["operation"], "READ");
    let missing = place.line("--cards cards run issue.view -R acme/rocket issue_number=4242");
    assert_eq!(missing.json()["error"]["code"], "NOT_FOUND", "{missing:?}");
}

#[test]
fn it_is_sound_for_the_checker() {
    let place = with_card();
    let ran = place.line("--json check cards");
    let found = ran.json();
    assert_eq!((ran.code, &found["ok"]), (0, &json!(true)), "{found}");
    assert_eq!(
        (&found["errors"], &found["warnings"]),
        (&json!(0), &json!(0))
    );
}

#[test]
fn an_operation_without_a_name_runs() {
    let github = Github::demo();
    let place = with_card().online(&github);
    // Whether the card calls it by a name or not.
    place.write(
        DOCUMENT_PATH,
        DOCUMENT.replace("query IssueView(", "query ("),
    );
    let called = place.line("--cards cards run issue.view -R acme/rocket issue_number=1");
    assert_eq!(called.json()["data"]["number"], 1, "{called:?}");
    let card = CARD.replace("  operationName: IssueView\n", "");
    place.write("cards/registry/issue.view.yaml", &card);
    place.write(
        DOCUMENT_PATH,
        DOCUMENT.replace("query IssueView(", "query ("),
    );
    let ran = place.line("--cards cards run issue.view -R acme/rocket issue_number=1");
    assert_eq!((ran.code, &*ran.stderr), (0, ""), "{ran:?}");
    assert_eq!(ran.json()["data"]["number"], 1);
    // And in a request with others.
    let steps = r#"[{"task": "issue.view", "input": {"owner": "acme", "repo": "rocket", "issue_number": 1}},
        {"task": "issue.view", "input": {"owner": "acme", "repo": "rocket", "issue_number": 2}}]"#;
    let ran = place.run_with(&["--cards", "cards", "chain", "-"], steps.as_bytes());
    assert_eq!(ran.json()["meta"]["succeeded"], 2, "{ran:?}");
}

/// What a document does is what the card does: a mutation is refused where only reads are allowed.
#[test]
fn a_mutation_makes_the_card_a_write() {
    let github = Github::demo();
    let place = Place::new().online(&github);
    place.write(
        "cards/ping.yaml",
        "capability_id: issue.ping
version: 1.0.0
description: Close an issue by its id.
input_schema: {type: object, required: [id], properties: {id: {type: string}}}
output_schema: {type: object, required: [clientMutationId], properties: {clientMutationId: {type: [string, 'null']}}}
graphql: {}
",
    );
    place.write(
        "cards/ping.graphql",
        "mutation($id: ID!) { closeIssue(input: {issueId: $id}) { clientMutationId } }",
    );
    let explained = place.line("--cards cards explain issue.ping").json();
    assert_eq!(explained["operation"], "WRITE", "{explained}");
    let ran = place.line("--cards cards --read-only run issue.ping id=x");
    assert_eq!(ran.json()["error"]["code"], "POLICY", "{ran:?}");
}

#[test]
fn what_does_not_follow_is_asked_for_where_it_is_missing() {
    for (from, to, code, message) in [
        (
            "required: [id, number, title, state, url]\n  properties:\n",
            "required: [id, color]\n  properties:\n    color: { type: string }\n",
            "E042",
            "the answer has no fields named `color`",
        ),
        (
            "  operationName: IssueView",
            "  operationName: IssueVeiw",
            "E042",
            "the document has no operation `IssueVeiw`",
        ),
        (
            "packages/adapters/graphql/src/operations/IssueView.graphql",
            "packages/IssueView.graphql",
            "E043",
            "there is no document `packages/IssueView.graphql`",
        ),
        (
            "packages/adapters/graphql/src/operations/IssueView.graphql",
            "../../outside.graphql",
            "E043",
            "is not a path inside the folder of cards",
        ),
        (
            "  operationName: IssueView",
            "  operationName: IssueView\n  operation: IssueView",
            "E041",
            "twice",
        ),
    ] {
        assert!(CARD.contains(from), "{from}");
        let place = with_card();
        place.write("outside.graphql", DOCUMENT);
        place.write("cards/registry/issue.view.yaml", CARD.replace(from, to));
        let ran = place.line("check cards");
        assert_eq!(ran.code, 1, "{from}: {ran:?}");
        let line = ran.stdout.lines().find(|line| line.contains(message));
        let line = line.unwrap_or_else(|| panic!("{message}: {ran:?}"));
        assert!(line.contains(&format!("error[{code}]")), "{line}");
    }
}

/// One card that reads an object and rows by name, and its document.
fn nested(schema: &str, document: &str) -> Place {
    let place = Place::new();
    place.write(
        "c/v.d.yaml",
        format!(
            "capability_id: v.d
version: 1.0.0
description: An issue.
input_schema:
  type: object
  required: [owner, repo]
  properties: {{owner: {{type: string}}, repo: {{type: string}}}}
output_schema: {schema}
graphql: {{}}
"
        ),
    );
    place.write("c/v.d.graphql", document);
    place
}

#[test]
fn names_take_the_other_spelling_inside_objects_and_rows() {
    let github = Github::demo();
    let place = nested(
        "{type: object, required: [number, labels], properties: {
          number: {type: integer},
          milestone: {type: [object, 'null'], required: [due_on, title], properties: {
            due_on: {type: [string, 'null']}, title: {type: string}, creator: {type: [object, 'null'], properties: {
              avatar_url: {type: string}}}}},
          labels: {type: [array, 'null'], items: {type: object, required: [created_at, name], properties: {
            created_at: {type: [string, 'null']}, name: {type: string}}}}}}",
        "query($owner: String!, $repo: String!) { repository(owner: $owner, name: $repo) { issue(number: 1) {
          number milestone { dueOn title creator { avatarUrl } }
          labels(first: 5) { nodes { createdAt name } } } } }",
    )
    .online(&github);
    let checked = place.line("check c --no-hints");
    assert_eq!(checked.code, 0, "{checked:?}");
    let ran = place.line("--cards c run v.d -R acme/rocket");
    assert_eq!(ran.code, 0, "{ran:?}");
    let data = ran.json()["data"].clone();
    let keys = |value: &serde_json::Value| -> Vec<String> {
        value.as_object().unwrap().keys().cloned().collect()
    };
    assert_eq!(
        keys(&data["milestone"]),
        ["due_on", "title", "creator"],
        "{data}"
    );
    assert_eq!(
        keys(&data["milestone"]["creator"]),
        ["avatar_url"],
        "{data}"
    );
    let labels = data["labels"].as_array().unwrap();
    assert!(!labels.is_empty(), "{data}");
    for label in labels {
        assert_eq!(keys(label), ["created_at", "name"], "{data}");
        assert!(label["created_at"].is_string(), "{data}");
    }
}

/// A null milestone stays null: it does not become an object without fields.
#[test]
fn an_object_that_is_null_stays_null() {
    let github = Github::demo();
    let place = nested(
        "{type: object, required: [issues], properties: {issues: {type: array, items: {type: object,
          required: [milestone], properties: {milestone: {type: [object, 'null'], required: [due_on],
            properties: {due_on: {type: [string, 'null']}}}}}}}}",
        "query($owner: String!, $repo: String!) { repository(owner: $owner, name: $repo) {
          issues(first: 50) { nodes { milestone { dueOn } } } } }",
    )
    .online(&github);
    let checked = place.line("check c --no-hints");
    assert!(!checked.stdout.contains("error["), "{checked:?}");
    let ran = place.line("--cards c run v.d -R acme/rocket");
    assert_eq!(ran.code, 0, "{ran:?}");
    let data = ran.json()["data"].clone();
    let rows = data["issues"].as_array().unwrap();
    assert!(rows.iter().any(|row| row["milestone"].is_null()), "{data}");
    let with = rows.iter().find(|row| row["milestone"].is_object());
    assert!(with.unwrap()["milestone"].get("due_on").is_some(), "{data}");
}

#[test]
fn what_has_no_source_inside_an_object_is_reported() {
    let document =
        "query($owner: String!, $repo: String!) { repository(owner: $owner, name: $repo) {
      issue(number: 1) { number milestone { title } } } }";
    for (required, found) in [
        ("", "warning[E057]"),
        ("required: [due_on], ", "error[E057]"),
    ] {
        let schema = format!(
            "{{type: object, properties: {{number: {{type: integer}}, milestone: {{type: [object, 'null'],
              {required}properties: {{due_on: {{type: string}}, title: {{type: string}}}}}}}}}}"
        );
        let checked = nested(&schema, document).line("check c --no-hints");
        assert!(checked.stdout.contains(found), "{checked:?}");
        assert!(checked.stdout.contains("lacks due_on"), "{checked:?}");
    }
}

/// A name that was made up for an operation without one would be looked for in vain.
#[test]
fn mistakes_about_an_operation_without_a_name_do_not_name_it() {
    let document =
        "query($owner: String!, $repo: String!) { repository(owner: $owner, name: $repo) { id } }";
    let place = nested("{type: object, properties: {id: {type: string}}}", document);
    let card = place.here().join("c/v.d.yaml");
    let text = std::fs::read_to_string(&card).unwrap();
    let text = text.replace("graphql: {}", "graphql: {variables: {color: owner}}");
    place.write("c/v.d.yaml", text);
    let checked = place.line("check c");
    let words = "the operation of the document has no variable `$color`";
    assert!(checked.stdout.contains(words), "{checked:?}");
    assert!(!checked.stdout.contains("VD"), "{checked:?}");
}

/// A link in a folder that somebody else wrote must not show other files.
#[test]
fn a_document_cannot_be_reached_through_a_link_out_of_the_folder() {
    let place = with_card();
    place.write("secret/operations/IssueView.graphql", DOCUMENT);
    std::os::unix::fs::symlink(place.here().join("secret"), place.here().join("cards/way"))
        .unwrap();
    let card = CARD.replace(
        "packages/adapters/graphql/src/operations/",
        "way/operations/",
    );
    place.write("cards/registry/issue.view.yaml", card);
    let ran = place.line("check cards");
    assert!(ran.stdout.contains("is outside the folder"), "{ran:?}");
}
