//! The complete list of capabilities, for programs and as a page.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use capstan_catalog::outline::{read_outlines, unsupported};
use capstan_test_support::rest_description;
use roxmltree::{Document, Node, ParsingOptions};
use serde_json::Value;

use super::harness::Place;

fn rows(place: &Place, args: &[&str]) -> Vec<Value> {
    let ran = place.run(args);
    assert_eq!((ran.code, &*ran.stderr), (0, ""), "{args:?}");
    ran.json().as_array().unwrap().clone()
}

fn texts(value: &Value) -> Vec<&str> {
    let values = value.as_array().into_iter().flatten();
    values.map(|it| it.as_str().unwrap()).collect()
}

/// Returns what GitHub's description calls its operations.
fn documented() -> BTreeSet<String> {
    let text = std::fs::read_to_string(rest_description()).unwrap();
    let root: Value = serde_json::from_str(&text).unwrap();
    let items = root["paths"].as_object().unwrap().values();
    let operations = items.flat_map(|item| item.as_object().unwrap().values());
    let ids = operations.filter_map(|operation| operation["operationId"].as_str());
    ids.map(str::to_owned).collect()
}

#[test]
fn every_documented_operation_is_listed_by_what_github_calls_it() {
    let listed = rows(&Place::new(), &["list", "--all", "--json"]);
    let sources: BTreeSet<&str> = listed
        .iter()
        .flat_map(|row| texts(&row["sources"]))
        .collect();
    let missing = documented().into_iter();
    let missing: BTreeSet<_> = missing
        .filter(|source| !sources.contains(source.as_str()))
        .collect();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../catalogue/rest");
    let outlines = read_outlines(&folder).unwrap().into_values();
    let without_card = outlines.filter(|outline| unsupported(outline).is_some());
    let without_card: BTreeSet<_> = without_card.map(|outline| outline.source).collect();
    assert_eq!(missing, without_card);
}

#[test]
fn every_mutation_of_the_schema_is_listed() {
    let listed = rows(&Place::new(), &["list", "--all", "--json"]);
    let sources: BTreeSet<&str> = listed
        .iter()
        .flat_map(|row| texts(&row["sources"]))
        .collect();
    let mut mutations = mutations();
    for gone in GONE {
        assert!(mutations.remove(gone), "{gone}");
    }
    assert_eq!(mutations.len(), 274);
    let missing: Vec<_> = mutations
        .iter()
        .filter(|name| !sources.contains(name.as_str()))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
    let others: Vec<_> = sources
        .iter()
        .filter(|source| !source.contains('/') && !mutations.contains(**source))
        .collect();
    assert!(others.is_empty(), "{others:?}");
}

/// Mutations that GitHub has removed since the pinned schema was made.
const GONE: [&str; 7] = [
    "createTeamDiscussion",
    "createTeamDiscussionComment",
    "deleteTeamDiscussion",
    "deleteTeamDiscussionComment",
    "updateEnterpriseTeamDiscussionsSetting",
    "updateTeamDiscussion",
    "updateTeamDiscussionComment",
];

/// Returns the mutations of GitHub's schema.
fn mutations() -> BTreeSet<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schema");
    let mut names = BTreeSet::new();
    for file in ["github.graphql", "extensions.graphql"] {
        let text = std::fs::read_to_string(folder.join(file)).unwrap();
        for part in text.split("type Mutation {").skip(1) {
            let (fields, _) = part.split_once("\n}").unwrap();
            let calls = fields
                .lines()
                .filter_map(|line| line.trim().split_once("(input: "));
            names.extend(calls.map(|(name, _)| name.to_owned()));
        }
    }
    names
}

/// Operations without a generated card, because somebody wrote one of that id or name.
#[test]
fn written_cards_cover_operations() {
    let listed = rows(&Place::new(), &["list", "--all", "--json"]);
    let written = listed.iter().filter(|row| row["generated"] == false);
    let covered: BTreeMap<&str, &str> = written
        .flat_map(|row| {
            let id = row["id"].as_str().unwrap();
            let sources = texts(&row["sources"]).into_iter();
            sources.map(move |source| (source, id))
        })
        .collect();
    insta::assert_json_snapshot!(covered);
}

#[test]
fn what_is_common_exists() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../catalogue/common.txt");
    let text = std::fs::read_to_string(file).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let common: BTreeSet<&str> = lines.collect();
    let documented = documented();
    // Mutations have no slash.
    let mut operations = common.iter().filter(|line| line.contains('/'));
    assert!(operations.all(|it| documented.contains(*it)), "{common:?}");
    assert_eq!(
        text.lines().count() - 3,
        common.len(),
        "each stands there once"
    );
}

#[test]
fn each_row_says_all_that_is_known() {
    let listed = rows(&Place::new(), &["list", "--all", "--json"]);
    assert!(listed.len() > 1200, "{}", listed.len());
    let row = |id: &str| {
        let found = listed.iter().find(|row| row["id"] == id);
        found.unwrap_or_else(|| panic!("{id} is listed")).clone()
    };
    insta::assert_json_snapshot!(["issue.view", "gist.update", "trace.show"].map(row));
    let routes = listed.iter().map(|row| texts(&row["routes"]));
    assert!(routes.into_iter().any(|routes| routes == ["rest", "cli"]));
    let with = |key: &str, value: &str| listed.iter().filter(|row| row[key] == *value).count();
    assert!(
        with("for", "organization") > 100,
        "{}",
        with("for", "organization")
    );
    assert!(
        with("for", "enterprise") > 20,
        "{}",
        with("for", "enterprise")
    );
    assert!(listed.iter().any(|row| row["deprecated"] == true));
    let ids: BTreeSet<_> = listed
        .iter()
        .map(|row| row["id"].as_str().unwrap())
        .collect();
    assert_eq!(ids.len(), listed.len());
}

#[test]
fn a_complete_list_can_be_of_a_domain_or_a_kind() {
    let place = Place::new();
    let gists = rows(&place, &["list", "gist", "--all", "--json"]);
    assert!(gists.iter().all(|row| row["domain"] == "gist"));
    let system = rows(&place, &["list", "--kind", "system", "--all", "--json"]);
    assert!(system.iter().all(|row| row["kind"] == "system"));
    assert!(gists.len() > 10 && system.len() > 10);
}

fn is_named(node: &Node<'_, '_>, name: &str) -> bool {
    node.tag_name().name() == name
}

#[test]
fn the_page_needs_nothing_else_and_lists_everything() {
    let place = Place::new();
    let file = place.path().join("catalogue.html");
    let ran = place.run(&["list", "--html", file.to_str().unwrap()]);
    assert_eq!((ran.code, &*ran.stdout), (0, ""), "{ran:?}");
    assert!(ran.stderr.contains("wrote "), "{}", ran.stderr);
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.len() < 2 << 20, "{}", text.len());
    let options = ParsingOptions {
        allow_dtd: true,
        ..ParsingOptions::default()
    };
    let page = Document::parse_with_options(&text, options).unwrap();
    let elements = || page.descendants().filter(Node::is_element);
    let named = |name: &'static str| elements().filter(move |it| is_named(it, name));
    // Nothing is loaded and nothing leads elsewhere.
    for attribute in elements().flat_map(|it| it.attributes()) {
        let name = attribute.name();
        assert!(
            !["src", "href", "action", "style"].contains(&name),
            "{attribute:?}"
        );
        assert!(!name.starts_with("on"), "{attribute:?}");
    }
    assert!(!text.contains("url(") && !text.contains("@import"));
    let policy =
        named("meta").find_map(|it| it.attribute("content").filter(|it| it.contains("none")));
    assert!(policy.unwrap().starts_with("default-src 'none';"));
    // Every control has a label, and every column a header.
    let in_label = |it: &Node<'_, '_>| it.ancestors().any(|it| is_named(&it, "label"));
    assert!(
        named("select")
            .chain(named("input"))
            .all(|it| in_label(&it))
    );
    assert_eq!(named("html").next().unwrap().attribute("lang"), Some("en"));
    assert_eq!(named("caption").count(), 1);
    // Everything that the script looks for is there.
    let ids: BTreeSet<_> = elements().filter_map(|it| it.attribute("id")).collect();
    for id in [
        "capabilities",
        "filter",
        "words",
        "domain",
        "kind",
        "effect",
        "origin",
        "count",
    ] {
        assert!(ids.contains(id), "{id}");
    }
    let listed = rows(&place, &["list", "--all", "--json"]);
    let in_page = named("tr").filter(|it| it.attribute("data-kind").is_some());
    let in_page: Vec<_> = in_page.collect();
    assert_eq!(in_page.len(), listed.len());
    for (shown, row) in in_page.iter().zip(&listed) {
        let code = shown.descendants().find(|it| is_named(it, "code"));
        assert_eq!(code.unwrap().text(), row["id"].as_str());
        assert_eq!(shown.attribute("data-kind"), row["kind"].as_str());
        let is_write = shown.attribute("data-effect") == Some("writes");
        assert_eq!(is_write, row["operation"] == "WRITE");
    }
}

#[test]
fn a_page_that_cannot_be_written_is_an_error() {
    let place = Place::new();
    let ran = place.run(&["list", "--html", "no/such/folder/page.html"]);
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(
        ran.stderr
            .contains("cannot write `no/such/folder/page.html`"),
        "{}",
        ran.stderr
    );
}
