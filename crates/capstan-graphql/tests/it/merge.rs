//! The batches for every kind of document.

use crate::support::{Source, merged, shown};
use serde_json::{Value, json};

macro_rules! snapshot {
    ($sources:expr) => {
        insta::assert_snapshot!(shown(&merged(&$sources)))
    };
}

const NONE: Value = Value::Null;

const ISSUE: &str = "query Issue($owner: String!, $number: Int!) {
    repository(owner: $owner, name: \"rocket\") { issue(number: $number) { ...Shown } }
}
fragment Shown on Issue { id title }";

fn issue(number: u64) -> Source<'static> {
    (ISSUE, None, json!({ "owner": "acme", "number": number }))
}

#[test]
fn one_part_alone() {
    snapshot!([issue(1)]);
}

#[test]
fn parts_of_one_document_share_its_fragments() {
    snapshot!([issue(1), issue(2), issue(3)]);
}

#[test]
fn no_variables_at_all() {
    snapshot!([
        ("query Me { viewer { login } }", None, NONE),
        (
            "query Us { organization(login: \"acme\") { id } }",
            None,
            NONE
        ),
    ]);
}

#[test]
fn anonymous_operations() {
    snapshot!([
        ("{ viewer { login } }", None, NONE),
        (
            "query ($login: String!) { user(login: $login) { id } }",
            None,
            json!({ "login": "x" })
        ),
    ]);
}

#[test]
fn one_of_several_operations_with_its_own_fragments_only() {
    let document = "query A { viewer { ...Login } }
        query B($n: Int!) { viewer { ...Repos } }
        mutation C { closeIssue(input: {issueId: \"x\"}) { issue { ...Closed } } }
        fragment Login on User { login }
        fragment Repos on User { repositories(first: $n) { nodes { name } } }
        fragment Closed on Issue { closed }";
    snapshot!([
        (document, Some("B"), json!({ "n": 5 })),
        (document, Some("A"), NONE),
    ]);
}

#[test]
fn several_root_fields_and_aliases() {
    snapshot!([(
        "query ($a: String!) {
            me: viewer { login }
            one: user(login: $a) { id }
            two: user(login: \"b\") { id }
            organization(login: $a) { id }
        }",
        None,
        json!({ "a": "x" })
    )]);
}

#[test]
fn typename_at_the_root() {
    snapshot!([
        ("{ __typename }", None, NONE),
        (
            "{ __typename viewer { __typename } kind: __typename }",
            None,
            NONE
        ),
    ]);
}

#[test]
fn the_same_key_twice_at_the_root_stays_one_key() {
    snapshot!([
        ("{ viewer { login } viewer { id } }", None, NONE),
        (
            "{ me: viewer { login } ...More id } fragment More on Query { me: viewer { id } }",
            None,
            NONE
        ),
    ]);
}

#[test]
fn fragments_at_the_root_of_any_depth() {
    snapshot!([(
        "query ($yes: Boolean!) {
            ...Outer @include(if: $yes)
            ... on Query { ... @skip(if: $yes) { ... on Node { id } } }
        }
        fragment Outer on Query { viewer { ...Login } ...Inner @skip(if: false) }
        fragment Inner on Query { ... on Query { us: organization(login: \"acme\") { id } } }
        fragment Login on User { login }",
        None,
        json!({ "yes": true })
    )]);
}

#[test]
fn a_fragment_at_the_root_and_in_a_field_is_two() {
    let document = "{ ...Q relay { ...Q } } fragment Q on Query { viewer { login } }";
    snapshot!([(document, None, NONE), (document, None, NONE)]);
}

#[test]
fn only_a_fragment_at_the_root() {
    snapshot!([
        (
            "{ ...Q } fragment Q on Query { viewer { login } }",
            None,
            NONE
        ),
        (
            "{ ...Q } fragment Q on Query { ...R } fragment R on Query { viewer { id } }",
            None,
            NONE
        ),
    ]);
}

#[test]
fn fragments_of_one_name_with_different_bodies() {
    let document = |fields: &str| {
        format!(
            "{{ viewer {{ ...Card ...Same }} }} fragment Card on User {{ {fields} }} fragment Same on User {{ id }}"
        )
    };
    let (first, second) = (document("login"), document("name email"));
    snapshot!([
        (&*first, None, NONE),
        (&*second, None, NONE),
        (&*first, None, NONE),
    ]);
}

#[test]
fn fragments_with_variables_are_each_parts_own_and_so_are_those_around_them() {
    let document = "query ($n: Int = 2) { viewer { ...Outer } }
        fragment Outer on User { ...Inner ...Plain }
        fragment Inner on User { followers(first: $n) { totalCount } }
        fragment Plain on User { login }";
    snapshot!([(document, None, json!({ "n": 7 })), (document, None, NONE)]);
}

#[test]
fn variables_wherever_they_occur() {
    snapshot!([(
        "query ($owner: String!, $state: IssueState!, $label: String!, $since: DateTime, $all: Boolean = false) {
            repository(owner: $owner, name: \"rocket\") @skip(if: $all) {
                issues(first: 3, filterBy: {labels: [$label, \"bug\"], since: $since, states: [$state]}) {
                    nodes { ... on Node @include(if: $all) { id } ...Text @include(if: $all) title @skip(if: $all) }
                }
            }
        }
        fragment Text on Issue { bodyText @include(if: $all) }",
        None,
        json!({ "owner": "acme", "state": "OPEN", "label": "x", "since": null })
    )]);
}

#[test]
fn defaults_that_are_lists_and_objects() {
    snapshot!([(
        "query ($states: [IssueState!] = [OPEN, CLOSED], $order: IssueOrder = {field: CREATED_AT, direction: DESC}, $q: String = \"}\\\"{\") {
            repository(owner: \"acme\", name: \"rocket\") {
                issues(first: 1, states: $states, orderBy: $order, filterBy: {createdBy: $q}) { totalCount }
            }
        }",
        None,
        NONE
    )]);
}

#[test]
fn strings_keep_what_is_in_them() {
    snapshot!([(
        r##"mutation {
            a: addComment(input: {subjectId: "} { # $x ...F", body: "\"quoted\" \\ \u00e9 \uD83D\uDE00 \t"}) { clientMutationId }
            b: addComment(input: {subjectId: "", body: """
                block { $x } \""" end
                  indented "quote" \n
            """}) { clientMutationId }
        }"##,
        None,
        NONE
    )]);
}

#[test]
fn mutations_in_their_order() {
    let close = "mutation Close($id: ID!, $reason: IssueClosedStateReason) {
        closeIssue(input: {issueId: $id, stateReason: $reason}) { issue { ...Closed } }
    } fragment Closed on Issue { closed }";
    snapshot!([
        (close, None, json!({ "id": "I_1" })),
        (
            "mutation { reopenIssue(input: {issueId: \"I_1\"}) { clientMutationId } addStar(input: {starrableId: \"R\"}) { clientMutationId } }",
            None,
            NONE
        ),
        (close, None, json!({ "id": "I_2", "reason": "COMPLETED" })),
    ]);
}

#[test]
fn values_that_no_variable_is_there_for_are_dropped() {
    snapshot!([(
        ISSUE,
        None,
        json!({ "owner": "acme", "number": 1, "other": [1] })
    )]);
}

#[test]
fn names_that_would_collide_are_numbered() {
    let document =
        "query ($b_c: Int!) { b: viewer { followers(first: $b_c) { ...a_1 } } c: id b_c: id }
        fragment a_1 on FollowerConnection { totalCount }";
    let variables = json!({ "b_c": 1 });
    let variables = variables.as_object().unwrap();
    let part = |alias: &'static str| capstan_graphql::Part {
        alias,
        document,
        operation_name: None,
        variables,
    };
    let batch = capstan_graphql::merge(&[part("a"), part("a_b"), part("a"), part("a_1")]).unwrap();
    crate::support::assert_valid(&batch.document);
    insta::assert_snapshot!(shown(&batch));
}

#[test]
fn comments_and_commas_are_no_part_of_it() {
    snapshot!([(
        "# a comment { with brace\nquery A { viewer { login,,, # another }\n id } }",
        None,
        NONE
    )]);
}

#[test]
fn aliases_are_names() {
    let aliases = [
        ("issue.view", 3),
        ("pr.threads-list/x", 0),
        ("", 1),
        ("9lives", 2),
        ("__type", 4),
        ("_", 5),
        ("é✓", 6),
        ("a b", 7),
    ]
    .map(|(id, index)| capstan_graphql::alias(id, index));
    insta::assert_snapshot!(aliases.join("\n"));
}
