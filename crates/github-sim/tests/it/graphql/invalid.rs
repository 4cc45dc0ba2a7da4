//! Documents and requests that are refused before execution.

use super::fixture::{errors, run_as, world};
use github_sim::graphql::execute;
use github_sim::world::Viewer;
use serde_json::{Value, json};

#[test]
fn an_unknown_field_gets_githubs_exact_error() {
    let mut world = world();
    let outcome = run_as(
        &mut world,
        "octocat",
        "{ viewer { login nope } }",
        json!({}),
    );
    assert_eq!(
        outcome.json,
        json!({ "errors": [{
            "path": ["query", "viewer", "nope"],
            "extensions": { "code": "undefinedField", "typeName": "User", "fieldName": "nope" },
            "locations": [{ "line": 1, "column": 18 }],
            "message": "Field 'nope' doesn't exist on type 'User'",
        }] })
    );
}

#[test]
fn common_mistakes_have_githubs_codes() {
    let mut world = world();
    for (query, code, message) in [
        (
            "query Q { viewer { a: nope } }",
            "undefinedField",
            "Field 'nope' doesn't exist on type 'User'",
        ),
        (
            "{ repository(owner: \"a\") { id } }",
            "missingRequiredArguments",
            "Field 'repository' is missing required arguments: name",
        ),
        (
            "{ viewer(x: 1) { id } }",
            "argumentNotAccepted",
            "Field 'viewer' doesn't accept argument 'x'",
        ),
        (
            "{ viewer }",
            "selectionMismatch",
            "Field must have selections (field 'viewer' returns User but has no selections. Did you mean 'viewer { ... }'?)",
        ),
        (
            "{ viewer { login { x } } }",
            "selectionMismatch",
            "Selections can't be made on scalars (field 'login' returns String but has selections [\"x\"])",
        ),
        (
            "query Q($n: Int!) { viewer { login } }",
            "variableNotUsed",
            "Variable $n is declared by query Q but not used",
        ),
        (
            "{ user(login: $who) { id } }",
            "variableNotDefined",
            "Variable $who is used by anonymous query but not declared",
        ),
        (
            "{ viewer { ... on Nothing { id } } }",
            "undefinedType",
            "No such type Nothing, so it can't be a fragment condition",
        ),
        (
            "{ viewer { login } } fragment F on User { id }",
            "useAndDefineFragment",
            "Fragment F was defined, but not used",
        ),
        (
            "{ viewer { ...F } }",
            "useAndDefineFragment",
            "Fragment F was used, but not defined",
        ),
    ] {
        let found = errors(&mut world, query, json!({}));
        assert_eq!(found[0]["extensions"]["code"], code, "{query}: {found}");
        assert_eq!(found[0]["message"], message);
    }
}

#[test]
fn the_error_path_starts_with_the_operation_name() {
    let found = errors(&mut world(), "mutation M { nope }", json!({}));
    assert_eq!(found[0]["path"], json!(["mutation M", "nope"]));
}

#[test]
fn wrong_literals_and_variable_types_are_refused() {
    let mut world = world();
    let mut check = |variables: &str, issue: &str, code: &str, message: &str| {
        let query = format!(
            "query{variables} {{ repository(owner: \"acme\", name: \"rocket\") {{ {issue} }} }}"
        );
        let found = errors(&mut world, &query, json!({ "n": 1 }));
        assert_eq!(found[0]["extensions"]["code"], code, "{query}: {found}");
        assert_eq!(found[0]["message"], message);
    };
    check(
        "",
        "issue(number: \"1\") { id }",
        "argumentLiteralsIncompatible",
        "Argument 'number' on Field 'issue' has an invalid value (\"1\"). Expected type 'Int!'.",
    );
    check(
        "($n: String!)",
        "issue(number: $n) { id }",
        "variableMismatch",
        "Type mismatch on variable $n and argument number (String! / Int!)",
    );
    check(
        "($n: Int)",
        "issue(number: $n) { id }",
        "variableMismatch",
        "Nullability mismatch on variable $n and argument number (Int / Int!)",
    );
    check(
        "($n: [Int!]!)",
        "issue(number: $n) { id }",
        "variableMismatch",
        "List dimension mismatch on variable $n and argument number ([Int!]! / Int!)",
    );
    check(
        "",
        "issues(first: 1, states: [NOPE]) { nodes { id } }",
        "argumentLiteralsIncompatible",
        "value `NOPE` does not exist on `IssueState`",
    );
}

#[test]
fn missing_and_wrong_variables_are_named() {
    let mut world = world();
    let query = "query($n: Int!) { repository(owner: \"acme\", name: \"rocket\") { issue(number: $n) { id } } }";
    let found = errors(&mut world, query, json!({}));
    assert_eq!(
        found[0]["message"],
        "Variable $n of type Int! was provided invalid value"
    );
    assert_eq!(found[0]["extensions"]["value"], Value::Null);
    assert_eq!(
        found[0]["extensions"]["problems"],
        json!([{ "path": [], "explanation": "Expected value to not be null" }])
    );
    let found = errors(&mut world, query, json!({ "n": "one" }));
    assert_eq!(
        found[0]["message"],
        "Variable $n of type Int! was provided invalid value"
    );
    assert_eq!(found[0]["extensions"]["value"], "one");
}

#[test]
fn broken_requests_do_not_crash() {
    let mut world = world();
    let viewer = Viewer::full("octocat");
    for body in [
        json!({}),
        json!(null),
        json!([]),
        json!({ "query": 3 }),
        json!({ "query": "" }),
        json!({ "query": "{" }),
        json!({ "query": "{ viewer { login }" }),
        json!({ "query": "query A { viewer { login } } query B { viewer { id } }" }),
        json!({ "query": "query A { viewer { login } }", "operationName": "B" }),
        json!({ "query": "fragment F on User { ...F }" }),
        json!({ "query": "{ viewer { ...F } } fragment F on User { ...F }" }),
        json!({ "query": "type X { y: Int }" }),
        json!({ "query": "subscription { x }" }),
    ] {
        let outcome = execute(&mut world, &viewer, &body);
        let errors = outcome.json["errors"].as_array();
        assert!(
            errors.is_some_and(|errors| !errors.is_empty()),
            "{body}: {}",
            outcome.json
        );
        assert_eq!(outcome.json["data"], Value::Null, "{body}");
        assert!(!outcome.applied);
    }
}

#[test]
fn the_named_operation_runs() {
    let mut world = world();
    let body = json!({
        "query": "query A { viewer { login } } query B { viewer { name } }",
        "operationName": "B",
    });
    let outcome = execute(&mut world, &Viewer::full("octocat"), &body);
    assert_eq!(
        outcome.json,
        json!({ "data": { "viewer": { "name": "The Octocat" } } })
    );
}

#[test]
fn fields_of_one_name_and_different_types_are_accepted_across_types() {
    let mut world = world();
    let outcome = run_as(
        &mut world,
        "octocat",
        "{ repository(owner: \"acme\", name: \"rocket\") {
            issue: issueOrPullRequest(number: 1) {
                ... on Issue { state titleHTML } ... on PullRequest { state titleHTML }
            } } }",
        json!({}),
    );
    assert_eq!(outcome.json["data"]["repository"]["issue"]["state"], "OPEN");
    assert_eq!(outcome.json["errors"], Value::Null);
}
