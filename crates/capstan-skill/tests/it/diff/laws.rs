//! Laws that hold for any two versions.

use capstan_schema::{Schema, assignable_projected, project};
use capstan_skill::{Bump, Impact, Skill, diff};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::skills::with;

fn schemas() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!({"type": "string"})),
        Just(json!({"type": "string", "minLength": 1})),
        Just(json!({"type": "string", "description": "words"})),
        Just(json!({"type": "integer"})),
        Just(json!({"type": "number", "minimum": 0})),
        Just(json!({"type": ["string", "null"]})),
        Just(json!({"enum": ["a", "b"]})),
        Just(json!({"enum": ["a"]})),
        Just(json!(true)),
        Just(json!({})),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        let object = (
            prop::collection::btree_map("[xyz]", (inner.clone(), any::<bool>()), 0..3),
            prop::option::weighted(0.3, any::<bool>()),
        );
        let object = object.prop_map(|(properties, more)| {
            let required: Vec<&String> = properties
                .iter()
                .filter(|(_, it)| it.1)
                .map(|it| it.0)
                .collect();
            let named: Map<String, Value> = properties
                .iter()
                .map(|(name, it)| (name.clone(), it.0.clone()))
                .collect();
            let mut schema = json!({"type": "object", "properties": named, "required": required});
            if let Some(more) = more {
                schema["additionalProperties"] = more.into();
            }
            schema
        });
        prop_oneof![
            3 => object,
            1 => inner.clone().prop_map(|it| json!({"type": "array", "items": it})),
            1 => (inner.clone(), inner).prop_map(|(one, other)| json!({"anyOf": [one, other]})),
        ]
    })
}

/// Generates two versions of a value. Half of the time they are equal, so that other changes are seen alone.
fn pair<T: Clone + std::fmt::Debug + 'static>(
    one: impl Strategy<Value = T> + Clone + 'static,
) -> impl Strategy<Value = (T, T)> {
    let same = one.clone().prop_map(|it| (it.clone(), it));
    prop_oneof![same, (one.clone(), one)]
}

fn versions() -> impl Strategy<Value = (Skill, Skill)> {
    let schema = || prop::option::weighted(0.8, schemas().boxed());
    let operation = prop::option::of(prop::sample::select(vec!["TRANSFORM", "READ", "WRITE"]));
    let effects = prop::option::of(prop::sample::subsequence(
        vec!["Query", "Fail", "Mutate"],
        0..3,
    ));
    let code = prop::sample::select(vec!["return 1", "return 2"]);
    (
        pair(schema()),
        pair(schema()),
        pair(operation),
        pair(effects),
        pair(code),
        pair(1..=3_u8),
    )
        .prop_map(|(input, output, operation, effects, code, level)| {
            let version = |input, output, operation, effects, code, level| {
                let mut fields = json!({"code": code, "level": level});
                let optional = [
                    ("input_schema", input),
                    ("output_schema", output),
                    ("operation", operation),
                    ("effects", effects),
                ];
                for (name, value) in optional {
                    if let Some(value) = value {
                        fields[name] = value;
                    }
                }
                with(fields)
            };
            let text = |it: Option<&str>| it.map(Value::from);
            let list = |it: Option<Vec<&str>>| it.map(Value::from);
            (
                version(
                    input.0,
                    output.0,
                    text(operation.0),
                    list(effects.0),
                    code.0,
                    level.0,
                ),
                version(
                    input.1,
                    output.1,
                    text(operation.1),
                    list(effects.1),
                    code.1,
                    level.1,
                ),
            )
        })
}

fn schema(placed: &Option<capstan_skill::Placed<Value>>) -> Option<Schema<'_>> {
    placed.as_ref().map(|it| Schema::new(&it.value))
}

/// Generates JSON values for outputs.
fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!(null)),
        Just(json!("a")),
        Just(json!("")),
        Just(json!("other")),
        Just(json!(1)),
        Just(json!(-1.5)),
        Just(json!(true)),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::btree_map("[xyzw]", inner.clone(), 0..4)
                .prop_map(|it| Value::Object(it.into_iter().collect())),
            prop::collection::vec(inner, 0..3).prop_map(Value::Array),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn nothing_changes_between_a_version_and_itself((one, other) in versions()) {
        for skill in [&one, &other] {
            let diff = diff(skill, skill);
            prop_assert!(diff.is_empty(), "{:?}", diff);
            prop_assert_eq!(diff.due, Bump::None);
            prop_assert!(diff.is_enough());
        }
    }

    #[test]
    fn what_is_due_is_what_the_worst_change_wants((old, new) in versions()) {
        let diff = diff(&old, &new);
        prop_assert_eq!(diff.due == Bump::Major, diff.breaking().next().is_some());
        prop_assert_eq!(diff.due == Bump::None, diff.is_empty());
        let worst = diff.changes.iter().map(|it| it.impact).max();
        prop_assert_eq!(diff.due, worst.map_or(Bump::None, Impact::due));
    }

    #[test]
    fn a_difference_is_seen_from_both_sides((old, new) in versions()) {
        prop_assert_eq!(diff(&old, &new).is_empty(), diff(&new, &old).is_empty());
    }

    /// If nothing is breaking, inputs with what the old schema names are still accepted.
    #[test]
    fn inputs_do_unless_something_breaks((old, new) in versions()) {
        if diff(&old, &new).due < Bump::Major
            && let (Some(from), Some(to)) = (schema(&old.input_schema), schema(&new.input_schema))
        {
            prop_assert!(assignable_projected(from, to).is_ok());
        }
    }

    /// If nothing is breaking, readers still find what the old schema names. An independent validator
    /// decides.
    #[test]
    fn outputs_do_unless_something_breaks(
        (old, new) in versions(),
        values in prop::collection::vec(values(), 20),
    ) {
        if diff(&old, &new).due < Bump::Major
            && let (Some(before), Some(now)) = (&old.output_schema, &new.output_schema)
        {
            let before_schema = jsonschema::validator_for(&before.value).unwrap();
            let now_schema = jsonschema::validator_for(&now.value).unwrap();
            for value in values.iter().filter(|it| now_schema.is_valid(it)) {
                let read = project(value, Schema::new(&before.value));
                prop_assert!(
                    before_schema.is_valid(value) || before_schema.is_valid(&read),
                    "{} {} {}", before.value, now.value, value
                );
            }
        }
    }
}
