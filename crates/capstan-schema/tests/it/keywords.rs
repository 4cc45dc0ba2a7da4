//! Tests of every keyword, and of the reasons that people read.

use serde_json::{Value, json};

use crate::support::{no, no_projected, yes, yes_projected};

#[test]
fn types() {
    yes(json!({"type": "string"}), json!({"type": "string"}));
    yes(json!({"type": "integer"}), json!({"type": "number"}));
    yes(
        json!({"type": "string"}),
        json!({"type": ["string", "null"]}),
    );
    yes(json!({"type": "string"}), json!({}));
    yes(json!({"type": "string"}), json!(true));
    yes(json!(false), json!({"type": "string"}));
    yes(json!({"const": 1.0}), json!({"type": "integer"}));
    no(
        json!({"type": "integer"}),
        json!({"type": "string"}),
        "gives integer where string is needed",
    );
    no(
        json!({"type": "number"}),
        json!({"type": "integer"}),
        "gives number where integer is needed",
    );
    no(
        json!({"type": ["string", "null"]}),
        json!({"type": "string"}),
        "may be null",
    );
    no(
        json!({}),
        json!({"type": "string"}),
        "may be anything where string is needed",
    );
    no(
        json!({"type": ["string", "integer"]}),
        json!({"type": "string"}),
        "may be integer where string is needed",
    );
    no(json!({"type": "string"}), json!(false), "is not allowed");
}

#[test]
fn enums() {
    yes(
        json!({"enum": ["a", "b"]}),
        json!({"enum": ["b", "a", "c"]}),
    );
    yes(
        json!({"enum": ["a", "b"]}),
        json!({"type": "string", "maxLength": 1}),
    );
    yes(json!({"type": "boolean"}), json!({"enum": [true, false]}));
    yes(json!({"enum": [1, 2]}), json!({"enum": [1.0, 2.0]}));
    no(
        json!({"enum": ["open", "draft"]}),
        json!({"enum": ["open", "closed"]}),
        "gives \"draft\", which is not one of \"open\", \"closed\"",
    );
    no(
        json!({"type": "string"}),
        json!({"enum": ["open", "closed"]}),
        "gives string where \"open\" | \"closed\" is needed",
    );
}

#[test]
fn objects() {
    let from = json!({"type": "object", "properties": {"id": {"type": "integer"}, "name": {"type": "string"}}, "required": ["id"]});
    yes(
        from.clone(),
        json!({"type": "object", "properties": {"id": {"type": "number"}}, "required": ["id"]}),
    );
    no(
        from.clone(),
        json!({"properties": {"id": {"type": "string"}}}),
        "id: gives integer where string is needed",
    );
    no(
        from.clone(),
        json!({"required": ["name"]}),
        "name: may be missing, but is required",
    );
    no(
        from.clone(),
        json!({"properties": {"mail": {"type": "string"}}}),
        "mail: is not described where string is needed",
    );
    yes_projected(
        from.clone(),
        json!({"properties": {"mail": {"type": "string"}}}),
    );
    no_projected(
        from.clone(),
        json!({"required": ["mail"]}),
        "mail: is not given, but is required",
    );
    let closed = json!({"properties": {"id": {}, "name": {}}, "additionalProperties": false});
    no(
        from.clone(),
        closed.clone(),
        "may have other properties, which are not allowed",
    );
    yes_projected(from.clone(), closed);
    no_projected(
        from,
        json!({"properties": {"id": {}}, "additionalProperties": false}),
        "name: may be given, but is not allowed",
    );
}

#[test]
fn arrays() {
    yes(
        json!({"type": "array", "items": {"type": "integer"}}),
        json!({"items": {"type": "number"}}),
    );
    no(
        json!({"type": "array", "items": {"properties": {"id": {"type": "integer"}}, "type": "object"}}),
        json!({"items": {"properties": {"id": {"type": "string"}}}}),
        "[].id: gives integer where string is needed",
    );
}

#[test]
fn references() {
    let tree = json!({
        "$ref": "#/$defs/tree",
        "$defs": {"tree": {
            "type": "object",
            "properties": {"value": {"type": "integer"}, "children": {"type": "array", "items": {"$ref": "#/$defs/tree"}}},
            "required": ["value"],
        }},
    });
    let wider = json!({
        "type": "object",
        "properties": {"value": {"type": "number"}, "children": {"type": "array", "items": {"$ref": "#"}}},
    });
    yes(tree.clone(), wider.clone());
    no(wider, tree, "value: gives number where integer is needed");
    no(
        json!({}),
        json!({"$ref": "#"}),
        "is needed to pass \"#\", which refers to itself",
    );
}

#[test]
fn numbers() {
    let integer = |it: Value| with(json!({"type": "integer"}), it);
    yes(
        integer(json!({"exclusiveMinimum": 0})),
        json!({"minimum": 1}),
    );
    yes(integer(json!({"minimum": 0.5})), json!({"minimum": 1}));
    yes(integer(json!({"multipleOf": 4})), json!({"multipleOf": 2}));
    yes(integer(json!({})), json!({"multipleOf": 1}));
    yes(
        json!({"type": "number", "maximum": 2}),
        json!({"exclusiveMaximum": 2.5}),
    );
    yes(
        json!({"minimum": u64::MAX}),
        json!({"minimum": u64::MAX - 1}),
    );
    no(
        json!({"minimum": u64::MAX - 1}),
        json!({"minimum": u64::MAX}),
        "may be less than 18446744073709551615",
    );
    no(
        json!({"type": "number", "exclusiveMinimum": 0}),
        json!({"minimum": 1}),
        "may be less than 1",
    );
    no(
        integer(json!({})),
        json!({"maximum": 9}),
        "may be more than 9",
    );
    no(
        integer(json!({"maximum": 9})),
        json!({"exclusiveMaximum": 9}),
        "may be 9 or more",
    );
    no(
        integer(json!({"minimum": 9})),
        json!({"exclusiveMinimum": 9}),
        "may be 9 or less",
    );
    no(
        integer(json!({"multipleOf": 2})),
        json!({"multipleOf": 4}),
        "may not be a multiple of 4",
    );
    no(
        json!({"const": 3}),
        json!({"minimum": 5}),
        "gives 3, which does not pass `minimum: 5`",
    );
}

#[test]
fn strings() {
    let string = |it: Value| with(json!({"type": "string"}), it);
    yes(
        string(json!({"minLength": 2, "maxLength": 3})),
        json!({"minLength": 1, "maxLength": 9}),
    );
    yes(string(json!({"format": "uri"})), json!({"format": "date"}));
    no(
        string(json!({})),
        json!({"maxLength": 10}),
        "may be longer than 10",
    );
    no(string(json!({})), json!({"minLength": 1}), "may be empty");
    no(
        string(json!({"minLength": 1})),
        json!({"minLength": 2}),
        "may be shorter than 2",
    );
}

#[test]
fn sizes_and_names_of_objects() {
    let object = |it: Value| with(json!({"type": "object"}), it);
    yes(
        object(json!({"required": ["a", "b"]})),
        json!({"minProperties": 2}),
    );
    yes(
        object(json!({"properties": {"a": {}}, "additionalProperties": false})),
        json!({"maxProperties": 1}),
    );
    yes(
        object(json!({"properties": {"a": {}}, "additionalProperties": false})),
        json!({"propertyNames": {"maxLength": 1}}),
    );
    yes(
        object(json!({"propertyNames": {"maxLength": 1}})),
        json!({"propertyNames": {"maxLength": 2}}),
    );
    yes(
        object(json!({"required": ["b"]})),
        json!({"dependentRequired": {"a": ["b"]}}),
    );
    yes(
        object(json!({"dependentRequired": {"a": ["b", "c"]}})),
        json!({"dependentRequired": {"a": ["b"]}}),
    );
    yes(
        object(json!({"additionalProperties": {"type": "integer"}})),
        json!({"additionalProperties": {"type": "number"}}),
    );
    yes(
        object(
            json!({"patternProperties": {"^x-": {"type": "integer"}}, "additionalProperties": false}),
        ),
        json!({"patternProperties": {"^x-": {"type": "number"}}, "additionalProperties": false}),
    );
    yes(
        object(json!({"properties": {"x-a": {"type": "integer"}}, "additionalProperties": false})),
        json!({"patternProperties": {"^x-": {"type": "integer"}, "^y": false}}),
    );
    no(
        object(json!({})),
        json!({"minProperties": 1}),
        "may be empty",
    );
    no(
        object(json!({"maxProperties": 2})),
        json!({"maxProperties": 1}),
        "may have more than 1 properties",
    );
    no(
        object(json!({})),
        json!({"dependentRequired": {"a": ["b"]}}),
        "b: may be missing, but is required with `a`",
    );
    no(
        object(json!({})),
        json!({"propertyNames": {"maxLength": 2}}),
        "may have other properties, whose names may not be allowed",
    );
    no(
        object(json!({})),
        json!({"additionalProperties": {"type": "string"}}),
        "may have other properties, which are not described where string is needed",
    );
    no(
        object(json!({"additionalProperties": {"type": "integer"}})),
        json!({"additionalProperties": {"type": "string"}}),
        "[\"*\"]: gives integer where string is needed",
    );
    no(
        object(json!({"properties": {"a": {"type": "integer"}}})),
        json!({"dependentSchemas": {"a": {"required": ["b"]}}}),
        "b: may be missing, but is required",
    );
}

#[test]
fn sizes_and_elements_of_arrays() {
    let array = |it: Value| with(json!({"type": "array"}), it);
    yes(
        array(json!({"minItems": 2, "maxItems": 3})),
        json!({"minItems": 1, "maxItems": 3}),
    );
    yes(
        array(json!({"prefixItems": [{"type": "integer"}], "items": false})),
        json!({"items": {"type": "number"}, "maxItems": 1}),
    );
    yes(
        array(json!({"uniqueItems": true})),
        json!({"uniqueItems": true}),
    );
    yes(
        array(json!({"items": {"type": "integer"}, "minItems": 1})),
        json!({"contains": {"type": "number"}}),
    );
    yes(
        array(json!({"contains": {"const": 1}})),
        json!({"contains": {"type": "integer"}, "minItems": 1}),
    );
    no(array(json!({})), json!({"minItems": 1}), "may be empty");
    no(
        array(json!({})),
        json!({"minItems": 2}),
        "may have fewer than 2 elements",
    );
    no(
        array(json!({})),
        json!({"maxItems": 2}),
        "may have more than 2 elements",
    );
    no(
        array(json!({})),
        json!({"uniqueItems": true}),
        "may have an element twice",
    );
    no(
        array(json!({})),
        json!({"contains": {"const": 1}}),
        "may not contain what is needed",
    );
    no(
        array(json!({})),
        json!({"items": {"type": "string"}}),
        "[]: may be anything where string is needed",
    );
    no(
        array(json!({"prefixItems": [{"type": "string"}]})),
        json!({"prefixItems": [{"type": "integer"}]}),
        "[0]: gives string where integer is needed",
    );
    // Distinct elements may become equal by projection.
    let from = array(json!({"uniqueItems": true, "items": {"properties": {"a": {}}}}));
    no_projected(
        from,
        json!({"uniqueItems": true}),
        "may have an element twice",
    );
}

#[test]
fn what_is_not_understood() {
    no(
        json!({}),
        json!({"$dynamicRef": "#a"}),
        "is needed to pass `$dynamicRef`, which cannot be checked",
    );
    no(
        json!({}),
        json!({"type": 5}),
        "is needed to pass `type`, which is not well formed",
    );
    no(
        json!({}),
        json!({"items": [{}]}),
        "is needed to pass `items`, which is not well formed",
    );
    yes(json!({}), json!({"x-remark": 5, "title": "anything"}));
    // Contradictory facts imply everything.
    yes(
        json!({"type": "string", "minLength": 3, "maxLength": 2}),
        json!({"$dynamicRef": "#a"}),
    );
}

fn with(mut one: Value, other: Value) -> Value {
    if let (Value::Object(one), Value::Object(other)) = (&mut one, other) {
        one.extend(other);
    }
    one
}
