//! Ids of root fields.

use std::collections::BTreeSet;

use capstan_generator::{GraphqlRules, GraphqlSchema, catalogue_from_schema};

use super::support::{BOTH, outlines, outlines_by};

#[test]
fn every_root_field_has_an_id_of_its_own() {
    let outlines = outlines(
        "type Query { customer: Int fooBar: Int foo_bar: Int } type Mutation { customer: Int __x: Int }"
            .replace("__x", "x_")
            .as_str(),
    );
    let ids: Vec<_> = outlines.keys().map(String::as_str).collect();
    assert_eq!(
        ids,
        [
            "shop.customer",
            "shop.customer_mutation",
            "shop.foo_bar",
            "shop.foo_bar_query",
            "shop.x_"
        ]
    );
}

const RULES: &str = r#"
nouns: { PullRequest: pr, PullRequestReview: pr.reviews }
suffix: _graphql
verbs: [close, add]
"#;

const SDL: &str = r#"type Query { a: Int } type Mutation {
    "Closes it." closePullRequest: Int
    "Adds it." addPullRequestReview: Int
    "Adds it." addPullRequestReviewAsDraft: Int
}"#;

#[test]
fn rules_name_what_a_field_is_about() {
    let rules = GraphqlRules::from_text("rules.yaml", RULES).unwrap();
    let schema = GraphqlSchema::parse(&[("schema.graphql", SDL)]).unwrap();
    let taken = BTreeSet::from(["pr.close".to_owned()]);
    let catalogue = catalogue_from_schema(&schema, &rules, &BOTH[1..], &taken).unwrap();
    let ids: Vec<_> = catalogue.outlines.keys().map(String::as_str).collect();
    assert_eq!(
        ids,
        [
            "pr.close_graphql",
            "pr.reviews.add",
            "pr.reviews.add_as_draft"
        ]
    );
}

#[test]
fn rules_about_what_does_not_exist_are_a_problem() {
    for (rules, problem) in [
        (
            "ids: [{ because: x, operations: { gone: a.b } }]",
            "gone: there is no such root field (x)",
        ),
        (
            "ids: [{ because: x, operations: { a: B } }]",
            "a: `B` is not an id: add one to `ids` in the rules",
        ),
        ("{}", "a: no noun of the rules fits ``"),
        (
            "{ nouns: { '': it }, verbs: [be] }",
            "a: it has no short sentence that starts with a verb: add one to `descriptions` in the rules",
        ),
    ] {
        let rules = GraphqlRules::from_text("rules.yaml", rules).unwrap();
        let problems = outlines_by(&rules, "type Query { a: Int }").unwrap_err();
        assert_eq!(problems[0].to_string(), problem);
    }
    let error = GraphqlRules::from_text("rules.yaml", "idz: []").unwrap_err();
    assert!(error.to_string().contains("idz"), "{error}");
}

#[test]
fn a_schema_that_is_not_valid_is_refused() {
    for sdl in ["type Query { a: Missing }", "type Query {", "nonsense"] {
        let error = GraphqlSchema::parse(&[("schema.graphql", sdl)]).unwrap_err();
        assert!(error.to_string().starts_with("schema.graphql: "), "{error}");
    }
}
