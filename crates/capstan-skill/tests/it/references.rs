//! Tests of references in inferred schemas: the input and output of a composite contain the schemas of its
//! parts, and all references in them keep their meaning.

use std::collections::HashMap;

use capstan_core::Source;
use capstan_skill::{Contract, Library, check, read_text};
use proptest::prelude::*;
use serde_json::{Value, json};
use time::macros::date;

/// Returns the contract of a skill that must be sound.
fn contract(skills: &[Value], id: &str) -> Contract {
    let text: Vec<_> = skills.iter().map(ToString::to_string).collect();
    let read = read_text(&Source::new("skills.yaml", text.join("\n---\n")));
    assert_eq!(read.diagnostics, []);
    let (library, twice) = Library::new(read.skills);
    assert_eq!(twice, []);
    let outside = HashMap::new();
    let checked = check(&library, &outside, date!(2026 - 11 - 17));
    let skill = library.newest(id).unwrap();
    assert!(checked.is_sound(skill), "{:?}", checked.errors_of(skill));
    checked.contract(skill).unwrap()
}

fn passes(schema: &Value, value: &Value) -> bool {
    let validator = jsonschema::draft202012::new(schema);
    let told = validator.map_err(|error| format!("{error}: {schema:#}"));
    told.unwrap().is_valid(value)
}

/// Builds an L1 skill with this schema for its input and output.
fn atom(id: &str, schema: &Value) -> Value {
    json!({"id": id, "level": 1, "code": "return args", "input_schema": schema, "output_schema": schema})
}

fn tree() -> Value {
    json!({"type": "object", "required": ["name"], "additionalProperties": false, "properties": {
        "name": {"type": "string"},
        "kids": {"type": "array", "items": {"$ref": "#/$defs/item"}},
    }})
}

/// Schemas, each with a value that matches and one that does not.
fn schemas() -> Vec<(&'static str, Value, Value, Value)> {
    let good = json!({"item": {"name": "a", "kids": [{"name": "b", "kids": []}]}});
    let bad = json!({"item": {"name": "a", "kids": [{"name": 5}]}});
    let object = |item: Value, more: Value| {
        let mut schema =
            json!({"type": "object", "properties": {"item": item}, "required": ["item"]});
        let fields = schema.as_object_mut().unwrap();
        fields.extend(more.as_object().unwrap().clone());
        schema
    };
    let item = json!({"$ref": "#/$defs/item"});
    let chained = json!({"item": {"$ref": "#/$defs/node"}, "node": tree()});
    let looped = json!({"type": "object", "properties": {
        "item": {"type": "object", "required": ["name"], "properties": {
            "name": {"type": "string"}, "kids": {"type": "array", "items": {"$ref": "#/properties/item"}},
        }},
    }, "required": ["item"]});
    let whole = json!({"type": "object", "properties": {
        "item": {"anyOf": [{"type": "string"}, {"$ref": "#"}]},
    }, "required": ["item"]});
    let anchored = json!({"item": {"$anchor": "here", "type": "object"}});
    vec![
        (
            "definition",
            object(item.clone(), json!({"$defs": {"item": tree()}})),
            good.clone(),
            bad.clone(),
        ),
        (
            "list of definitions",
            object(
                json!({"type": "array", "items": item}),
                json!({"$defs": {"item": tree()}}),
            ),
            json!({"item": [{"name": "a"}]}),
            json!({"item": [{"nmae": "a"}]}),
        ),
        (
            "definition of a definition",
            object(item.clone(), json!({"$defs": chained})),
            good.clone(),
            bad.clone(),
        ),
        ("itself by its path", looped, good, bad),
        (
            "the whole",
            whole,
            json!({"item": {"item": "x"}}),
            json!({"item": {"item": 5}}),
        ),
        (
            "an id",
            object(
                item,
                json!({"$id": "https://example.org/a", "$defs": {"item": tree()}}),
            ),
            json!({"item": {"name": "a"}}),
            json!({"item": {"name": 5}}),
        ),
        (
            "an anchor",
            object(json!({"$ref": "#here"}), json!({"$defs": anchored})),
            json!({"item": {}}),
            json!({"item": {}, "other": 1}),
        ),
        (
            "data that looks like a reference",
            object(json!({"const": {"$ref": "#/nowhere"}}), json!({})),
            json!({"item": {"$ref": "#/nowhere"}}),
            json!({"item": {}}),
        ),
        (
            "a property that is called like a reference",
            object(
                json!({"type": "object", "properties": {"$ref": {"type": "string"}}}),
                json!({}),
            ),
            json!({"item": {"$ref": "x"}}),
            json!({"item": {"$ref": 5}}),
        ),
    ]
}

#[test]
fn a_composite_without_a_schema_takes_and_gives_what_its_part_refers_to() {
    for (what, schema, good, bad) in schemas() {
        let over = json!({"id": "over", "level": 2, "composes": ["part"]});
        let top = json!({"id": "top", "level": 3, "composes": ["over"]});
        let skills = [atom("part", &schema), over, top];
        for id in ["over", "top"] {
            let contract = contract(&skills, id);
            for side in [contract.input.unwrap(), contract.output.unwrap()] {
                assert!(passes(&side, &good), "{what}: {good} and {side:#}");
                // A schema that cannot be copied is left to the part itself.
                if !matches!(what, "an anchor") {
                    assert!(!passes(&side, &bad), "{what}: {bad} and {side:#}");
                }
            }
        }
    }
}

#[test]
fn definitions_of_several_parts_do_not_get_in_each_others_way() {
    let part = |field: &str, kind: &str| {
        let reference = json!({"$ref": "#/$defs/item"});
        json!({"type": "object", "required": [field, "shared"], "properties": {
            field: reference, "shared": {"$ref": "#/$defs/shared"},
        }, "$defs": {"item": {"type": kind}, "shared": {"type": "array", "items": reference}}})
    };
    let one = atom("one", &part("a", "integer"));
    let other = atom("other", &part("b", "string"));
    let over = json!({"id": "over", "level": 2, "composes": [
        {"skill": "one", "input_mapping": {"first": "shared"}},
        {"skill": "other", "input_mapping": {"second": "shared"}},
        {"skill": "one", "as": "again", "input_mapping": {"first": "shared"}, "output_mapping": {"a": "c", "shared": "d"}},
    ]});
    let input = contract(&[one, other, over], "over").input.unwrap();
    let value = |a: Value, b: Value| json!({"a": a, "b": b, "first": [1], "second": ["x"]});
    assert!(passes(&input, &value(json!(1), json!("x"))), "{input:#}");
    assert!(!passes(&input, &value(json!("x"), json!(1))), "{input:#}");
}

#[test]
fn lists_and_objects_of_what_refers_to_something_can_be_given() {
    let item = json!({"type": "object", "required": ["item"], "properties": {"item": {"$ref": "#/$defs/item"}},
        "$defs": {"item": tree()}});
    let over = json!({"id": "over", "level": 2, "composes": ["part"], "outputs": {
        "list": ["$part.output.item", 5],
        "object": {"inner": "$part.output.item"},
        "names": "$part.output.item.kids[].name",
        "kids": "$part.output.item.kids[]",
    }});
    let output = contract(&[atom("part", &item), over], "over")
        .output
        .unwrap();
    let leaf = json!({"name": "a"});
    let good =
        json!({"list": [leaf, 5], "object": {"inner": leaf}, "names": ["b"], "kids": [leaf]});
    assert!(passes(&output, &good), "{output:#}");
    for (field, bad) in [
        ("list", json!([{"name": 5}, 5])),
        ("object", json!({"inner": {}})),
        ("names", json!([5])),
        ("kids", json!([{"name": 5}])),
    ] {
        let mut value = good.clone();
        value[field] = bad;
        assert!(!passes(&output, &value), "{value} and {output:#}");
    }
}

/// Generates a schema whose references lead into `$defs`, into `properties` or to the root.
fn any_schema(depth: u32) -> BoxedStrategy<Value> {
    let leaf = prop_oneof![
        Just(json!({"type": "integer"})),
        Just(json!({"type": "string"})),
        Just(json!({"$ref": "#/$defs/a"})),
        Just(json!({"$ref": "#/$defs/b"})),
        Just(json!({"$ref": "#/properties/x"})),
        Just(json!({"$ref": "#"})),
    ];
    leaf.prop_recursive(depth, 12, 3, |inner| {
        prop_oneof![
            inner
                .clone()
                .prop_map(|it| json!({"type": "array", "items": it})),
            (inner.clone(), inner.clone()).prop_map(
                |(one, other)| json!({"type": "object", "properties": {"a": one, "b": other}})
            ),
            (inner.clone(), inner).prop_map(|(one, other)| json!({"anyOf": [one, other]})),
        ]
    })
    .boxed()
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!(1)),
        Just(json!("a")),
        Just(json!(null)),
        Just(json!({})),
    ];
    leaf.prop_recursive(4, 16, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::btree_map("[abx]", inner, 0..3)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// The composite accepts exactly what the part accepts.
    #[test]
    fn a_composite_of_one_part_takes_what_the_part_takes(
        x in any_schema(3),
        a in any_schema(2),
        b in any_schema(2),
        values in prop::collection::vec(any_value(), 20),
    ) {
        // Definitions that only refer to each other have no meaning.
        let boxed = |it: Value| json!({"type": ["object", "string"], "properties": {"a": it}});
        let schema = json!({"type": "object", "properties": {"x": boxed(x)}, "required": ["x"],
            "$defs": {"a": boxed(a), "b": boxed(b)}});
        let skills = [atom("part", &schema), json!({"id": "over", "level": 2, "composes": ["part"]})];
        let contract = contract(&skills, "over");
        let (input, output) = (contract.input.unwrap(), contract.output.unwrap());
        for value in values {
            let value = json!({"x": value});
            let expected = passes(&schema, &value);
            prop_assert_eq!(passes(&input, &value), expected, "{} {:#}", value, input);
            prop_assert_eq!(passes(&output, &value), expected, "{} {:#}", value, output);
        }
    }
}
