//! Tests one change at a time.

use capstan_skill::{Bump, diff};
use serde_json::{Value, json};

use super::skills::{object, with};

/// Compares two versions and checks the reported changes, one line each.
#[track_caller]
fn check(old: Value, new: Value, due: Bump, told: &[&str]) {
    let diff = diff(&with(old), &with(new));
    let lines: Vec<String> = diff.changes.iter().map(ToString::to_string).collect();
    assert_eq!(lines, told);
    assert_eq!(diff.due, due);
}

#[track_caller]
fn input(old: Value, new: Value, due: Bump, told: &[&str]) {
    let skill = |properties: Value| json!({"input_schema": object(&properties)});
    check(skill(old), skill(new), due, told);
}

#[track_caller]
fn output(old: Value, new: Value, due: Bump, told: &[&str]) {
    let skill = |properties: Value| json!({"output_schema": object(&properties)});
    check(skill(old), skill(new), due, told);
}

fn text() -> Value {
    json!({"type": "string"})
}

fn number() -> Value {
    json!({"type": "number"})
}

#[test]
fn outputs_that_are_missed() {
    let told = ["breaking: Output field 'x' was removed"];
    output(
        json!({"x!": text(), "y": text()}),
        json!({"y": text()}),
        Bump::Major,
        &told,
    );
    let told = ["breaking: Output field 'x' may now be missing"];
    output(
        json!({"x!": text()}),
        json!({"x": text()}),
        Bump::Major,
        &told,
    );
    let told = ["breaking: Output field 'x' was changed: was string, is number"];
    output(
        json!({"x!": text()}),
        json!({"x!": number()}),
        Bump::Major,
        &told,
    );
    let told = ["breaking: Output field 'x' was widened: was integer, is number"];
    output(
        json!({"x": {"type": "integer"}}),
        json!({"x": number()}),
        Bump::Major,
        &told,
    );
}

#[test]
fn outputs_that_nobody_minds() {
    let told = ["compatible: New output field 'y'"];
    output(
        json!({"x": text()}),
        json!({"x": text(), "y!": text()}),
        Bump::Minor,
        &told,
    );
    let told = ["compatible: New optional output field 'y'"];
    output(
        json!({"x": text()}),
        json!({"x": text(), "y": text()}),
        Bump::Minor,
        &told,
    );
    let told = ["compatible: Output field 'x' is now always present"];
    output(
        json!({"x": text()}),
        json!({"x!": text()}),
        Bump::Minor,
        &told,
    );
    let told = ["compatible: Output field 'x' was narrowed: was number, is integer"];
    output(
        json!({"x": number()}),
        json!({"x": {"type": "integer"}}),
        Bump::Minor,
        &told,
    );
}

#[test]
fn inputs_that_do_no_more() {
    let told = ["breaking: New required input field 'y'"];
    input(
        json!({"x": text()}),
        json!({"x": text(), "y!": text()}),
        Bump::Major,
        &told,
    );
    let told = ["breaking: Input field 'x' was removed"];
    input(
        json!({"x": text(), "y": text()}),
        json!({"y": text()}),
        Bump::Major,
        &told,
    );
    let told = ["breaking: Input field 'x' is now required"];
    input(
        json!({"x": text()}),
        json!({"x!": text()}),
        Bump::Major,
        &told,
    );
    let told = ["breaking: Input field 'x' was narrowed: was number, is integer"];
    input(
        json!({"x": number()}),
        json!({"x": {"type": "integer"}}),
        Bump::Major,
        &told,
    );
}

#[test]
fn inputs_that_still_do() {
    let told = ["compatible: New optional input field 'y'"];
    input(
        json!({"x": text()}),
        json!({"x": text(), "y": text()}),
        Bump::Minor,
        &told,
    );
    let told = ["compatible: Input field 'x' is now optional"];
    input(
        json!({"x!": text()}),
        json!({"x": text()}),
        Bump::Minor,
        &told,
    );
    let told = ["compatible: Input field 'x' was widened: was integer, is number"];
    input(
        json!({"x": {"type": "integer"}}),
        json!({"x": number()}),
        Bump::Minor,
        &told,
    );
    let told = ["internal: Input field 'x': description was added"];
    let described = json!({"x": {"type": "string", "description": "who"}});
    input(json!({"x": text()}), described, Bump::Patch, &told);
}

#[test]
fn fields_of_fields() {
    let user = |properties: Value| json!({"user!": object(&properties)});
    let told = ["breaking: Output field 'user.id' was removed"];
    output(
        user(json!({"id": text(), "name": text()})),
        user(json!({"name": text()})),
        Bump::Major,
        &told,
    );
    let told = ["breaking: New required input field 'user.name'"];
    input(
        user(json!({"id": text()})),
        user(json!({"id": text(), "name!": text()})),
        Bump::Major,
        &told,
    );
    let list = |of: Value| json!({"names": {"type": "array", "items": of}});
    let told = ["breaking: Output field 'names[]' was changed: was string, is number"];
    output(list(text()), list(number()), Bump::Major, &told);
}

#[test]
fn closed_outputs_may_grow_and_open_inputs_may_not_be_closed() {
    let closed = |properties: Value| {
        let mut schema = object(&properties);
        schema["additionalProperties"] = false.into();
        schema
    };
    check(
        json!({"output_schema": closed(json!({"x": text()}))}),
        json!({"output_schema": closed(json!({"x": text(), "y": text()}))}),
        Bump::Minor,
        &["compatible: New optional output field 'y'"],
    );
    check(
        json!({"input_schema": object(&json!({"x": text()}))}),
        json!({"input_schema": closed(json!({"x": text()}))}),
        Bump::Major,
        &["breaking: The input was narrowed: no longer has other properties"],
    );
}

#[test]
fn a_change_that_hides_in_an_alternative_is_found() {
    let schema = |kinds: Value, more: Value| {
        let mut schema = object(&more);
        schema["anyOf"] = kinds;
        json!({"input_schema": schema})
    };
    let (x, y) = (json!({"required": ["x"]}), json!({"required": ["y"]}));
    let old = with(schema(json!([x, y]), json!({"x": text(), "y": text()})));
    let new = with(schema(
        json!([x]),
        json!({"x": text(), "y": text(), "z": text()}),
    ));
    assert_eq!(diff(&old, &new).due, Bump::Major);
}

#[test]
fn schemas_that_come_and_go() {
    let (none, some) = (json!({}), object(&json!({"x!": text()})));
    let stated = |role: &str| json!({role: some});
    let told = ["breaking: The input is now declared"];
    check(none.clone(), stated("input_schema"), Bump::Major, &told);
    let told = ["compatible: The input is no longer declared"];
    check(stated("input_schema"), none.clone(), Bump::Minor, &told);
    let told = ["compatible: The output is now declared"];
    check(none.clone(), stated("output_schema"), Bump::Minor, &told);
    let told = ["breaking: The output is no longer declared"];
    check(stated("output_schema"), none.clone(), Bump::Major, &told);
    let told = ["compatible: The input is now declared"];
    check(none, json!({"input_schema": {}}), Bump::Minor, &told);
}

#[test]
fn outputs_that_are_only_named() {
    let skill = |outputs: Value| json!({"level": 2, "composes": ["a"], "outputs": outputs});
    let (one, two) = (
        json!({"x": "$a.output.x"}),
        json!({"x": "$a.output.x", "y": "$a.output.y"}),
    );
    let told = ["breaking: Output field 'y' was removed"];
    check(skill(two.clone()), skill(one.clone()), Bump::Major, &told);
    let told = ["compatible: New output field 'y'"];
    check(skill(one.clone()), skill(two), Bump::Minor, &told);
    let told = ["internal: Output field 'x' has a different source"];
    check(
        skill(one),
        skill(json!({"x": "$a.output.z"})),
        Bump::Patch,
        &told,
    );
}

#[test]
fn what_it_does_to_the_world() {
    let skill = |operation: &str| json!({"operation": operation});
    let told = ["breaking: Operation was raised from READ to WRITE"];
    check(skill("READ"), skill("WRITE"), Bump::Major, &told);
    let told = ["compatible: Operation was lowered from READ to TRANSFORM"];
    check(skill("READ"), skill("TRANSFORM"), Bump::Minor, &told);
    let told = ["breaking: Operation is no longer declared: was READ"];
    check(skill("READ"), json!({}), Bump::Major, &told);
    let told = ["compatible: Operation is no longer declared: was WRITE"];
    check(skill("WRITE"), json!({}), Bump::Minor, &told);
    let told = ["compatible: Operation is now declared: READ"];
    check(json!({}), skill("READ"), Bump::Minor, &told);
}

#[test]
fn effects() {
    let skill = |effects: &[&str]| json!({"effects": effects});
    let told = [
        "breaking: Effect 'Network' was added",
        "compatible: Effect 'Fail' was removed",
    ];
    check(
        skill(&["Query", "Fail"]),
        skill(&["Network", "Query"]),
        Bump::Major,
        &told,
    );
    check(
        skill(&["Query", "Fail"]),
        skill(&["Fail", "Query"]),
        Bump::None,
        &[],
    );
    let told = ["compatible: Effects are now declared"];
    check(json!({}), skill(&["Fail"]), Bump::Minor, &told);
    let told = ["breaking: Effects are no longer declared"];
    check(skill(&[]), json!({}), Bump::Major, &told);
}

#[test]
fn levels() {
    let skill = |level: u8| json!({"level": level});
    let told = ["breaking: Is L2, was L1: L2 skills can no longer compose it"];
    check(skill(1), skill(2), Bump::Major, &told);
    let told = ["breaking: Is L3, was L1: L2 and L3 skills can no longer compose it"];
    check(skill(1), skill(3), Bump::Major, &told);
    let told = ["compatible: Is L1, was L2: L2 skills can compose it now"];
    check(skill(2), skill(1), Bump::Minor, &told);
}

#[test]
fn deprecation() {
    let skill =
        |sunset: &str| json!({"deprecated": {"since": "1.4.0", "sunset": sunset, "use": "other"}});
    let told = ["compatible: Is now deprecated, until 2027-01-31: use `other`"];
    check(json!({}), skill("2027-01-31"), Bump::Minor, &told);
    let told = ["compatible: Deprecation changed"];
    check(skill("2027-01-31"), skill("2027-06-30"), Bump::Minor, &told);
    let told = ["compatible: Is no longer deprecated"];
    check(skill("2027-01-31"), json!({}), Bump::Minor, &told);
}

#[test]
fn what_nobody_sees() {
    let told = ["internal: Its code changed"];
    check(
        json!({"code": "return 1"}),
        json!({"code": "return 2"}),
        Bump::Patch,
        &told,
    );
    let told = ["internal: Runs the card `issue.view` now"];
    check(
        json!({"code": "return 1"}),
        json!({"card": "issue.view"}),
        Bump::Patch,
        &told,
    );
    let told = ["internal: Retries changed"];
    check(
        json!({}),
        json!({"retry": {"max_attempts": 3}}),
        Bump::Patch,
        &told,
    );
    let told = ["internal: Time limit changed"];
    check(json!({}), json!({"timeout_ms": 100}), Bump::Patch, &told);
    let told = ["internal: Its result may be reused within one run"];
    check(json!({}), json!({"cache": "run"}), Bump::Patch, &told);
    let told = ["internal: Description changed", "internal: Intents changed"];
    check(
        json!({}),
        json!({"description": "new", "intents": ["do it"]}),
        Bump::Patch,
        &told,
    );
}

#[test]
fn steps() {
    let skill = |composes: Value| json!({"level": 2, "composes": composes});
    let told = [
        "internal: Step 'b' was removed",
        "internal: Step 'c' was added",
    ];
    check(
        skill(json!(["a", "b"])),
        skill(json!(["a", "c"])),
        Bump::Patch,
        &told,
    );
    let told = ["internal: Steps run in another order"];
    check(
        skill(json!(["a", "b"])),
        skill(json!(["b", "a"])),
        Bump::Patch,
        &told,
    );
    let told = ["internal: Step 'a' takes versions ^2.0.0, took *"];
    let newer = json!([{"skill": "a", "version": "^2.0.0"}]);
    check(skill(json!(["a"])), skill(newer), Bump::Patch, &told);
    let told = ["internal: Step 'a' gets other inputs"];
    let given = json!([{"skill": "a", "inputs": {"x": 1}}]);
    check(skill(json!(["a"])), skill(given), Bump::Patch, &told);
}

#[test]
fn conditions() {
    let skill =
        |execution: Value| json!({"level": 3, "composes": ["a", "b"], "execution": execution});
    let (a, b) = (json!({"step": "a"}), json!({"step": "b"}));
    let maybe = json!({"step": "b", "condition": "$input.x == 1"});
    let told = ["internal: Step 'b' runs only if $input.x == 1"];
    check(
        skill(json!([a, b])),
        skill(json!([a, maybe])),
        Bump::Patch,
        &told,
    );
    let told = ["internal: Steps run in another order"];
    check(
        skill(json!([a, b])),
        skill(json!([{"parallel": [a, b]}])),
        Bump::Patch,
        &told,
    );
}

#[test]
fn where_things_stand_in_the_file_means_nothing() {
    let one = "id: same\nlevel: 2\ncomposes: [a]\ninput_schema: {type: object}\noutputs: {x: $a.output.x}\n";
    let other = "# moved\noutputs:\n  x: $a.output.x\nlevel: 2\ninput_schema:\n  type: object\ncomposes:\n  - skill: a\nid: same\nchangelog: {1.0.0: first}\n";
    let diff = diff(&super::skills::skill(one), &super::skills::skill(other));
    assert!(diff.is_empty(), "{diff:?}");
    assert_eq!(diff.due, Bump::None);
}

#[test]
fn a_version_is_raised_enough_or_not() {
    let skill =
        |version: &str, operation: &str| with(json!({"version": version, "operation": operation}));
    let old = skill("1.2.3", "READ");
    for (version, operation, declared, is_enough) in [
        ("2.0.0", "WRITE", Some(Bump::Major), true),
        ("1.3.0", "WRITE", Some(Bump::Minor), false),
        ("1.3.0", "TRANSFORM", Some(Bump::Minor), true),
        ("1.2.4", "TRANSFORM", Some(Bump::Patch), false),
        ("1.2.3", "READ", Some(Bump::None), true),
        ("1.2.2", "READ", None, false),
    ] {
        let diff = diff(&old, &skill(version, operation));
        assert_eq!(diff.declared, declared, "{version}");
        assert_eq!(diff.is_enough(), is_enough, "{version} {operation}");
    }
}

#[test]
fn an_input_with_a_default_is_demanded_of_nobody() {
    let with_default = json!({"type": "integer", "default": 30});
    let told = ["compatible: New optional input field 'days'"];
    input(
        json!({"x!": text()}),
        json!({"x!": text(), "days!": with_default}),
        Bump::Minor,
        &told,
    );
    // Without its default it becomes required.
    let told = [
        "breaking: Input field 'days' is now required",
        "internal: Input field 'days': default was removed",
    ];
    input(
        json!({"days!": with_default}),
        json!({"days!": {"type": "integer"}}),
        Bump::Major,
        &told,
    );
}
