//! Ids that are looked up, as rules say.

use capstan_generator::GraphqlRules;

use super::support::{outlines_by, text};

const RULES: &str = r#"
nouns: { "": it, Issue: issue, Label: label }
verbs: [move, add, set]
lookups:
  repository:
    inputs: { owner: string, repo: string }
    at: "repository(owner: $owner, name: $repo)"
  issue:
    inputs: { owner: string, repo: string, issue_number: integer }
    at: "repository(owner: $owner, name: $repo).issue(number: $issue_number)"
  label:
    inputs: { owner: string, repo: string, labels: string }
    at: "repository(owner: $owner, name: $repo).labels.nodes"
    pick: name == $own
    reads: [name]
fields: { repositoryId: repository, issueId: issue, labelIds: label, labelId: label }
"#;

const SDL: &str = r#"type Query { a: Int } type Mutation {
    "Moves it." moveIssue(issueId: ID!, repositoryId: ID!): Int
}"#;

fn rules(more: &str) -> GraphqlRules {
    GraphqlRules::from_text("rules.yaml", &format!("{RULES}\n{more}")).unwrap()
}

const QUERY: &str = "left_out: [{ because: x, operations: { a: true } }]";

#[test]
fn two_ids_need_a_decision() {
    let problems = outlines_by(&rules(QUERY), SDL).unwrap_err();
    assert!(
        problems[0].message.contains("it looks up several ids"),
        "{problems:?}"
    );
    let decided = format!(
        "{QUERY}
resolved:
  - because: the repository is another one
    operations:
      moveIssue: {{ repositoryId: {{ lookup: repository, name: target, inputs: {{ owner: to_owner, repo: to_repo }} }} }}"
    );
    let outlines = outlines_by(&rules(&decided), SDL).unwrap();
    let outline = &outlines["issue.move"];
    assert_eq!(
        text(&outline.input),
        r#"{"owner":"string","repo":"string","issue_number":"integer","to_owner":"string","to_repo":"string"}"#
    );
    assert_eq!(
        text(&outline.resolve),
        r#"{"issue":{"at":"repository(owner: $owner, name: $repo).issue(number: $issue_number)"},"target":{"at":"repository(owner: $to_owner, name: $to_repo)","noun":"repository"}}"#
    );
    assert_eq!(
        text(&outline.send),
        r#"{"issueId":"ID! = $issue.id","repositoryId":"ID! = $target.id"}"#
    );
}

#[test]
fn several_objects_are_looked_up_one_by_one() {
    let sdl = r#"type Query { a: Int } type Mutation {
        "Adds them." addLabel(labelIds: [ID!]!): Int
        "Sets one." setLabel(labelId: ID): Int
        "Moves one." moveLabel(labelId: ID!): Int
    }"#;
    let outlines = outlines_by(&rules(QUERY), sdl).unwrap();
    let place = "repository(owner: $owner, name: $repo).labels.nodes";
    for (id, input, send, lookup) in [
        (
            "label.add",
            r#""labels":["string"]"#,
            r#"{"labelIds":"[ID!]! = $label[].id"}"#,
            r#""each":"labels","pick":"name == $item""#,
        ),
        (
            "label.set",
            r#""labels?":"string""#,
            r#"{"labelId":"ID = $label[0].id"}"#,
            r#""each":"labels","pick":"name == $item""#,
        ),
        (
            "label.move",
            r#""labels":"string""#,
            r#"{"labelId":"ID! = $label.id"}"#,
            r#""pick":"name == $input.labels","pick_input":"labels""#,
        ),
    ] {
        let outline = &outlines[id];
        assert_eq!(
            text(&outline.input),
            format!(r#"{{"owner":"string","repo":"string",{input}}}"#)
        );
        assert_eq!(text(&outline.send), send);
        assert_eq!(
            text(&outline.resolve),
            format!(r#"{{"label":{{"at":"{place}",{lookup},"reads":["name"]}}}}"#)
        );
    }
}

#[test]
fn a_name_that_two_inputs_have_is_a_problem() {
    let sdl = r#"type Query { a: Int } type Mutation { "Sets it." setIssue(issueId: ID!, owner: String!): Int }"#;
    let problems = outlines_by(&rules(QUERY), sdl).unwrap_err();
    assert_eq!(
        problems[0].to_string(),
        "setIssue: two inputs are called `owner`: give one another name"
    );
}
