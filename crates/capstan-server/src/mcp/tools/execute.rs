//! `execute`: runs one capability, or a chain of them, and answers with the envelope.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use capstan_core::{ChainRequest, ChainStep, CodeRequest, Options, ResultError, TaskRequest};
use capstan_engine::Acceptance;
use capstan_lines::split;
use capstan_wire::{
    ARGS, CAPABILITY, Chain, Fields, GivenOptions, INPUT, Problem, STEPS, read_chain,
};

use crate::mcp::arguments::{Arguments, refusal};

pub(in crate::mcp) const NAME: &str = "execute";
pub(in crate::mcp) const DESCRIPTION: &str = "Run lines, or TypeScript in code: \
    return (await capstan.issue.list({label:\"bug\"})).issues";

/// Told where it is of use: in the answer to an intent.
const ACCEPT: &str = "accept";

/// What agents are told. Programs also send `capability` and `input`, or `steps`, with the same names, and `options`.
pub(in crate::mcp) fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "lines": {"type": "array", "items": {"type": "string"}},
            "code": {"type": "string"}
        }
    })
}

/// What a call asks for.
#[derive(Debug)]
pub(in crate::mcp) enum Call {
    One(TaskRequest),
    Chain(Chain),
    Lines(GivenLines),
    Code(CodeRequest),
    /// An intent, and what it does not say: what could be run?
    Suggest(String, Map<String, Value>),
    /// The same, and what is suggested for it is to be run.
    Accept(Accepted),
}

/// Lines in `gh`'s words, and what holds for all of them.
#[derive(Debug)]
pub(in crate::mcp) struct GivenLines {
    pub(in crate::mcp) lines: Vec<String>,
    pub(in crate::mcp) options: Options,
}

impl GivenLines {
    /// A step with what the call says for all lines.
    pub(in crate::mcp) fn completed(&self, mut step: ChainStep) -> ChainStep {
        let Options {
            route,
            trace,
            full,
            format,
            ..
        } = &self.options;
        let own = &mut step.request.options;
        own.route = own.route.or(*route);
        own.trace |= trace;
        own.full |= full;
        own.format = *format;
        step
    }
}

/// What is run is left to the intent.
#[derive(Debug)]
pub(in crate::mcp) struct Accepted {
    pub(in crate::mcp) intent: String,
    /// What the intent does not say.
    pub(in crate::mcp) input: Map<String, Value>,
    pub(in crate::mcp) acceptance: Acceptance,
    pub(in crate::mcp) options: Options,
}

/// What agents write for it.
#[derive(Deserialize)]
#[serde(untagged)]
enum GivenAcceptance {
    Whether(bool),
    Plan(String),
}

fn take_acceptance(fields: &mut Fields) -> Result<Option<Acceptance>, Problem> {
    let expected = "true, or the `accept` of a plan";
    let given = fields.take_as::<GivenAcceptance>(ACCEPT, expected)?;
    Ok(given.and_then(|given| match given {
        GivenAcceptance::Whether(yes) => yes.then_some(Acceptance::ReadOnly),
        GivenAcceptance::Plan(code) => Some(Acceptance::Plan(code)),
    }))
}

/// A call that cannot be run, and which capability it was about, if it said so.
#[derive(Debug)]
pub(in crate::mcp) struct Refused {
    pub(in crate::mcp) capability: String,
    pub(in crate::mcp) error: ResultError,
}

pub(in crate::mcp) fn parse(given: Map<String, Value>) -> Result<Call, Refused> {
    if given.get(LINES).is_some_and(|lines| !lines.is_null()) {
        let lines = read_lines(Arguments::new(NAME, given));
        return lines.map(Call::Lines).map_err(|error| Refused {
            capability: String::new(),
            error,
        });
    }
    if is_chain(&given) {
        return match read_chain(given) {
            Ok(chain) => Ok(Call::Chain(chain)),
            Err(problem) => Err(refused_chain(problem)),
        };
    }
    let mut arguments = Arguments::new(NAME, given);
    let capability = arguments.take_name(&CAPABILITY);
    let named = match &capability {
        Ok(Some(id)) => id.clone(),
        _ => String::new(),
    };
    let call = capability.and_then(|capability| read(arguments, capability));
    call.map_err(|error| Refused {
        capability: named,
        error,
    })
}

const LINES: &str = "lines";

/// Lines as a list, or as one text with a line each.
fn read_lines(mut arguments: Arguments) -> Result<GivenLines, ResultError> {
    for other in ["code", STEPS[0], STEPS[1], CAPABILITY[0]] {
        if arguments.has(other) {
            let problem = "cannot be sent together with `lines`: a call does exactly one thing";
            return Err(arguments.refuse(other, problem));
        }
    }
    let given = arguments.read(|fields| fields.take_as::<Value>(LINES, "a list of lines"))?;
    let expected = "is no list of lines, such as [\"issue.view 47\"]";
    let lines = match given {
        Some(Value::String(text)) => match serde_json::from_str::<Vec<String>>(&text) {
            Ok(lines) => lines,
            Err(_) => split(&text).map_err(|it| arguments.refuse(LINES, &it.to_string()))?,
        },
        Some(Value::Array(items)) => {
            let lines = items.into_iter().map(|item| match item {
                Value::String(line) => Some(line),
                _ => None,
            });
            let lines: Option<Vec<_>> = lines.collect();
            lines.ok_or_else(|| arguments.refuse(LINES, expected))?
        }
        _ => return Err(arguments.refuse(LINES, expected)),
    };
    if lines.is_empty() {
        return Err(arguments.refuse(LINES, expected));
    }
    if lines.len() > ChainRequest::MOST_STEPS {
        return Err(ChainRequest::too_many(lines.len()));
    }
    let options = arguments.read(GivenOptions::take)?;
    // What they are for is not needed.
    let _ = arguments.take_intent()?;
    arguments.finish(&[LINES, "options"], "; flags go into the lines")?;
    Ok(GivenLines {
        lines,
        options: options.into(),
    })
}

/// Steps, and nothing beside them that would be another way to say what to run.
fn is_chain(given: &Map<String, Value>) -> bool {
    let has = |names: &[&str]| {
        let mut given = names.iter().filter_map(|name| given.get(*name));
        given.any(|value| !value.is_null())
    };
    has(&STEPS) && !has(&CAPABILITY) && !has(&["code"])
}

fn refused_chain(problem: Problem) -> Refused {
    let call = match &problem.task {
        Some(task) => json!({"tool": "explain", "arguments": {"capability": task}}),
        None => json!({"tool": "search", "arguments": {}}),
    };
    Refused {
        error: mend(refusal(NAME, &problem), &call),
        capability: problem.task.unwrap_or_default(),
    }
}

fn read(mut arguments: Arguments, capability: Option<String>) -> Result<Call, ResultError> {
    check_mode(&arguments, capability.is_some())?;
    let intent = arguments.take_intent()?;
    let accept = arguments.read(take_acceptance)?;
    let is_alone = capability.is_none() && intent.is_some() && !arguments.has("code");
    if accept.is_some() && !is_alone {
        let problem = "goes with `intent` alone: it runs what is suggested for it";
        return Err(arguments.refuse(ACCEPT, problem));
    }
    match (capability, intent) {
        (Some(capability), intent) => read_task(arguments, capability, intent).map(Call::One),
        (None, intent) if arguments.has("code") => read_code(arguments, intent).map(Call::Code),
        (None, Some(intent)) => {
            let input = arguments.take_object(&INPUT)?.unwrap_or_default();
            let options = arguments.read(GivenOptions::take)?.into();
            let hint = "; `code` or `capability` says what to run";
            arguments.finish(&["intent", ACCEPT, "input", "options"], hint)?;
            Ok(match accept {
                Some(acceptance) => Call::Accept(Accepted {
                    intent,
                    input,
                    acceptance,
                    options,
                }),
                None => Call::Suggest(intent, input),
            })
        }
        (None, None) => Err(arguments
            .missing(CAPABILITY[0], "the id of a capability, such as issue.view")
            .with_detail("mend", json!({"tool": "search", "arguments": {}}))),
    }
}

fn read_task(
    mut arguments: Arguments,
    capability: String,
    intent: Option<String>,
) -> Result<TaskRequest, ResultError> {
    let explain = json!({"tool": "explain", "arguments": {"capability": &capability}});
    let mut rest = || {
        let input = arguments.take_object(&INPUT)?.unwrap_or_default();
        let options = arguments.read(GivenOptions::take)?;
        Ok((input, options))
    };
    let (input, options) = rest().map_err(|error: ResultError| mend(error, &explain))?;
    arguments
        .finish(
            &["capability", "input", "options"],
            "; what the capability itself takes goes into `input`",
        )
        .map_err(|error| mend(error, &explain))?;
    Ok(TaskRequest {
        capability,
        input,
        options: options.into(),
        intent,
    })
}

fn read_code(mut arguments: Arguments, intent: Option<String>) -> Result<CodeRequest, ResultError> {
    let code = arguments.take_text(&["code"])?.unwrap_or_default();
    let args = arguments.take_object(&ARGS)?.unwrap_or_default();
    let options = arguments.read(GivenOptions::take)?;
    let intent = intent.unwrap_or_else(|| UNNAMED.to_owned());
    arguments.finish(&["intent", "code", "args", "options"], "")?;
    Ok(CodeRequest {
        intent,
        code,
        args,
        options: options.into(),
    })
}

/// What code is for when nobody says it.
const UNNAMED: &str = "code without a stated purpose";

fn mend(error: ResultError, call: &Value) -> ResultError {
    error.with_detail("mend", call.clone())
}

/// A call does one thing; whatever else is asked for is refused in words, not ignored.
fn check_mode(arguments: &Arguments, has_capability: bool) -> Result<(), ResultError> {
    let ways = ["code", STEPS[0], STEPS[1]];
    let asked: Vec<_> = ways
        .into_iter()
        .filter(|name| arguments.has(name))
        .collect();
    match (asked.as_slice(), has_capability) {
        ([name, ..], true) => Err(arguments.refuse(
            name,
            "cannot be sent together with `capability`: a call does exactly one thing",
        )),
        ([name, other, ..], false) => {
            let problem =
                format!("cannot be sent together with `{other}`: a call does exactly one thing");
            Err(arguments.refuse(name, &problem))
        }
        _ => Ok(()),
    }
}
