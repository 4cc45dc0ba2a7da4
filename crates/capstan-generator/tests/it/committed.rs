//! The committed catalogue: fresh, complete, and counted against the description by other means.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use capstan_catalog::outline::{AnswerKind, Audience, Outline, read_outlines};
use capstan_catalog::{files, yaml};
use capstan_generator::{Catalogue, Document, Drift, Rules, Support, joined};
use capstan_test_support::rest_description;
use serde_json::Value;

/// How many operations the pinned version of the description has.
const OPERATIONS: usize = 1223;
/// How many outlines are there because of another media type of an operation.
const VARIANTS: usize = 11;

fn folder(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../catalogue")
        .join(path)
}

fn committed() -> BTreeMap<String, Outline> {
    read_outlines(&folder("rest"))
        .unwrap()
        .into_iter()
        .collect()
}

fn description_text() -> String {
    fs::read_to_string(rest_description()).unwrap()
}

/// An operation as the description has it, with its path and method.
struct Raw {
    path: String,
    method: String,
    value: Value,
    parameters: Vec<Value>,
}

/// Reads the operations again, without the generator.
fn raw_operations() -> Vec<Raw> {
    let root: Value = serde_json::from_str(&description_text()).unwrap();
    let mut all = Vec::new();
    for (path, item) in root["paths"].as_object().unwrap() {
        for (method, value) in item.as_object().unwrap() {
            if value["operationId"].is_null() {
                continue;
            }
            let parameters = value["parameters"].as_array().into_iter().flatten();
            let parameters = parameters.map(|parameter| match parameter["$ref"].as_str() {
                Some(target) => root.pointer(&target[1..]).unwrap().clone(),
                None => parameter.clone(),
            });
            all.push(Raw {
                path: path.clone(),
                method: method.clone(),
                parameters: parameters.collect(),
                value: value.clone(),
            });
        }
    }
    all
}

impl Raw {
    fn id(&self) -> &str {
        self.value["operationId"].as_str().unwrap()
    }

    fn has_status(&self, status: &str) -> bool {
        !self.value["responses"][status].is_null()
    }

    fn has_query(&self, name: &str) -> bool {
        self.parameters
            .iter()
            .any(|it| it["name"] == name && it["in"] == "query")
    }
}

/// Checks that the same operations are marked as the description has them.
#[track_caller]
fn check_marks(
    raw: &[Raw],
    is_described: impl Fn(&Raw) -> bool,
    is_marked: impl Fn(&Outline) -> bool,
) {
    let described = raw
        .iter()
        .filter(|raw| is_described(raw))
        .map(|raw| raw.id().to_owned());
    let outlines = committed();
    let marked = outlines.values().filter(|outline| is_marked(outline));
    let marked = marked.map(|outline| outline.source.clone());
    let (described, marked): (BTreeSet<_>, BTreeSet<_>) = (described.collect(), marked.collect());
    assert!(!marked.is_empty());
    let differing: Vec<_> = described.symmetric_difference(&marked).collect();
    assert!(differing.is_empty(), "{differing:?}");
}

#[test]
fn the_catalogue_is_fresh() {
    let document = Document::parse(&description_text()).unwrap();
    let rules = Rules::read(&folder("rules.yaml")).unwrap();
    let catalogue = Catalogue::build(&document, &rules)
        .map_err(|problems| joined(&problems))
        .unwrap();
    let drift = Drift::new(&catalogue, &folder("rest"));
    assert!(drift.is_empty(), "run `make catalogue`:\n{drift}");
}

#[test]
fn every_operation_has_an_outline() {
    let outlines = committed();
    assert_eq!(outlines.len(), OPERATIONS + VARIANTS);
    let sources: BTreeSet<_> = outlines.values().map(|it| it.source.as_str()).collect();
    let raw = raw_operations();
    let described: BTreeSet<_> = raw.iter().map(Raw::id).collect();
    assert_eq!(sources, described);
}

#[test]
fn marks_are_those_of_the_description() {
    let raw = raw_operations();
    check_marks(
        &raw,
        |raw| raw.value["deprecated"] == true,
        |it| it.deprecated.is_some(),
    );
    check_marks(
        &raw,
        |raw| raw.value["servers"].is_array(),
        |it| it.host.is_some(),
    );
    check_marks(
        &raw,
        |raw| {
            raw.parameters
                .iter()
                .any(|it| it["x-multi-segment"] == true && it["in"] == "path")
        },
        |it| it.call.contains("{+"),
    );
    check_marks(
        &raw,
        |raw| raw.method == "get" && raw.has_status("204") && !raw.has_status("200"),
        |it| it.answer == Some(AnswerKind::YesOrNo),
    );
    check_marks(
        &raw,
        |raw| {
            raw.method == "get"
                && raw.has_status("302")
                && !raw.has_status("200")
                && !raw.has_status("204")
        },
        |it| matches!(it.answer, Some(AnswerKind::Redirect | AnswerKind::Log)),
    );
    check_marks(
        &raw,
        |raw| raw.method == "get" && raw.has_status("202"),
        |it| it.computed,
    );
    check_marks(
        &raw,
        |raw| raw.method != "get" && raw.has_status("202"),
        |it| it.accepted,
    );
    check_marks(
        &raw,
        |raw| raw.path.starts_with("/enterprises/"),
        |it| it.audience == Some(Audience::Enterprise),
    );
    check_marks(
        &raw,
        |raw| {
            let body = raw
                .value
                .pointer("/requestBody/content/application~1json/schema/properties");
            body.is_some_and(|body| !body["encrypted_value"].is_null())
        },
        |it| it.sealed.is_some(),
    );
}

#[test]
fn every_list_with_pages_can_turn_them() {
    let raw = raw_operations();
    let outlines = committed();
    for outline in outlines.values().filter(|outline| outline.pages.is_some()) {
        let raw = raw.iter().find(|raw| raw.id() == outline.source).unwrap();
        let names = ["page", "after", "cursor", "since"];
        let has_link = !raw.value["responses"]["200"]["headers"]["Link"].is_null();
        assert!(
            has_link || names.iter().any(|name| raw.has_query(name)),
            "{}",
            outline.source
        );
        assert!(outline.rows.is_some(), "{}", outline.source);
    }
}

#[test]
fn descriptions_are_short_sentences() {
    for (id, outline) in committed() {
        let text = &outline.description;
        assert!(text.ends_with('.') && text.len() <= 130, "{id}: {text}");
        assert!(
            text.starts_with(|c: char| c.is_ascii_uppercase()),
            "{id}: {text}"
        );
        assert!(
            !text.contains(['`', '*', '\n']) && !text.contains("http"),
            "{id}: {text}"
        );
    }
}

/// Ids of cards that people wrote mean the same here: their REST route calls the same operation, or one of those
/// named here, whose meaning is the same although the call is another.
#[test]
fn ids_of_other_cards_have_the_same_meaning() {
    const OTHER_CALLS: [&str; 3] = ["issue.labels.remove", "issue.list", "pr.list"];
    let cards = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cards");
    let outlines = committed();
    let mut shared = 0;
    for file in files::find_yaml_files(&cards).files {
        let documents = yaml::documents(&files::read(&file).unwrap()).unwrap();
        let card = documents[0].to_json();
        let id = card["capability_id"].as_str().unwrap();
        let (Some(outline), Some(path)) = (outlines.get(id), card["rest"]["path"].as_str()) else {
            continue;
        };
        shared += 1;
        let called = format!("{} {path}", card["rest"]["method"].as_str().unwrap());
        let is_same = normalized(&called) == normalized(&outline.call);
        assert!(is_same || OTHER_CALLS.contains(&id), "{id}: {called}");
    }
    assert!(shared >= 10, "{shared}");
}

/// Returns a call without the names of its blanks.
fn normalized(call: &str) -> String {
    let parts = call
        .split('{')
        .map(|part| part.split_once('}').map_or(part, |(_, rest)| rest));
    parts.collect::<Vec<_>>().join("{}")
}

#[test]
fn all_outlines_become_cards() {
    let support = Support::of(&committed());
    assert_eq!(support.supported, OPERATIONS + VARIANTS, "{support}");
}
