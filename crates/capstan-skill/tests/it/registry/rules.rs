//! Compares the rules about levels, cycles, diamonds, versions, deprecation and effects with the oracle: on
//! any registry the checker finds exactly what the oracle finds.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use capstan_core::{Diagnostic, Severity, Source};
use capstan_skill::{Contract, Library, OperationClass, OutsideCapability, Runs, check, read_text};
use proptest::prelude::*;
use serde::Deserialize;
use serde_json::{Value, json};
use time::macros::date;

use super::samples::{CARD, SampleRegistry, registries};
use super::{oracle, runner};

/// The code, the severity, the skill, and the subject.
type Finding = (String, String, Option<String>, String);

/// The answer of `oracle.py` for a registry.
#[derive(Debug, Deserialize)]
struct CheckAnswer {
    /// Whether it could choose versions. Otherwise it reports nothing that depends on them.
    judged: bool,
    findings: Vec<(String, String, Option<String>, Value)>,
    /// Skills whose effects it does not know, because they compose something broken.
    unjudged: BTreeSet<String>,
}

/// Codes that do not depend on chosen versions.
const BY_NAMES: [&str; 3] = ["E004", "E010", "E013"];
const BY_VERSIONS: [&str; 6] = ["E003", "E014", "E015", "E016", "E017", "E018"];
const BY_CONTRACTS: [&str; 2] = ["E030", "E031"];

#[test]
fn everything_that_the_oracle_finds_is_found_and_nothing_else() {
    let oracle = oracle();
    let judged = Cell::new(0);
    let seen = std::cell::RefCell::new(BTreeMap::<String, usize>::new());
    let cases = 500;
    runner(cases)
        .run(&registries(), |registry| {
            let answer: CheckAnswer = oracle.ask(&json!({"check": [registry]}));
            judged.set(judged.get() + u32::from(answer.judged));
            let is_asked = |code: &str, skill: Option<&str>| {
                BY_NAMES.contains(&code)
                    || answer.judged && BY_VERSIONS.contains(&code)
                    || answer.judged
                        && BY_CONTRACTS.contains(&code)
                        && skill.is_some_and(|it| !answer.unjudged.contains(it))
            };
            let told = |(code, severity, skill, what): (String, String, Option<String>, Value)| {
                (code, severity, skill, what.to_string())
            };
            let expected: BTreeSet<Finding> = answer.findings.iter().cloned().map(told).collect();
            let expected: BTreeSet<_> = expected
                .into_iter()
                .filter(|it| is_asked(&it.0, it.2.as_deref()))
                .collect();
            let found = found(&registry)
                .into_iter()
                .filter(|it| is_asked(&it.0, it.2.as_deref()) || it.0 == "E003" && answer.judged);
            let found: BTreeSet<_> = found.collect();
            for (code, ..) in &expected {
                *seen.borrow_mut().entry(code.clone()).or_default() += 1;
            }
            prop_assert_eq!(found, expected);
            Ok(())
        })
        .unwrap_or_else(|failure| panic!("{failure}"));
    // Every rule must have been violated at least once, or the test would prove nothing.
    let seen = seen.into_inner();
    for code in BY_NAMES.iter().chain(&BY_VERSIONS).chain(&BY_CONTRACTS) {
        let times = seen.get(*code).copied().unwrap_or_default();
        assert!(times >= 20, "{code} came up {times} times: {seen:?}");
    }
    let judged = judged.get();
    assert!(judged >= cases / 10 * 9, "only {judged} could be judged");
}

fn found(registry: &SampleRegistry) -> BTreeSet<Finding> {
    let mut skills = Vec::new();
    for skill in &registry.0 {
        let read = read_text(&Source::new(skill.full_name(), skill.yaml()));
        assert_eq!(read.diagnostics, [], "{registry:?}");
        skills.extend(read.skills);
    }
    let (library, twice) = Library::new(skills);
    assert_eq!(twice, [], "{registry:?}");
    let outside = HashMap::from([(CARD.to_owned(), card())]);
    let checked = check(&library, &outside, date!(2026 - 11 - 16));
    checked.diagnostics.iter().map(finding).collect()
}

fn card() -> OutsideCapability {
    OutsideCapability {
        runs: Runs::Card(CARD.to_owned()),
        contract: Contract {
            input: None,
            output: None,
            operation: OperationClass::Read,
            effects: vec!["Query".to_owned(), "Network".to_owned()],
        },
    }
}

/// Translates a diagnostic into the form of the oracle.
fn finding(diagnostic: &Diagnostic) -> Finding {
    let severity = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        _ => "hint",
    };
    let help = diagnostic.help.as_deref().unwrap_or_default();
    let what = match diagnostic.code {
        "E003" => circle(&diagnostic.message),
        "E004" | "E014" | "E015" | "E018" => json!(place(diagnostic)),
        "E016" => json!(help.lines().filter_map(way).collect::<Vec<_>>()),
        "E017" => json!(between(&diagnostic.message, "'", "'")),
        "E030" => {
            let effects: BTreeSet<&str> = between(help, "[", "]").split(", ").collect();
            json!(effects)
        }
        "E031" => json!(between(help, "operation: ", "`")),
        _ => Value::Null,
    };
    let skill = (diagnostic.code != "E003").then(|| diagnostic.source.name.clone());
    (
        diagnostic.code.to_owned(),
        severity.to_owned(),
        skill,
        what.to_string(),
    )
}

fn place(diagnostic: &Diagnostic) -> &str {
    let span = diagnostic.span.unwrap();
    &diagnostic.source.text[span.start..span.end]
}

/// Parses `a → b → c`.
fn way(line: &str) -> Option<Vec<&str>> {
    line.contains(" → ")
        .then(|| line.trim().split(" → ").collect())
}

/// Returns the names on a cycle, rotated so that the list is the smallest.
fn circle(message: &str) -> Value {
    let (_, shown) = message.split_once(": ").unwrap();
    let mut names: Vec<&str> = shown.split(" → ").collect();
    assert_eq!(names.first(), names.last());
    names.pop();
    let turned = (0..names.len()).map(|start| {
        let mut names = names.clone();
        names.rotate_left(start);
        names
    });
    json!(turned.min())
}

fn between<'a>(text: &'a str, before: &str, after: &str) -> &'a str {
    let (_, rest) = text.split_once(before).unwrap();
    rest.split_once(after).unwrap().0
}
