//! Tests of lookups that replace a card's answer.

use capstan_core::Source;
use capstan_core::card::{Card, Operation};
use capstan_core::expr::Expr;

use crate::load_text;

const CARD: &str = r"capability_id: ticket.lock
version: 1.0.0
description: Lock it.
operation: WRITE
input_schema: {type: object, properties: {id: {type: string}, tags: {type: array}}}
output_schema: {type: object, properties: {locked: {type: boolean}}}
graphql:
  operation: Lock
  resolve:
    ticket: {operation: Ticket, root: node}
    tags: {each: tags, operation: Ticket, variables: {id: $item}, root: node}
  unchanged: {when: $ticket.locked, from: ticket}
  verify: {when: $ticket.locked and id, from: ticket}
  output: {root: lockLockable, fields: {locked: locked}}
rest:
  method: PUT
  path: /tickets/{id}/lock
  resolve:
    ticket: {path: '/tickets/{id}'}
    tags: {each: tags, path: '/tags/{$item}'}
  verify: {when: $ticket.locked, from: ticket} # rest
  output: {fields: {locked: $ticket.locked}}
";

const DOCUMENT: &str = "
query Ticket($id: ID!) { node(id: $id) { id } }
mutation Lock($id: ID!) { lockLockable(input: {lockableId: $id}) { clientMutationId } }
";

#[test]
fn lookups_may_stand_in_for_the_answer() {
    let card = load(CARD).unwrap();
    let graphql = card.graphql.unwrap();
    let unchanged = graphql.unchanged.unwrap();
    assert_eq!(unchanged.when, Expr::parse("$ticket.locked").unwrap());
    let verify = graphql.verify.unwrap();
    assert_eq!(verify.when, Expr::parse("$ticket.locked and id").unwrap());
    assert_eq!(verify.from, "ticket");
    let rest = card.rest.unwrap();
    assert_eq!(rest.unchanged, None);
    assert_eq!(rest.verify.unwrap(), unchanged);
}

#[test]
fn one_thing_that_was_looked_up_stands_in() {
    for (from, to, place, message) in [
        (
            "id, from: ticket",
            "id, from: tickets",
            "card.yaml:13:",
            "`resolve` has no `tickets`",
        ),
        (
            "id, from: ticket",
            "id, from: tags",
            "card.yaml:13:",
            "`tags` is a lookup for each element of a list",
        ),
        (
            "unchanged: {when: $ticket.locked, from: ticket}",
            "unchanged: {when: $ticket.locked, from: tags}",
            "card.yaml:12:",
            "`tags` is a lookup for each element of a list",
        ),
        (
            "from: ticket} # rest",
            "from: tags}",
            "card.yaml:21:",
            "`tags` is a lookup for each element of a list",
        ),
        (
            "$ticket.locked and id",
            "$ticket.locked and",
            "card.yaml:13:",
            "expected",
        ),
    ] {
        assert_eq!(CARD.matches(from).count(), 1, "{from}");
        let said = load(&CARD.replace(from, to)).unwrap_err();
        assert_eq!(said.len(), 1, "{said:?}");
        assert!(
            said[0].starts_with(place) && said[0].contains(message),
            "{said:?}"
        );
    }
}

#[test]
fn what_is_accepted_is_a_media_type() {
    let with = |accept: &str| {
        let line = format!("  path: /tickets/{{id}}/lock\n  accept: {accept}\n");
        load(&CARD.replace("  path: /tickets/{id}/lock\n", &line))
    };
    let accept = "application/vnd.github.text-match+json";
    let card = with(accept).unwrap();
    assert_eq!(card.rest.unwrap().call.accept.as_deref(), Some(accept));
    for wrong in ["json", "'a/b, c/d'", "\"a/b\\r\\nX: y\"", "/b", "a/"] {
        let problems = with(wrong).unwrap_err();
        assert!(
            problems[0].contains("expected a media type"),
            "{problems:?}"
        );
    }
}

#[test]
fn a_post_may_be_a_read() {
    let card = |operation: &str, method: &str, reads: &str| {
        load(&format!(
            "capability_id: text.render\nversion: \"1.0.0\"\ndescription: Render a text.\n\
             operation: {operation}\nno_graphql: REST only\ninput_schema: {{type: object}}\n\
             output_schema: {{type: object, properties: {{html: {{type: string}}}}}}\n\
             rest: {{method: {method}, path: /render, {reads}output: {{fields: {{html: html}}}}}}\n"
        ))
    };
    let call = card("READ", "POST", "reads: true, ")
        .unwrap()
        .rest
        .unwrap()
        .call;
    assert_eq!(call.operation, Operation::Read);
    for (operation, method, reads, said) in [
        ("READ", "POST", "", "POST does not fit the card's operation"),
        (
            "WRITE",
            "POST",
            "reads: true, ",
            "POST does not fit the card's operation",
        ),
        (
            "WRITE",
            "PUT",
            "reads: true, ",
            "only a POST can be marked as a read",
        ),
        (
            "READ",
            "GET",
            "reads: true, ",
            "only a POST can be marked as a read",
        ),
    ] {
        let problems = card(operation, method, reads).unwrap_err();
        assert!(problems[0].contains(said), "{problems:?}");
    }
}

/// A card that seals its input `value`, with blanks for what a test changes.
fn sealing(seal: &str, body: &str, output: &str) -> Result<Card, Vec<String>> {
    load(&format!(
        "capability_id: secret.set\nversion: \"1.0.0\"\ndescription: Set a secret.\n\
         operation: WRITE\nno_graphql: REST only\n\
         input_schema: {{type: object, properties: {{value: {{type: string}}}}}}\n\
         output_schema: {{type: object, properties: {{done: {{}}}}}}\n\
         rest:\n  method: PUT\n  path: /secret\n  resolve: {{key: {{path: /key}}}}\n  \
         seal: {{{seal}}}\n  body: {{encrypted: \"{body}\"}}\n  \
         output: {{fields: {{done: {output}}}}}\n"
    ))
}

#[test]
fn a_sealed_input_is_a_secret() {
    let seal = "box: {input: value, key: $key.key}";
    let card = sealing(seal, "{$box}", "\"true\"").unwrap();
    assert_eq!(card.input_schema["properties"]["value"]["writeOnly"], true);
    for (seal, body, output, said) in [
        (seal, "{value}", "\"true\"", "only `seal` may use it"),
        (seal, "{$input.value}", "\"true\"", "only `seal` may use it"),
        (seal, "{$input}", "\"true\"", "only `seal` may use it"),
        (
            seal,
            "{value | upper}",
            "\"true\"",
            "only `seal` may use it",
        ),
        (seal, "{$box}", "$input.value", "only `seal` may use it"),
        (
            "box: {input: other, key: $key.key}",
            "{$box}",
            "\"true\"",
            "`input_schema` has no `other`",
        ),
        (
            "key: {input: value, key: $key.key}",
            "{$key}",
            "\"true\"",
            "`$key` already has another meaning",
        ),
        (
            "input: {input: value, key: $key.key}",
            "{$input}",
            "\"true\"",
            "`$input` already has another meaning",
        ),
        (
            "box: {input: value, key: \"$key.\"}",
            "{$box}",
            "\"true\"",
            "expected a field name",
        ),
    ] {
        let problems = sealing(seal, body, output).unwrap_err();
        assert!(
            problems.iter().any(|problem| problem.contains(said)),
            "{said}: {problems:?}"
        );
    }
}

#[test]
fn a_read_is_not_verified() {
    let read = CARD
        .replace("operation: WRITE", "operation: READ")
        .replace("operation: Lock", "operation: Ticket")
        .replace("method: PUT", "method: GET");
    let said = load(&read).unwrap_err();
    let expected = "`verify` is for writes: a read whose answer was lost is sent again";
    assert_eq!(said.len(), 2, "once for each route: {said:?}");
    assert!(said.iter().all(|line| line.ends_with(expected)), "{said:?}");
}

fn load(text: &str) -> Result<Card, Vec<String>> {
    let source = Source::new("card.yaml", text);
    let loaded = load_text(&source, |_| Ok(Source::new("card.graphql", DOCUMENT)));
    loaded.map_err(|diagnostics| diagnostics.iter().map(ToString::to_string).collect())
}

const SERVICE_CARD: &str = "capability_id: gitlab.projects.view
version: 1.0.0
service: gitlab
description: Show a project.
operation: READ
input_schema: {type: object, properties: {id: {type: string}}}
output_schema: {type: object, properties: {name: {type: string}}}
rest: {method: GET, path: '/projects/{id}'}
";

#[test]
fn a_card_of_a_service_has_no_route_to_github() {
    let card = load(SERVICE_CARD).unwrap();
    assert_eq!(card.service.unwrap().as_str(), "gitlab");
    assert_eq!(load(CARD).unwrap().service, None);
    let rest = "rest: {method: GET, path: '/projects/{id}'}\n";
    let with = |line: &str| SERVICE_CARD.replace(rest, &format!("{rest}{line}\n"));
    for (text, place, message) in [
        (
            with("cli: {api: rest}"),
            "card.yaml:9:",
            "`gh` reaches only GitHub",
        ),
        (
            with("no_graphql: There is none."),
            "card.yaml:9:",
            "it needs no GraphQL route",
        ),
        (
            SERVICE_CARD.replace(rest, ""),
            "card.yaml:3:",
            "no route to its service",
        ),
        (
            SERVICE_CARD.replace(rest, "request: rest\n"),
            "card.yaml:8:",
            "only GitHub's cards",
        ),
        (
            SERVICE_CARD.replace("service: gitlab", "service: GitLab"),
            "card.yaml:3:",
            "not the name of a service",
        ),
        (
            SERVICE_CARD.replace("service: gitlab", "service: github"),
            "card.yaml:3:",
            "is built in",
        ),
        (
            SERVICE_CARD.replace(rest, "combine: [{task: a.b}]\n"),
            "card.yaml:3:",
            "which have services of their own",
        ),
    ] {
        let said = load(&text).unwrap_err();
        let is_said = said
            .iter()
            .any(|said| said.starts_with(place) && said.contains(message));
        assert!(is_said, "{text}\n{said:?}");
    }
}
