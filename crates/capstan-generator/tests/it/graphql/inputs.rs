//! Inputs of root fields.

use super::support::{only, outlines, text};

#[test]
fn inputs_that_have_themselves_as_fields_end() {
    let outline = only(
        "type Query { find(filter: Filter!): Int } input Filter { not: Filter, all: [Filter!], is: Int! }",
    );
    let notation = text(&outline.input);
    assert!(notation.starts_with(r#"{"filter":{"not?":{"#), "{notation}");
    assert!(notation.contains("any"), "{notation}");
    assert!(notation.len() < 900, "{notation}");
}

#[test]
fn scalars_that_nobody_knows_may_be_anything() {
    let outline = only(
        "scalar JSON type Query { find(a: JSON!, b: [JSON!], c: ID, d: Float, e: [[Int]]): JSON }",
    );
    assert_eq!(
        text(&outline.input),
        r#"{"a":"any","b?":["any"],"c?":"string","d?":"number","e?":[["integer"]]}"#
    );
}

#[test]
fn what_is_deprecated_is_left_out_unless_it_is_required() {
    let outline = only(
        "type Query { find(a: Int @deprecated, input: In!): Int } input In { b: Int! @deprecated c: Int @deprecated d: Int }",
    );
    assert_eq!(
        text(&outline.input),
        r#"{"input":{"b":"integer","d?":"integer"}}"#
    );
    let outlines = outlines(
        r#"type Query { a: Int old: Int @deprecated(reason: "Removal on 2027-01-01 UTC.") older: Int @deprecated }"#,
    );
    assert_eq!(text(&outlines["shop.old"].deprecated), r#""2027-01-01""#);
    assert_eq!(text(&outlines["shop.older"].deprecated), "true");
    assert_eq!(outlines["shop.a"].deprecated, None);
}

#[test]
fn inputs_of_one_name_are_numbered() {
    let outline = only("type Query { find(fooBar: Int!, foo_bar: Int, FooBar: Int!): Int }");
    assert_eq!(
        text(&outline.input),
        r#"{"foo_bar":"integer","foo_bar_3":"integer","foo_bar_2?":"integer"}"#
    );
    assert_eq!(
        text(&outline.send),
        r#"{"fooBar":"Int!","foo_bar":"Int = $input.foo_bar_2","FooBar":"Int! = $input.foo_bar_3"}"#
    );
}

#[test]
fn only_a_lone_input_is_flattened() {
    let outlines = outlines(
        "type Query { a(input: In!): Int b(input: In!, x: Int): Int c(input: [In!]!): Int d(input: Int): Int }
        input In { x: Int! }",
    );
    let calls = ["a", "b", "c", "d"].map(|id| outlines[&format!("shop.{id}")].call.clone());
    assert_eq!(calls, ["query a(input)", "query b", "query c", "query d"]);
}
