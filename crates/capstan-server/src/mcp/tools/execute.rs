//! `execute`: runs one capability and answers with its envelope.

use serde_json::{Map, Value, json};

use capstan_core::{Options, ResultError, TaskRequest};

use crate::mcp::arguments::{Arguments, kind};

pub(in crate::mcp) const NAME: &str = "execute";
pub(in crate::mcp) const DESCRIPTION: &str =
    "Run one GitHub capability. Answers {ok, data|error, meta}.";

/// Names under which the arguments are accepted; only the first is advertised.
const CAPABILITY: [&str; 3] = ["capability", "capability_id", "task"];
const INPUT: [&str; 3] = ["input", "params", "args"];

pub(in crate::mcp) fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "capability": {"type": "string", "description": "id, e.g. issue.view"},
            "input": {"type": "object", "description": "its parameters, e.g. {\"owner\":\"acme\",\"repo\":\"rocket\",\"issue_number\":1}"},
            "options": {
                "type": "object",
                "properties": {
                    "fields": {"type": "array", "items": {"type": "string"}, "description": "keep only these output fields"},
                    "full": {"type": "boolean", "description": "do not cut long texts"},
                    "format": {"enum": ["toon", "json"]},
                    "route": {"enum": ["graphql", "rest", "cli"]},
                    "trace": {"type": "boolean"},
                    "timeout_ms": {"type": "integer"}
                }
            }
        },
        "required": ["capability", "input"]
    })
}

/// A call that cannot be run, and which capability it was about, if it said so.
#[derive(Debug)]
pub(in crate::mcp) struct Refused {
    pub(in crate::mcp) capability: String,
    pub(in crate::mcp) error: ResultError,
}

pub(in crate::mcp) fn parse(given: Map<String, Value>) -> Result<TaskRequest, Refused> {
    let mut arguments = Arguments::new(NAME, given);
    let capability = arguments.take_text(&CAPABILITY);
    let named = match &capability {
        Ok(Some(id)) => id.clone(),
        _ => String::new(),
    };
    capability
        .and_then(|capability| read(arguments, capability))
        .map_err(|error| Refused {
            capability: named,
            error,
        })
}

fn read(mut arguments: Arguments, capability: Option<String>) -> Result<TaskRequest, ResultError> {
    check_mode(&arguments, capability.is_some())?;
    let Some(capability) = capability else {
        return Err(arguments
            .missing(CAPABILITY[0], "the id of a capability, such as issue.view")
            .with_detail("mend", json!({"tool": "search", "arguments": {}})));
    };
    let explain = json!({"tool": "explain", "arguments": {"capability": &capability}});
    let mut rest = || {
        let input = arguments.take_object(&INPUT)?.unwrap_or_default();
        let options = match arguments.take_object(&["options"])? {
            Some(given) => options(&arguments, given)?,
            None => Options::default(),
        };
        // Says what the call is for; learning from it is no part of running it.
        arguments.take_text(&["intent"])?;
        Ok((input, options))
    };
    let (input, options) = rest().map_err(|error: ResultError| mend(error, &explain))?;
    arguments
        .finish(
            "capability, input, options",
            "; what the capability itself takes goes into `input`",
        )
        .map_err(|error| mend(error, &explain))?;
    Ok(TaskRequest {
        capability,
        input,
        options,
    })
}

fn mend(error: ResultError, call: &Value) -> ResultError {
    error.with_detail("mend", call.clone())
}

/// One capability per call; whatever else is asked for is refused in words, not ignored.
fn check_mode(arguments: &Arguments, has_capability: bool) -> Result<(), ResultError> {
    const ONE: &str = "this build runs one capability per call: send `capability` and `input`";
    let other = ["code", "steps", "tasks"]
        .into_iter()
        .find(|name| arguments.has(name));
    match other {
        Some(name) if has_capability => Err(arguments.refuse(
            name,
            "cannot be sent together with `capability`: a call does exactly one thing",
        )),
        Some(name) => Err(arguments.refuse(name, &format!("cannot be run: {ONE}"))),
        None if !has_capability && arguments.has("intent") => {
            let problem =
                format!("alone cannot be run: {ONE}; `search` finds capabilities by intent");
            Err(arguments.refuse("intent", &problem).with_detail(
                "mend",
                json!({"tool": "search", "arguments": {"intent": arguments.peek("intent")}}),
            ))
        }
        None => Ok(()),
    }
}

/// Every option and what it takes.
const OPTIONS: [(&str, &str); 6] = [
    ("route", "graphql, rest or cli"),
    ("trace", "true or false"),
    ("full", "true or false"),
    ("fields", "a list of output fields"),
    ("format", "toon or json"),
    ("timeout_ms", "a whole number of milliseconds"),
];

fn options(arguments: &Arguments, mut given: Map<String, Value>) -> Result<Options, ResultError> {
    given.retain(|_, value| !value.is_null());
    for (name, value) in &given {
        let Some((_, expected)) = OPTIONS.iter().find(|(known, _)| known == name) else {
            let known: Vec<_> = OPTIONS.iter().map(|(known, _)| *known).collect();
            let problem = format!("is not an option: expected {}", known.join(", "));
            return Err(arguments.refuse(&format!("options.{name}"), &problem));
        };
        // One by one, so that the message can name the one that is wrong.
        if serde_json::from_value::<Options>(json!({name: value})).is_err() {
            let got = match value {
                Value::String(text) => format!("`{}`", text.chars().take(80).collect::<String>()),
                other => kind(other).to_owned(),
            };
            let problem = format!("must be {expected}, not {got}");
            return Err(arguments.refuse(&format!("options.{name}"), &problem));
        }
    }
    serde_json::from_value(Value::Object(given))
        .map_err(|error| arguments.refuse("options", &error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_of_the_engine_is_known_and_advertised() {
        let mut engine: Vec<_> = serde_json::to_value(Options::default())
            .unwrap()
            .as_object()
            .unwrap()
            .keys()
            .cloned()
            .collect();
        let mut known: Vec<_> = OPTIONS.iter().map(|(name, _)| (*name).to_owned()).collect();
        let mut advertised: Vec<_> = schema()["properties"]["options"]["properties"]
            .as_object()
            .unwrap()
            .keys()
            .cloned()
            .collect();
        engine.sort();
        known.sort();
        advertised.sort();
        assert_eq!(known, engine);
        assert_eq!(advertised, engine);
    }
}
