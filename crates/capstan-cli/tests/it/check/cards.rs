//! Cards are proven against GitHub's schema by `capstan check`, too.

use serde_json::json;

use crate::cli::harness::Place;

const CARD: &str = "capability_id: repo.stars
version: 1.0.0
description: Count the stars of a repository.
operation: READ
input_schema:
  type: object
  required: [owner, repo]
  properties: {owner: {type: string}, repo: {type: string}}
output_schema:
  type: object
  required: [stars]
  properties: {stars: {type: integer}}
graphql:
  operation: Stars
  variables: {name: repo}
  output: {root: repository, fields: {stars: stargazerCount}}
";
const DOCUMENT: &str = "query Stars($owner: String!, $name: String!) {
  repository(owner: $owner, name: $name) {
    stargazerCount
  }
}
";

fn with_card(card: &str, document: &str) -> Place {
    let place = Place::new();
    place.write("cards/stars.yaml", card);
    place.write("cards/stars.graphql", document);
    place
}

#[test]
fn a_card_that_asks_for_what_github_does_not_have_is_found_with_its_place() {
    let place = with_card(CARD, &DOCUMENT.replace("stargazerCount", "starCount"));
    let ran = place.line("check cards");
    assert_eq!(ran.code, 1, "{ran:?}");
    let line = ran.stdout.lines().find(|line| line.contains("E050"));
    let line = line.unwrap_or_else(|| panic!("{ran:?}"));
    assert!(line.contains("stars.graphql:3:5: error[E050]"), "{line}");
    assert!(
        line.contains("starCount") && line.contains("--github-schema"),
        "{line}"
    );

    let found = place.line("--json check cards").json();
    assert_eq!(found["ok"], false);
    let document = &found["diagnostics"];
    let document = document
        .as_array()
        .unwrap()
        .iter()
        .find(|it| it["code"] == "E050");
    let document = document.unwrap();
    assert_eq!(
        (&document["line"], &document["column"]),
        (&json!(3), &json!(5))
    );
    assert!(
        document["file"]
            .as_str()
            .unwrap()
            .ends_with("stars.graphql")
    );
    assert_eq!(document["severity"], "error");
}

/// One row for each proof: what is changed, the code, and where it is said to be.
#[test]
fn every_proof_is_made() {
    for (from, to, code, place_of) in [
        ("{name: repo}", "{name: '3'}", "E051", "stars.yaml:15"),
        (
            "stars: stargazerCount",
            "stars: starCount",
            "E052",
            "stars.yaml:16",
        ),
        (
            "{stars: {type: integer}}",
            "{stars: {type: string}}",
            "E053",
            "stars.yaml:16",
        ),
        (
            "repo: {type: string}}",
            "repo: {type: string}, days: {type: integer}}",
            "E055",
            "stars.yaml",
        ),
    ] {
        assert_eq!(CARD.matches(from).count(), 1, "{from}");
        let place = with_card(&CARD.replace(from, to), DOCUMENT);
        let ran = place.line("check cards");
        assert_eq!(ran.code, 1, "{code}: {ran:?}");
        let found =
            |line: &str| line.contains(place_of) && line.contains(&format!("error[{code}]"));
        assert!(ran.stdout.lines().any(found), "{code}: {ran:?}");
    }
}

#[test]
fn what_only_built_in_cards_must_have_is_a_hint() {
    let place = with_card(CARD, DOCUMENT);
    let ran = place.line("check cards --deny-warnings");
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.stdout.contains("hint[E056]"), "{ran:?}");
    let unused = with_card(
        CARD,
        &DOCUMENT.replace("stargazerCount", "stargazerCount url"),
    );
    let ran = unused.line("check cards");
    assert!(
        ran.code == 0 && ran.stdout.contains("warning[E054]"),
        "{ran:?}"
    );
}

/// GitHub moves on; the schema in the binary does not.
#[test]
fn a_newer_schema_can_be_given_or_none() {
    let place = with_card(
        CARD,
        &DOCUMENT.replace("stargazerCount", "stargazerCount: newCount"),
    );
    place.write(
        "newer.graphql",
        "type Query { repository(owner: String!, name: String!): Repository }
         type Repository { newCount: Int! }",
    );
    assert_eq!(place.line("check cards").code, 1);
    let newer = place.line("check cards --github-schema newer.graphql");
    assert_eq!(newer.code, 0, "{newer:?}");
    let none = place.line("check cards --github-schema none");
    assert_eq!(none.code, 0, "{none:?}");
    place.write("broken.graphql", "type Query { a: Missing }");
    for (file, said) in [
        ("broken.graphql", "is not a valid GraphQL schema"),
        ("absent.graphql", "cannot read the schema `absent.graphql`"),
    ] {
        let ran = place.line(&format!("check cards --github-schema {file}"));
        assert_eq!(ran.code, 2, "{ran:?}");
        assert!(ran.stderr.contains(said), "{ran:?}");
    }
}

#[test]
fn the_cards_of_the_configuration_are_checked_when_no_path_is_given() {
    let place = with_card(CARD, &DOCUMENT.replace("stargazerCount", "starCount"));
    place.write("capstan.toml", "cards = [\"cards\"]\n");
    for line in ["check", "check --cards cards"] {
        let ran = place.line(line);
        assert!(
            ran.code == 1 && ran.stdout.contains("E050"),
            "{line}: {ran:?}"
        );
    }
}

#[test]
fn the_cards_that_ship_pass() {
    let place = Place::new();
    for folder in ["cards", "examples/cards"] {
        let folder = crate::support::workspace().join(folder);
        let ran = place.run(&["check", "--deny-warnings", folder.to_str().unwrap()]);
        assert_eq!((ran.code, &*ran.stdout), (0, ""), "{ran:?}");
    }
}
