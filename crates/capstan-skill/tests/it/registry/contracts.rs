//! Compares mismatches between the output of one step and the input of the next with those of the oracle.

use std::cell::Cell;
use std::collections::BTreeSet;

use capstan_core::Source;
use capstan_skill::{Library, check, read_text};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Value, json};
use time::macros::date;

use super::{oracle, runner};

#[test]
fn what_is_given_does_for_what_is_taken_as_the_oracle_says() {
    let oracle = oracle();
    let fits = Cell::new(0);
    let cases = 400;
    runner(cases)
        .run(&(object(), object()), |(producer, consumer)| {
            let expected: BTreeSet<(String, String)> =
                oracle.ask(&json!({"compatible": [producer, consumer]}));
            fits.set(fits.get() + u32::from(expected.is_empty()));
            prop_assert_eq!(found(&producer, &consumer), expected);
            Ok(())
        })
        .unwrap_or_else(|failure| panic!("{failure}"));
    let fits = fits.get();
    assert!((cases / 10..cases / 10 * 9).contains(&fits), "{fits}");
}

/// Returns code and field of each diagnostic about two consecutive steps without other inputs.
fn found(producer: &Value, consumer: &Value) -> BTreeSet<(String, String)> {
    let nothing = json!({"type": "object", "properties": {}});
    let skills = [
        json!({"id": "gives", "level": 1, "code": "return {}", "input_schema": nothing,
            "output_schema": producer}),
        json!({"id": "takes", "level": 1, "code": "return {}", "input_schema": consumer,
            "output_schema": nothing}),
        json!({"id": "both", "level": 2, "composes": ["gives", "takes"], "input_schema": nothing}),
    ];
    let mut read = Vec::new();
    for skill in skills {
        let one = read_text(&Source::new("skill.yaml", skill.to_string()));
        assert_eq!(one.diagnostics, []);
        read.extend(one.skills);
    }
    let (library, _) = Library::new(read);
    let checked = check(&library, &(), date!(2026 - 11 - 16));
    let contracts = checked
        .diagnostics
        .iter()
        .filter(|it| ["E020", "E021", "E025"].contains(&it.code));
    contracts
        .map(|it| {
            // The message is `… needs name: …` or `… could take name: …`.
            let (before, _) = it.message.split_once(": ").unwrap();
            let field = before.rsplit(' ').next().unwrap();
            (it.code.to_owned(), field.to_owned())
        })
        .collect()
}

/// Generates objects with few names, so that names often match.
pub(super) fn object() -> impl Strategy<Value = Value> {
    let name = select(&["w", "x", "y", "z"][..]);
    let fields = prop::collection::btree_map(name, (kind(), any::<bool>()), 0..=4);
    fields.prop_map(|fields| {
        let required: Vec<_> = fields.iter().filter(|it| it.1.1).map(|it| *it.0).collect();
        let properties: Map<String, Value> = fields
            .iter()
            .map(|(name, (schema, _))| ((*name).to_owned(), schema.clone()))
            .collect();
        json!({"type": "object", "properties": properties, "required": required})
    })
}

fn kind() -> impl Strategy<Value = Value> {
    let plain = prop_oneof![
        4 => Just(json!({"type": "string"})),
        2 => Just(json!({"type": "integer"})),
        2 => Just(json!({"type": "number"})),
        1 => Just(json!({"type": "boolean"})),
        1 => Just(json!({"type": ["string", "null"]})),
        1 => Just(json!({"type": ["integer", "string"]})),
    ];
    let list = plain
        .clone()
        .prop_map(|items| json!({"type": "array", "items": items}));
    prop_oneof![6 => plain, 1 => list]
}
