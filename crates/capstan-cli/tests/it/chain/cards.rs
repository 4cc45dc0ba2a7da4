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

/// `issues.search`: whose root field is never null, and fails for pages that are too large.
pub(super) fn search() -> Card {
    card(
        r#"
capability_id: issues.search
version: 1.0.0
description: How many issues there are.
operation: READ
input_schema:
  type: object
  required: [query]
  properties: {query: {type: string}, first: {type: integer, default: 1}}
output_schema:
  type: object
  required: [count]
  properties: {count: {type: integer}}
graphql:
  operation: Search
  variables: {query: query, first: first}
  output: {root: search, fields: {count: issueCount}}
"#,
        "query Search($query: String!, $first: Int!) {
  search(query: $query, type: ISSUE, first: $first) { issueCount nodes { __typename } }
}",
    )
}

/// `nodes.view`: whose root field is never null, and fails for more than a hundred ids.
pub(super) fn nodes() -> Card {
    card(
        r#"
capability_id: nodes.view
version: 1.0.0
description: The types of things.
operation: READ
input_schema:
  type: object
  required: [ids]
  properties: {ids: {type: array, items: {type: string}}}
output_schema:
  type: object
  required: [types]
  properties: {types: {type: array, items: {type: string}}}
graphql:
  operation: Nodes
  output: {root: ., fields: {types: "nodes[].__typename"}}
"#,
        "query Nodes($ids: [ID!]!) { nodes(ids: $ids) { __typename } }",
    )
}

/// A read of one root field that takes no arguments, as `root.NAME`.
pub(super) fn root(name: &str) -> Card {
    card(
        &format!(
            "
capability_id: root.{}
version: 1.0.0
description: What type it has.
operation: READ
input_schema: {{type: object, properties: {{}}}}
output_schema:
  type: object
  required: [there]
  properties: {{there: {{type: boolean}}}}
graphql:
  operation: Root
  output: {{root: ., fields: {{there: '{name} != null'}}}}
",
            name.to_lowercase()
        ),
        &format!("query Root {{ {name} {{ __typename }} }}"),
    )
}

/// `issues.deep`: asks for more nodes than any other.
pub(super) fn deep() -> Card {
    card(
        r#"
capability_id: issues.deep
version: 1.0.0
description: Issues with their comments and who liked them.
operation: READ
input_schema:
  type: object
  required: [owner, repo, issues, comments]
  properties:
    owner: {type: string}
    repo: {type: string}
    issues: {type: integer}
    comments: {type: integer}
output_schema:
  type: object
  required: [numbers]
  properties: {numbers: {type: array, items: {type: integer}}}
graphql:
  operation: Deep
  variables: {name: repo}
  output: {root: repository.issues, fields: {numbers: "nodes[].number"}}
"#,
        "query Deep($owner: String!, $name: String!, $issues: Int!, $comments: Int!) {
  repository(owner: $owner, name: $name) {
    issues(first: $issues) { nodes { number ...Talk } }
  }
}
fragment Talk on Issue {
  comments(first: $comments) { nodes { reactions(first: 10) { nodes { content } } } }
}",
    )
}
