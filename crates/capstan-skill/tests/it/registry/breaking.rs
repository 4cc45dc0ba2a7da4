//! Compares breaking changes with those of the oracle.

use std::cell::Cell;
use std::collections::BTreeSet;

use capstan_core::Source;
use capstan_skill::{ChangedPart, Skill, diff, read_text};
use proptest::prelude::*;
use serde::Deserialize;
use serde_json::{Value, json};

use super::contracts::object;
use super::{oracle, runner};

#[derive(Debug, Deserialize)]
struct BreakingAnswer {
    removed: BTreeSet<String>,
    demanded: BTreeSet<String>,
}

#[test]
fn what_is_taken_away_or_demanded_is_breaking() {
    let oracle = oracle();
    let broken = Cell::new(0);
    let cases = 300;
    let schemas = ((object(), object()), (object(), object()));
    runner(cases)
        .run(&schemas, |((old_in, old_out), (new_in, new_out))| {
            let question =
                json!([{"input": old_in, "output": old_out}, {"input": new_in, "output": new_out}]);
            let answer: BreakingAnswer = oracle.ask(&json!({"breaking": question}));
            let changes = diff(&skill(&old_in, &old_out), &skill(&new_in, &new_out));
            let breaking = |part: ChangedPart| -> BTreeSet<String> {
                let own = changes.breaking().filter(|change| change.part == part);
                own.map(|change| field(&change.path).to_owned()).collect()
            };
            let (inputs, outputs) = (breaking(ChangedPart::Input), breaking(ChangedPart::Output));
            prop_assert!(
                outputs.is_superset(&answer.removed),
                "{changes:?} {answer:?}"
            );
            prop_assert!(
                inputs.is_superset(&answer.demanded),
                "{changes:?} {answer:?}"
            );
            broken.set(
                broken.get() + u32::from(!answer.removed.is_empty() && !answer.demanded.is_empty()),
            );

            // With more outputs and fewer required inputs, nothing is breaking.
            let (more, less) = (with_all(&old_out, &new_out), with_none_required(&old_in));
            let changes = diff(&skill(&old_in, &old_out), &skill(&less, &more));
            prop_assert_eq!(changes.breaking().count(), 0, "{:?}", changes);
            Ok(())
        })
        .unwrap_or_else(|failure| panic!("{failure}"));
    assert!(broken.get() >= cases / 10, "{broken:?}");
}

fn skill(input: &Value, output: &Value) -> Skill {
    let skill = json!({"id": "sample", "level": 1, "code": "return {}", "input_schema": input,
        "output_schema": output});
    let mut read = read_text(&Source::new("skill.yaml", skill.to_string()));
    assert_eq!(read.diagnostics, []);
    read.skills.remove(0)
}

/// Returns the first segment of a path.
fn field(path: &str) -> &str {
    let path = path.trim_start_matches(['/', '.']);
    path.split(['/', '.', '[']).next().unwrap()
}

/// Returns the first schema with the properties that only the second has.
fn with_all(one: &Value, other: &Value) -> Value {
    let mut all = one.clone();
    for (name, schema) in other["properties"].as_object().unwrap() {
        let known = all["properties"].as_object_mut().unwrap();
        known.entry(name.clone()).or_insert_with(|| schema.clone());
    }
    all
}

fn with_none_required(schema: &Value) -> Value {
    let mut schema = schema.clone();
    schema["required"] = json!([]);
    schema
}
