//! Ids: the beginning from the path, nouns from its parts, the verb from the answer or the operation.

use serde_json::{Value, json};

use crate::support::{answer, build, description, outline, outline_by, rules, rules_with};

/// Checks the id of an operation whose answer has a status and perhaps a schema.
#[track_caller]
fn check(method: &str, path: &str, name: &str, (status, schema): (&str, Option<Value>), id: &str) {
    let content = schema.map_or(json!({}), |schema| answer(&schema));
    let operation = json!({"operationId": name, "responses": {status: content}});
    assert_eq!(outline(method, path, &operation).0, id);
}

fn object() -> Option<Value> {
    Some(
        json!({"type": "object", "properties": {"id": {"type": "integer"}, "name": {"type": "string"}}}),
    )
}

fn list() -> Option<Value> {
    Some(json!({"type": "array", "items": object()}))
}

fn page() -> Option<Value> {
    Some(json!({
        "type": "object",
        "properties": {"total_count": {"type": "integer"}, "things": list()},
    }))
}

#[test]
fn reads_are_named_after_their_answer() {
    check(
        "get",
        "/things",
        "things/list",
        ("200", list()),
        "thing.list",
    );
    check(
        "get",
        "/things",
        "things/all",
        ("200", page()),
        "thing.list",
    );
    check(
        "get",
        "/things/{id}",
        "things/get",
        ("200", object()),
        "thing.view",
    );
    check(
        "get",
        "/things/{id}/star",
        "things/is-starred",
        ("204", None),
        "thing.star.check",
    );
    check(
        "get",
        "/things/{id}/file",
        "things/file",
        ("302", None),
        "thing.file.download",
    );
}

#[test]
fn writes_are_named_after_their_method_or_action() {
    check(
        "post",
        "/things",
        "things/make",
        ("201", object()),
        "thing.create",
    );
    check(
        "patch",
        "/things/{id}",
        "things/edit",
        ("200", object()),
        "thing.update",
    );
    check(
        "put",
        "/things/{id}/size",
        "things/size",
        ("204", None),
        "thing.size.set",
    );
    check(
        "delete",
        "/things/{id}",
        "things/drop",
        ("204", None),
        "thing.delete",
    );
    check(
        "put",
        "/things/{id}/size",
        "things/create-or-update-size",
        ("204", None),
        "thing.size.set",
    );
    check(
        "delete",
        "/things/{id}/labels",
        "things/remove-all-labels",
        ("204", None),
        "thing.labels.clear",
    );
    check(
        "post",
        "/things/{id}/labels",
        "things/add-labels",
        ("201", list()),
        "thing.labels.add",
    );
}

#[test]
fn an_action_is_not_said_twice() {
    check(
        "put",
        "/things/{id}/lock",
        "things/lock",
        ("204", None),
        "thing.lock",
    );
    check(
        "delete",
        "/things/{id}/lock",
        "things/unlock",
        ("204", None),
        "thing.unlock",
    );
    check(
        "post",
        "/things/{id}/stars",
        "things/star",
        ("204", None),
        "thing.star",
    );
    check(
        "put",
        "/things/{id}/published",
        "things/publish",
        ("204", None),
        "thing.publish",
    );
    check(
        "post",
        "/things/{id}/re-run",
        "things/re-run-it",
        ("204", None),
        "thing.rerun",
    );
    check(
        "post",
        "/things/add",
        "things/bulk-add",
        ("204", None),
        "thing.bulk_add",
    );
}

#[test]
fn the_longest_prefix_and_other_nouns_count() {
    check(
        "get",
        "/users/{user}/things",
        "things/of-user",
        ("200", list()),
        "thing.of_user.list",
    );
    check(
        "get",
        "/things/{id}/hooks",
        "things/hooks",
        ("200", list()),
        "thing.webhooks.list",
    );
    check(
        "get",
        "/other-words",
        "others/list",
        ("200", list()),
        "api.other_words.list",
    );
    check(
        "get",
        "/thingses",
        "others/list",
        ("200", list()),
        "api.thingses.list",
    );
}

#[test]
fn exceptions_come_first() {
    let rules =
        rules_with("ids: [{ because: it is so, operations: { things/do-it: thing.done } }]");
    assert_eq!(
        outline_by(&rules, "get", "/things", &json!({})).0,
        "thing.done"
    );
}

#[test]
fn two_operations_with_one_id_are_a_problem() {
    let mut both = description("get", "/things/{id}", &json!({"operationId": "things/one"}));
    let other = description(
        "get",
        "/things/{name}",
        &json!({"operationId": "things/two"}),
    );
    both["paths"]["/things/{name}"] = other["paths"]["/things/{name}"].clone();
    let problems = build(&both, &rules()).unwrap_err();
    assert_eq!(problems[0].pointer, "/paths/~1things~1{name}/get");
    assert_eq!(
        problems[0].message,
        "`things/two` and `things/one` both have the id `thing.check`"
    );
}

#[test]
fn an_exception_that_no_operation_needs_is_a_problem() {
    let rules =
        rules_with("ids: [{ because: it was so, operations: { things/gone: thing.gone } }]");
    let problems = build(&description("get", "/things", &json!({})), &rules).unwrap_err();
    assert_eq!(
        problems[0].to_string(),
        "things/gone: there is no such operation (it was so)"
    );
}

#[test]
fn what_is_no_id_is_a_problem() {
    for id in [
        "thing",
        "thing.",
        "Thing.list",
        "thing.1",
        "thing list.x",
        "",
    ] {
        let more = format!("ids: [{{ because: x, operations: {{ things/do-it: \"{id}\" }} }}]");
        let problems = build(
            &description("get", "/things", &json!({})),
            &rules_with(&more),
        );
        let message = &problems.unwrap_err()[0].message;
        assert!(message.contains("is not an id"), "{message}");
    }
}
