//! A server that behaves as a description of a REST API says: it knows the paths, the parameters and the fields of
//! forms, refuses others, and answers with values that fit.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use super::example::{example, resolved};
use super::http::{Received, Reply, Server};

/// How many rows every list has.
const ROWS: usize = 5;
/// The id of which nothing is there.
pub(super) const MISSING: &str = "missing";

/// What the next answer is instead of the usual one.
#[derive(Clone, Copy, Debug)]
pub(super) enum Fault {
    RateLimit,
    BadJson,
    Broken,
}

pub(super) struct RestServer {
    pub(super) server: Server,
    faults: Arc<Mutex<Vec<Fault>>>,
}

impl RestServer {
    /// Starts a server that takes this token.
    pub(super) fn start(description: Value, token: &'static str) -> Self {
        let faults = Arc::new(Mutex::new(Vec::new()));
        let next = Arc::clone(&faults);
        let server = Server::start(move |request| {
            let fault: Option<Fault> = next.lock().unwrap().pop();
            match fault {
                Some(Fault::RateLimit) => Reply {
                    headers: vec![("retry-after", "1".to_owned())],
                    ..refusal(429, "rate_limit", "slow down")
                },
                Some(Fault::BadJson) => Reply {
                    status: 200,
                    headers: vec![("content-type", "application/json".to_owned())],
                    body: "{\"id\": ".to_owned(),
                },
                Some(Fault::Broken) => refusal(500, "api_error", "out of order"),
                None => answer(&description, request, token),
            }
        });
        Self { server, faults }
    }

    /// Answers the next requests in this way.
    pub(super) fn fail(&self, faults: &[Fault]) {
        *self.faults.lock().unwrap() = faults.iter().rev().copied().collect();
    }
}

fn refusal(status: u16, code: &str, message: &str) -> Reply {
    Reply::json(
        status,
        &json!({"error": {"code": code, "message": message, "type": "test"}}),
    )
}

fn answer(description: &Value, request: &Received, token: &str) -> Reply {
    if request.header("authorization") != Some(&format!("Bearer {token}")) {
        return refusal(401, "unauthorized", "Invalid API Key provided");
    }
    let Some((operation, values)) = operation(description, request) else {
        return refusal(404, "no_route", "Unrecognized request URL");
    };
    if values.iter().any(|value| value == MISSING) {
        return refusal(404, "resource_missing", "No such object: 'missing'");
    }
    if let Some(unknown) = unknown_name(description, operation, request) {
        return refusal(
            400,
            "parameter_unknown",
            &format!("Received unknown parameter: {unknown}"),
        );
    }
    let answers = operation["responses"]["200"].clone();
    let schema = &answers["content"]["application/json"]["schema"];
    let mut body = example(description, schema);
    let row = resolved(description, schema)["properties"]["data"]["items"].clone();
    if !row.is_null() {
        (body["data"], body["has_more"]) = page(description, &row, request);
    }
    Reply::json(200, &body)
}

/// Returns the operation of a request, and the values in its path.
fn operation<'a>(description: &'a Value, request: &Received) -> Option<(&'a Value, Vec<String>)> {
    let paths = description["paths"].as_object().unwrap();
    paths.iter().find_map(|(template, item)| {
        let wanted: Vec<&str> = template.split('/').collect();
        let given: Vec<&str> = request.path.split('/').collect();
        if wanted.len() != given.len() {
            return None;
        }
        let mut values = Vec::new();
        for (part, value) in wanted.iter().zip(&given) {
            if part.starts_with('{') {
                values.push((*value).to_owned());
            } else if part != value {
                return None;
            }
        }
        let operation = item.get(request.method.to_ascii_lowercase())?;
        Some((operation, values))
    })
}

/// Returns a parameter or a field of the form that the description does not have.
fn unknown_name(description: &Value, operation: &Value, request: &Received) -> Option<String> {
    let base = |name: &String| name.split('[').next().unwrap_or_default().to_owned();
    let parameters = operation["parameters"].as_array();
    let is_parameter = |name: &String| {
        let mut parameters = parameters.into_iter().flatten();
        parameters.any(|it| it["in"] == "query" && it["name"] == name.as_str())
    };
    let content = &operation["requestBody"]["content"]["application/x-www-form-urlencoded"];
    let fields = &resolved(description, &content["schema"])["properties"];
    let mut query = request.query.iter().map(|(name, _)| base(name));
    let mut form = request.form().into_iter().map(|(name, _)| base(&name));
    let unknown = query.find(|name| !is_parameter(name));
    unknown.or_else(|| form.find(|name| fields.get(name).is_none()))
}

/// Returns the rows after the last one that the caller has, and whether there are more.
fn page(description: &Value, row: &Value, request: &Received) -> (Value, Value) {
    let parameter = |name: &str| {
        let mut query = request.query.iter();
        let found = query.find(|(known, _)| known == name);
        found.map(|(_, value)| value.clone())
    };
    let size: usize = parameter("limit").map_or(ROWS, |limit| limit.parse().unwrap());
    let after = parameter("starting_after").map_or(0, |id| {
        let number = id.trim_start_matches("row_");
        number.parse().unwrap()
    });
    let numbers: Vec<usize> = (after + 1..=ROWS).take(size).collect();
    let has_more = numbers.last().is_some_and(|last| *last < ROWS);
    let rows = numbers.iter().map(|number| {
        let mut row = example(description, row);
        row["id"] = json!(format!("row_{number}"));
        row
    });
    (rows.collect(), json!(has_more))
}
