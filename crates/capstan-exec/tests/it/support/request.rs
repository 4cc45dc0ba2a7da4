//! What a request asks the fake GitHub for, read from the request as it would travel.

use capstan_core::{CliRequest, RestRequest, RouteRequest};
use serde_json::{Map, Value};

use super::document::{Field, root_fields};

/// One thing that a request asks for.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    /// As the log calls it.
    pub(crate) label: String,
    pub(crate) action: Action,
    /// For GraphQL: the field that asks for it.
    pub(crate) field: Option<Field>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    Read(String),
    Rows(String),
    Write(String),
    Set { thing: String, value: String },
    Remark { thing: String, value: String },
    Call,
}

/// Ids are names with this in front.
const ID: &str = "id-";

pub(crate) fn id_of(name: &str) -> String {
    format!("{ID}{name}")
}

pub(crate) fn items(request: &RouteRequest) -> Vec<Item> {
    match request {
        RouteRequest::Graphql(request) => {
            let fields = root_fields(&request.document, &request.variables);
            fields.into_iter().map(of_field).collect()
        }
        RouteRequest::Rest(request) => vec![of_rest(request)],
        RouteRequest::Cli(request) => vec![of_cli(request)],
        RouteRequest::Mcp(call) => {
            let server = call.target.split('.').next().unwrap();
            vec![of_call(format!("{server}.{}", text(&call.input, "name")))]
        }
        RouteRequest::Code(call) | RouteRequest::Skill(call) | RouteRequest::Local(call) => {
            vec![of_call(text(&call.input, "name"))]
        }
    }
}

fn of_field(field: Field) -> Item {
    let given = |name: &str| text(&field.arguments, name);
    let thing = || given("id").trim_start_matches(ID).to_owned();
    let (label, action) = match field.name.as_str() {
        "thing" => (given("name"), Action::Read(given("name"))),
        "find" => (format!("?{}", given("name")), Action::Read(given("name"))),
        "rows" => (given("name"), Action::Rows(given("name"))),
        "write" => (given("name"), Action::Write(given("name"))),
        "set" => set(thing(), given("value")),
        "remark" => {
            let (thing, value) = (thing(), given("value"));
            (format!("{thing}+{value}"), Action::Remark { thing, value })
        }
        other => panic!("there is no field `{other}`"),
    };
    Item {
        label,
        action,
        field: Some(field),
    }
}

fn of_rest(request: &RestRequest) -> Item {
    let body = request.body.as_ref().and_then(Value::as_object);
    of_path(request.method.as_str(), &request.path, body)
}

fn of_cli(request: &CliRequest) -> Item {
    let args: Vec<_> = request.args.iter().map(String::as_str).collect();
    match args.as_slice() {
        ["thing", "view", name, ..] => Item {
            label: (*name).to_owned(),
            action: Action::Read((*name).to_owned()),
            field: None,
        },
        ["api", "--include", "--method", method, path, ..] => {
            let body = request.stdin.as_deref().map(serde_json::from_str);
            let body: Option<Map<String, Value>> = body.map(Result::unwrap);
            of_path(method, &format!("/{path}"), body.as_ref())
        }
        other => panic!("gh does not know {other:?}"),
    }
}

fn of_path(method: &str, path: &str, body: Option<&Map<String, Value>>) -> Item {
    let segments: Vec<_> = path.split('/').skip(1).collect();
    let (label, action) = match (method, segments.as_slice()) {
        ("GET", ["things", name]) | ("POST", ["things", name, "read"]) => {
            ((*name).to_owned(), Action::Read((*name).to_owned()))
        }
        ("GET", ["found", name]) => (format!("?{name}"), Action::Read((*name).to_owned())),
        ("POST", ["things", name]) => ((*name).to_owned(), Action::Write((*name).to_owned())),
        ("PATCH", ["things", name]) => set((*name).to_owned(), text(body.unwrap(), "value")),
        _ => panic!("there is no {method} {path}"),
    };
    Item {
        label,
        action,
        field: None,
    }
}

fn of_call(label: String) -> Item {
    Item {
        label,
        action: Action::Call,
        field: None,
    }
}

fn set(thing: String, value: String) -> (String, Action) {
    (format!("{thing}={value}"), Action::Set { thing, value })
}

fn text(fields: &Map<String, Value>, name: &str) -> String {
    fields
        .get(name)
        .and_then(Value::as_str)
        .unwrap_or_default()
        .to_owned()
}
