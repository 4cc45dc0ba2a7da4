//! Cards over the fake GitHub, which has things with a name, an id, a value and remarks.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use capstan_catalog::load_text;
use capstan_core::card::{CallRoute, Card, Operation};
use capstan_core::{CapabilityId, Route, Source};

/// A card as it is written.
struct Written {
    id: &'static str,
    operation: &'static str,
    routes: &'static str,
    document: &'static str,
}

const READ: &str = "query Read($name: String!) { thing(name: $name) { id name value remarks } }";
const WRITE: &str = "mutation Write($name: String!) { write(name: $name) { id name value } }";
const SET: &str = "
query Find($name: String!) { find(name: $name) { id name value } }
mutation Set($id: ID!, $value: String!) { set(id: $id, value: $value) { id name value } }";

const REMARK: &str = "
query Find($name: String!) { find(name: $name) { id name value } }
mutation Remark($id: ID!, $value: String!) { remark(id: $id, value: $value) { id name value } }";

const CARDS: [Written; 18] = [
    // A read over GraphQL.
    Written {
        id: "read",
        operation: "READ",
        routes: "
graphql:
  operation: Read
  output: {root: thing, fields: {id: id, name: name, value: value, remarks: remarks}}
",
        document: READ,
    },
    // A read that only REST has.
    Written {
        id: "read.rest",
        operation: "READ",
        routes: "
no_graphql: it is here to be done over REST
rest:
  method: GET
  path: /things/{name}
  output: {fields: {id: id, name: name, value: value}}
",
        document: "",
    },
    // A read that is sent by POST, over REST or `gh api`.
    Written {
        id: "read.post",
        operation: "READ",
        routes: "
no_graphql: it is here to be done over REST
rest:
  method: POST
  reads: true
  path: /things/{name}/read
  output: {fields: {id: id, name: name, value: value}}
cli: {api: rest}
",
        document: "",
    },
    // A read that every route has.
    Written {
        id: "read.any",
        operation: "READ",
        routes: "
graphql:
  operation: Read
  output: {root: thing, fields: {id: id, name: name, value: value}}
rest:
  method: GET
  path: /things/{name}
  output: {fields: {id: id, name: name, value: value}}
cli:
  command: thing view
  args: [\"{name}\"]
  json_fields: [id, name, value]
  output: {fields: {id: id, name: name, value: value}}
",
        document: READ,
    },
    // The same, which prefers REST.
    Written {
        id: "read.preferring",
        operation: "READ",
        routes: "
routing: {preferred: rest, fallbacks: [graphql]}
graphql:
  operation: Read
  output: {root: thing, fields: {id: id, name: name, value: value}}
rest:
  method: GET
  path: /things/{name}
  output: {fields: {id: id, name: name, value: value}}
",
        document: READ,
    },
    // A list of `first` rows, each with ten parts: 11 nodes for each row.
    Written {
        id: "list",
        operation: "READ",
        routes: "
graphql:
  operation: List
  variables: {name: name, first: first}
  output: {root: rows, fields: {id: id}}
",
        document: "query List($name: String!, $first: Int!) {
  rows(name: $name, first: $first) { id nodes { id parts(first: 10) { nodes { id } } } }
}",
    },
    // A write that looks nothing up and that no read can verify.
    Written {
        id: "write",
        operation: "WRITE",
        routes: "
graphql:
  operation: Write
  output: {root: write, fields: {id: id, name: name, value: value}}
",
        document: WRITE,
    },
    Written {
        id: "write.rest",
        operation: "WRITE",
        routes: "
no_graphql: it is here to be done over REST
rest:
  method: POST
  path: /things/{name}
  output: {fields: {id: id, name: name, value: value}}
",
        document: "",
    },
    Written {
        id: "write.any",
        operation: "WRITE",
        routes: "
graphql:
  operation: Write
  output: {root: write, fields: {id: id, name: name, value: value}}
rest:
  method: POST
  path: /things/{name}
  output: {fields: {id: id, name: name, value: value}}
cli: {api: rest}
",
        document: WRITE,
    },
    // A write that looks its thing up, and that no read can verify.
    Written {
        id: "remark",
        operation: "WRITE",
        routes: "
graphql:
  operation: Remark
  variables: {id: $thing.id, value: value}
  resolve:
    thing: {operation: Find, variables: {name: name}, root: find}
  output: {root: remark, fields: {id: id, name: name, value: value}}
",
        document: REMARK,
    },
    // A write that sets a value, unless it is so already; a read can verify it.
    Written {
        id: "set",
        operation: "WRITE",
        routes: "
graphql:
  operation: Set
  variables: {id: $thing.id, value: value}
  resolve:
    thing: {operation: Find, variables: {name: name}, root: find}
  unchanged: {when: $thing.value == value, from: thing}
  verify: {when: $thing.value == value, from: thing}
  output: {root: set, fields: {id: id, name: name, value: value, changed: $changed}}
",
        document: SET,
    },
    Written {
        id: "set.any",
        operation: "WRITE",
        routes: "
graphql:
  operation: Set
  variables: {id: $thing.id, value: value}
  resolve:
    thing: {operation: Find, variables: {name: name}, root: find}
  unchanged: {when: $thing.value == value, from: thing}
  verify: {when: $thing.value == value, from: thing}
  output: {root: set, fields: {id: id, name: name, value: value, changed: $changed}}
rest:
  method: PATCH
  path: /things/{name}
  body: {value: \"{value}\"}
  resolve:
    thing: {path: \"/found/{name}\"}
  unchanged: {when: $thing.value == value, from: thing}
  verify: {when: $thing.value == value, from: thing}
  output: {fields: {id: id, name: name, value: value, changed: $changed}}
",
        document: SET,
    },
    // Like `set`, with a lookup that is remembered.
    Written {
        id: "set.remembering",
        operation: "WRITE",
        routes: "
graphql:
  operation: Set
  variables: {id: $thing.id, value: value}
  resolve:
    thing: {operation: Find, variables: {name: name}, root: find, cache: true}
  unchanged: {when: $thing.value == value, from: thing}
  verify: {when: $thing.value == value, from: thing}
  output: {root: set, fields: {id: id, name: name, value: value, changed: $changed}}
",
        document: SET,
    },
    // Sets a value over REST, and looks nothing up.
    Written {
        id: "set.rest",
        operation: "WRITE",
        routes: "
no_graphql: it is here to be done over REST
rest:
  method: PATCH
  path: /things/{name}
  body: {value: \"{value}\"}
  output: {fields: {id: id, name: name, value: value}}
",
        document: "",
    },
    // Sets a value, unless the thing is locked; `force` does it all the same.
    Written {
        id: "guarded",
        operation: "WRITE",
        routes: "
graphql:
  operation: Set
  variables: {id: $thing.id, value: value}
  resolve:
    thing: {operation: Find, variables: {name: name}, root: find}
  unchanged: {when: $thing.value == value, from: thing}
  refuse:
    override: force
    rules:
      - when: $thing.value == \"locked\"
        because: it is locked
  output: {root: set, fields: {id: id, name: name, value: value, changed: $changed}}
",
        document: SET,
    },
    // Like `remark`, with a lookup that is remembered.
    Written {
        id: "remembering",
        operation: "WRITE",
        routes: "
graphql:
  operation: Remark
  variables: {id: $thing.id, value: value}
  resolve:
    thing: {operation: Find, variables: {name: name}, root: find, cache: true}
  output: {root: remark, fields: {id: id, name: name, value: value}}
",
        document: REMARK,
    },
    // Like `remark`, which also looks up everything in `others`, all at once.
    Written {
        id: "gathering",
        operation: "WRITE",
        routes: "
graphql:
  operation: Remark
  variables: {id: $thing.id, value: value}
  resolve:
    thing: {operation: Find, variables: {name: name}, root: find}
    others: {each: others, operation: Find, variables: {name: $item}, root: find}
  output: {root: remark, fields: {id: id, name: name, value: value}}
",
        document: REMARK,
    },
    // Its lookup is asked again while GitHub is computing the value.
    Written {
        id: "patient",
        operation: "WRITE",
        routes: "
graphql:
  operation: Set
  variables: {id: $thing.id, value: value}
  resolve:
    thing: {operation: Find, variables: {name: name}, root: find, again: value == \"computing\"}
  output: {root: set, fields: {id: id, name: name, value: value}}
",
        document: SET,
    },
];

/// Returns the card of this name.
pub(crate) fn card(id: &str) -> Arc<Card> {
    static KNOWN: OnceLock<Mutex<HashMap<String, Arc<Card>>>> = OnceLock::new();
    let mut known = KNOWN
        .get_or_init(Mutex::default)
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    let read = || {
        let written = CARDS.iter().find(|it| it.id == id);
        Arc::new(load(written.unwrap_or_else(|| panic!("no card `{id}`"))))
    };
    Arc::clone(known.entry(id.to_owned()).or_insert_with(read))
}

/// Returns something with one route of its own.
pub(crate) fn call(route: Route, target: &str, operation: Operation) -> Arc<Card> {
    let call = CallRoute {
        route,
        target: target.to_owned(),
    };
    let id = CapabilityId::given(format!("{route}.{target}"));
    Arc::new(Card::of_call(id, call, operation))
}

fn load(written: &Written) -> Card {
    let Written {
        id,
        operation,
        routes,
        document,
    } = written;
    // What a list says of its rows, other cards do not.
    let rows = match *id {
        "list" => "    first: {type: integer, default: 30}\n",
        _ => "",
    };
    let yaml = format!(
        "
capability_id: things.{id}
version: 1.0.0
description: Something to test with.
operation: {operation}
input_schema:
  type: object
  required: [name]
  additionalProperties: false
  properties:
    name: {{type: string}}
    value: {{type: string}}
    basis: {{type: string}}
{rows}    others: {{type: array, items: {{type: string}}}}
    force: {{type: boolean}}
output_schema:
  type: object
  required: [id]
  additionalProperties: false
  properties:
    id: {{type: string}}
    name: {{type: string}}
    value: {{type: string}}
    remarks: {{type: array, items: {{type: string}}}}
    changed: {{type: boolean}}
{routes}"
    );
    let source = Source::new("card.yaml", yaml);
    let loaded = load_text(&source, |_| Ok(Source::new("card.graphql", *document)));
    loaded.unwrap_or_else(|problems| {
        let problems: Vec<_> = problems.iter().map(|it| &it.message).collect();
        panic!("{id}: {problems:?}")
    })
}
