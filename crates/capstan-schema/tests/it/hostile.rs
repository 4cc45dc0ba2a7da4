//! Tests with hostile schemas: no panic, no endless work, and never an unproven positive answer.

use capstan_schema::{Role, Schema, assignable, assignable_projected, changes, describe, project};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::support::{config, no};

/// Asks every question.
fn ask(one: &Value, two: &Value) {
    let (from, to) = (Schema::new(one), Schema::new(two));
    let _ = assignable(from, to);
    let _ = assignable_projected(from, to);
    let _ = changes(from, to, Role::Input);
    let _ = changes(from, to, Role::Output);
    let _ = describe(from);
    // The recursion is as deep as the value, like that of cloning it; JSON text is parsed up to 128 levels.
    if !is_deeper(two, 300) {
        let _ = project(two, from);
    }
    let _ = (from.properties(), from.required(), from.items());
    let _ = (from.property("a"), from.is_closed(), from.types());
}

fn is_deeper(value: &Value, levels: usize) -> bool {
    let mut below = match value {
        Value::Object(parts) => parts.values().collect(),
        Value::Array(parts) => parts.iter().collect(),
        _ => Vec::new(),
    };
    below
        .drain(..)
        .any(|it| levels == 0 || is_deeper(it, levels - 1))
}

fn nested(depth: usize, wrap: impl Fn(Value) -> Value) -> Value {
    (0..depth).fold(json!({"type": "string"}), |inner, _| wrap(inner))
}

#[test]
fn deep_schemas() {
    for depth in [9, 110, 400] {
        let wraps: [fn(Value) -> Value; 8] = [
            |it| json!({"properties": {"a": it}, "required": ["a"]}),
            |it| json!({"items": it, "minItems": 1}),
            |it| json!({"allOf": [it]}),
            |it| json!({"anyOf": [it, {"type": "null"}]}),
            |it| json!({"oneOf": [it, {"type": "null"}]}),
            |it| json!({"not": it}),
            |it| json!({"if": it, "then": it, "else": false}),
            |it| json!({"additionalProperties": it, "contains": {}}),
        ];
        for (index, wrap) in wraps.into_iter().enumerate() {
            // Its size doubles at every level.
            let depth = if index == 6 { depth.min(12) } else { depth };
            let one = nested(depth, wrap);
            let other = nested(depth + 1, wrap);
            ask(&one, &other);
            assert!(assignable(Schema::new(&one), Schema::new(&one)).is_ok());
        }
    }
}

#[test]
fn deep_schemas_as_text_has_them_are_compared() {
    let one = nested(
        50,
        |it| json!({"type": "object", "properties": {"a": it}, "required": ["a"]}),
    );
    let other = nested(50, |it| json!({"type": "object", "properties": {"a": it}}));
    assert_eq!(assignable(Schema::new(&one), Schema::new(&other)), Ok(()));
}

#[test]
fn references_that_go_nowhere() {
    let circles = [
        json!({"$ref": "#"}),
        json!({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}),
        json!({"allOf": [{"$ref": "#"}]}),
        json!({"anyOf": [{"$ref": "#"}, {"type": "string"}]}),
        json!({"not": {"$ref": "#"}}),
        json!({"if": {"$ref": "#"}, "then": {"$ref": "#"}}),
        json!({"$ref": "#nowhere"}),
        json!({"$ref": "https://example.com/schema"}),
        json!({"$ref": "#/%zz"}),
        json!({"$ref": 5}),
        json!({"properties": {"a": {"$ref": "#"}}, "required": ["a"]}),
        json!({"properties": {"a": {"$ref": "#"}, "b": {"$ref": "#"}, "c": {"$ref": "#"}}, "required": ["a", "b", "c"]}),
        json!({"$dynamicRef": "#a", "$dynamicAnchor": "a"}),
    ];
    for (index, one) in circles.iter().enumerate() {
        ask(one, &circles[(index + 1) % circles.len()]);
        ask(one, &circles[(index + 5) % circles.len()]);
        ask(
            one,
            &json!({"properties": {"a": {"type": "string"}}, "required": ["a"]}),
        );
    }
    no(
        json!({}),
        circles[0].clone(),
        "is needed to pass \"#\", which refers to itself",
    );
    no(
        json!({}),
        circles[6].clone(),
        "is needed to pass \"#nowhere\", which is not in the schema",
    );
}

#[test]
fn combinations_that_explode() {
    let choice = |index: usize| json!({"anyOf": [{"required": [format!("a{index}")]}, {"required": [format!("b{index}")]}]});
    let all: Vec<_> = (0..40).map(choice).collect();
    let product = json!({ "type": "object", "allOf": all });
    let reversed = json!({ "type": "object", "allOf": all.iter().rev().collect::<Vec<_>>() });
    ask(&product, &reversed);
    let each: Map<_, _> = (0..30)
        .map(|index| {
            let next = json!({"$ref": format!("#/$defs/d{}", index + 1)});
            (
                format!("d{index}"),
                json!({"anyOf": [next, next, {"properties": {"a": next, "b": next}}]}),
            )
        })
        .collect();
    let doubling = json!({"$ref": "#/$defs/d0", "$defs": each});
    ask(&doubling, &product);
    ask(&product, &doubling);
    let mut other = doubling.clone();
    other["title"] = json!("another");
    ask(&doubling, &other);
}

#[test]
fn large_schemas() {
    let wide = |of: &str| {
        let each: Map<_, _> = (0..5000)
            .map(|it| (format!("property{it}"), json!({"type": of})))
            .collect();
        json!({"type": "object", "properties": each})
    };
    ask(&wide("integer"), &wide("number"));
    let values = |from: usize| json!({"enum": (from..from + 20_000).map(|it| format!("value {it}")).collect::<Vec<_>>()});
    ask(&values(0), &values(1));
    let alternatives = |of: &str| {
        let each: Vec<_> = (0..3000)
            .map(|it| json!({"type": of, "minimum": it, "not": {"const": it}}))
            .collect();
        json!({ "oneOf": each })
    };
    ask(&alternatives("integer"), &alternatives("number"));
    let patterns: Map<_, _> = (0..2000)
        .map(|it| (format!("^(a|b)*{it}$"), json!({"type": "string"})))
        .collect();
    let patterns = json!({"patternProperties": patterns, "additionalProperties": false});
    ask(&patterns, &wide("string"));
    ask(&wide("string"), &patterns);
}

fn anything() -> impl Strategy<Value = Value> {
    let word = prop::sample::select(vec![
        "type",
        "enum",
        "const",
        "properties",
        "required",
        "items",
        "prefixItems",
        "allOf",
        "anyOf",
        "oneOf",
        "not",
        "if",
        "then",
        "else",
        "$ref",
        "$defs",
        "$id",
        "$anchor",
        "minimum",
        "maximum",
        "multipleOf",
        "minLength",
        "pattern",
        "patternProperties",
        "additionalProperties",
        "unevaluatedProperties",
        "propertyNames",
        "contains",
        "minContains",
        "maxContains",
        "dependentRequired",
        "dependentSchemas",
        "unevaluatedItems",
        "uniqueItems",
        "a",
    ]);
    let text = prop::sample::select(vec![
        "string",
        "object",
        "array",
        "#",
        "#/$defs/a",
        "#a",
        "a",
        "^a",
        "(",
        "#/items",
        "",
    ]);
    let leaf = prop_oneof![
        Just(json!(null)),
        any::<bool>().prop_map(Value::from),
        (-3..9_i64).prop_map(Value::from),
        any::<f64>().prop_map(|it| json!(it)),
        text.prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 48, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((word.clone(), inner), 0..6).prop_map(|it| {
                Value::Object(
                    it.into_iter()
                        .map(|(name, value)| (name.to_owned(), value))
                        .collect(),
                )
            }),
        ]
    })
}

proptest! {
    #![proptest_config(config(1000))]

    #[test]
    fn any_json_as_schemas(one in anything(), two in anything()) {
        ask(&one, &two);
        ask(&two, &one);
    }

    #[test]
    fn any_json_that_is_a_schema_is_compared_rightly(one in anything(), two in anything(), values in prop::collection::vec(anything(), 4)) {
        if assignable(Schema::new(&one), Schema::new(&two)).is_ok()
            && let Ok(given) = jsonschema::draft202012::new(&one)
            && let Ok(needed) = jsonschema::draft202012::new(&two)
            && !one.to_string().contains("$ref")
            && !two.to_string().contains("$ref")
        {
            for value in values.iter().filter(|it| given.is_valid(it)) {
                prop_assert!(needed.is_valid(value), "{} passes\n{}\nbut not\n{}", value, one, two);
            }
        }
    }
}
