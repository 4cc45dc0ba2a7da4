//! Cards of one's own, for what the built-in ones do not do.

use capstan_catalog::load_text;
use capstan_core::Source;
use capstan_core::card::Card;

/// A card from its two files.
pub(super) fn card(yaml: &str, document: &str) -> Card {
    let source = Source::new("card.yaml", yaml);
    let loaded = load_text(&source, |_| Ok(Source::new("card.graphql", document)));
    loaded.unwrap_or_else(|problems| {
        let problems: Vec<_> = problems.iter().map(|it| &it.message).collect();
        unreachable!("{problems:?} in {yaml}")
    })
}

/// `remark.create`: a comment on something whose node id is known. Nothing has to be looked up.
pub(super) fn remark() -> Card {
    card(
        r#"
capability_id: remark.create
version: 1.0.0
description: Comment on what has this id.
operation: WRITE
input_schema:
  type: object
  required: [id, body]
  properties: {id: {type: string}, body: {type: string}}
output_schema:
  type: object
  required: [id]
  properties: {id: {type: string}}
graphql:
  operation: Remark
  output: {root: addComment.commentEdge.node, fields: {id: id}}
"#,
        "mutation Remark($id: ID!, $body: String!) {
  addComment(input: {subjectId: $id, body: $body}) { commentEdge { node { id } } }
}",
    )
}

/// `me.view`: whose root field is never null.
pub(super) fn me() -> Card {
    card(
        r#"
capability_id: me.view
version: 1.0.0
description: Who one is.
operation: READ
input_schema: {type: object, properties: {}, additionalProperties: false}
output_schema:
  type: object
  required: [login]
  properties: {login: {type: string}}
graphql:
  operation: Me
  output: {root: viewer, fields: {login: login}}
"#,
        "query Me { viewer { login } }",
    )
}

/// `state.set`: closes or opens an issue over REST, and looks nothing up.
pub(super) fn state_over_rest() -> Card {
    card(
        r#"
capability_id: state.set
version: 1.0.0
description: Close or open an issue.
operation: WRITE
no_graphql: it is here to be done over REST
input_schema:
  type: object
  required: [owner, repo, issue_number, state]
  properties:
    owner: {type: string}
    repo: {type: string}
    issue_number: {type: integer}
    state: {enum: [open, closed]}
output_schema:
  type: object
  required: [state]
  properties: {state: {type: string}}
rest:
  method: PATCH
  path: /repos/{owner}/{repo}/issues/{issue_number}
  body: {state: "{state}"}
  output: {fields: {state: state}}
"#,
        "",
    )
}

/// `labels.create`: makes a new label over REST.
pub(super) fn label_over_rest() -> Card {
    card(
        r#"
capability_id: labels.create
version: 1.0.0
description: Make a label.
operation: WRITE
no_graphql: it is here to be done over REST
input_schema:
  type: object
  required: [owner, repo, name]
  properties: {owner: {type: string}, repo: {type: string}, name: {type: string}}
output_schema:
  type: object
  required: [name]
  properties: {name: {type: string}}
rest:
  method: POST
  path: /repos/{owner}/{repo}/labels
  body: {name: "{name}"}
  output: {fields: {name: name}}
"#,
        "",
    )
}

/// `readme.view`: a read that only REST has.
pub(super) fn readme() -> Card {
    card(
        r#"
capability_id: readme.view
version: 1.0.0
description: Where the readme is.
operation: READ
no_graphql: it is here to be done over REST
input_schema:
  type: object
  required: [owner, repo]
  properties: {owner: {type: string}, repo: {type: string}}
output_schema:
  type: object
  required: [path]
  properties: {path: {type: string}}
rest:
  method: GET
  path: /repos/{owner}/{repo}/readme
  output: {fields: {path: path}}
"#,
        "",
    )
}
