//! `execute`: runs lines, code, one capability or a chain, and returns the envelope. This file parses the call;
//! `server` runs it.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use capstan_core::{ChainRequest, ChainStep, CodeRequest, Options, ResultError, TaskRequest};
use capstan_engine::Acceptance;
use capstan_lines::split;
use capstan_wire::{
    ARGS, CAPABILITY, Chain, Fields, GivenOptions, INPUT, Problem, STEPS, read_chain,
};

use crate::mcp::arguments::{ToolArguments, argument_error};

pub(in crate::mcp) const NAME: &str = "execute";
pub(in crate::mcp) const DESCRIPTION: &str = "Run lines, or TypeScript in code: \
    return (await capstan.issue.list({label:\"bug\"})).issues";

/// The argument that accepts a suggestion. The schema leaves it out, because the response to an intent explains it.
const ACCEPT: &str = "accept";

/// Returns the input schema for agents. Programs may also send `capability` and `input`, or `steps`, and `options`.
pub(in crate::mcp) fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "lines": {"type": "array", "items": {"type": "string"}},
            "code": {"type": "string"}
        }
    })
}

/// A parsed call: each call does exactly one of these things.
#[derive(Debug)]
pub(in crate::mcp) enum ExecuteCall {
    Task(TaskRequest),
    Chain(Chain),
    Lines(LinesCall),
    Code(CodeRequest),
    /// Suggests what to run for an intent. The map is the input that the intent does not contain.
    Suggest(String, Map<String, Value>),
    /// Runs what is suggested for an intent.
    Accept(AcceptCall),
}

/// Lines in the style of `gh`, and the options for all of them.
#[derive(Debug)]
pub(in crate::mcp) struct LinesCall {
    pub(in crate::mcp) lines: Vec<String>,
    pub(in crate::mcp) options: Options,
}

impl LinesCall {
    /// Adds the options of the call to a step. The step's own route takes precedence.
    pub(in crate::mcp) fn apply_options(&self, mut step: ChainStep) -> ChainStep {
        let Options {
            route,
            trace,
            full,
            format,
            ..
        } = &self.options;
        let step_options = &mut step.request.options;
        step_options.route = step_options.route.or(*route);
        step_options.trace |= trace;
        step_options.full |= full;
        step_options.format = *format;
        step
    }
}

/// A call that runs what is suggested for an intent.
#[derive(Debug)]
pub(in crate::mcp) struct AcceptCall {
    pub(in crate::mcp) intent: String,
    /// The input that the intent does not contain.
    pub(in crate::mcp) input: Map<String, Value>,
    pub(in crate::mcp) acceptance: Acceptance,
    pub(in crate::mcp) options: Options,
}

/// The argument `accept` as agents write it: a bool, or the `accept` text of a plan.
#[derive(Deserialize)]
#[serde(untagged)]
enum AcceptArgument {
    Bool(bool),
    Plan(String),
}

fn take_acceptance(fields: &mut Fields) -> Result<Option<Acceptance>, Problem> {
    let expected = "true, or the `accept` of a plan";
    let argument = fields.take_as::<AcceptArgument>(ACCEPT, expected)?;
    Ok(argument.and_then(|argument| match argument {
        AcceptArgument::Bool(is_accepted) => is_accepted.then_some(Acceptance::ReadOnly),
        AcceptArgument::Plan(code) => Some(Acceptance::Plan(code)),
    }))
}

/// A call that cannot be run.
#[derive(Debug)]
pub(in crate::mcp) struct RejectedCall {
    /// The capability that the call names; empty if it names none.
    pub(in crate::mcp) capability: String,
    pub(in crate::mcp) error: ResultError,
}

/// Parses the arguments of a call.
pub(in crate::mcp) fn parse(given: Map<String, Value>) -> Result<ExecuteCall, RejectedCall> {
    if given.get(LINES).is_some_and(|lines| !lines.is_null()) {
        let call = parse_lines(ToolArguments::new(NAME, given));
        return call.map(ExecuteCall::Lines).map_err(|error| RejectedCall {
            capability: String::new(),
            error,
        });
    }
    if is_chain(&given) {
        return match read_chain(given) {
            Ok(chain) => Ok(ExecuteCall::Chain(chain)),
            Err(problem) => Err(reject_chain(problem)),
        };
    }
    let mut arguments = ToolArguments::new(NAME, given);
    let capability = arguments.take_name(&CAPABILITY);
    let named = match &capability {
        Ok(Some(id)) => id.clone(),
        _ => String::new(),
    };
    let call = capability.and_then(|capability| parse_rest(arguments, capability));
    call.map_err(|error| RejectedCall {
        capability: named,
        error,
    })
}

const LINES: &str = "lines";

/// Parses lines that are given as a list, or as one text with one line each.
fn parse_lines(mut arguments: ToolArguments) -> Result<LinesCall, ResultError> {
    for other in ["code", STEPS[0], STEPS[1], CAPABILITY[0]] {
        if arguments.has(other) {
            let problem = "cannot be sent together with `lines`: a call does exactly one thing";
            return Err(arguments.problem(other, problem));
        }
    }
    let given = arguments.take_with(|fields| fields.take_as::<Value>(LINES, "a list of lines"))?;
    let problem = "must be a list of lines, such as [\"issue.view 47\"]";
    let lines = match given {
        Some(Value::String(text)) => match serde_json::from_str::<Vec<String>>(&text) {
            Ok(lines) => lines,
            Err(_) => split(&text).map_err(|it| arguments.problem(LINES, &it.to_string()))?,
        },
        Some(Value::Array(items)) => {
            let texts = items.into_iter().map(|item| match item {
                Value::String(line) => Some(line),
                _ => None,
            });
            let lines: Option<Vec<_>> = texts.collect();
            lines.ok_or_else(|| arguments.problem(LINES, problem))?
        }
        _ => return Err(arguments.problem(LINES, problem)),
    };
    if lines.is_empty() {
        return Err(arguments.problem(LINES, problem));
    }
    if lines.len() > ChainRequest::MOST_STEPS {
        return Err(ChainRequest::too_many(lines.len()));
    }
    let options = arguments.take_with(GivenOptions::take)?;
    // An intent is allowed beside lines, but it is not used.
    let _ = arguments.take_intent()?;
    arguments.finish(&[LINES, "options"], "; flags go into the lines")?;
    Ok(LinesCall {
        lines,
        options: options.into(),
    })
}

/// Returns whether the call has steps, and neither a capability nor code.
fn is_chain(given: &Map<String, Value>) -> bool {
    let has = |names: &[&str]| {
        let mut values = names.iter().filter_map(|name| given.get(*name));
        values.any(|value| !value.is_null())
    };
    has(&STEPS) && !has(&CAPABILITY) && !has(&["code"])
}

/// Rejects a chain, with a call that helps to correct it.
fn reject_chain(problem: Problem) -> RejectedCall {
    let call = match &problem.task {
        Some(task) => json!({"tool": "explain", "arguments": {"capability": task}}),
        None => json!({"tool": "search", "arguments": {}}),
    };
    RejectedCall {
        error: with_mend(argument_error(NAME, &problem), &call),
        capability: problem.task.unwrap_or_default(),
    }
}

/// Parses a call with a capability, code or an intent.
fn parse_rest(
    mut arguments: ToolArguments,
    capability: Option<String>,
) -> Result<ExecuteCall, ResultError> {
    check_single_mode(&arguments, capability.is_some())?;
    let intent = arguments.take_intent()?;
    let accept = arguments.take_with(take_acceptance)?;
    let is_intent_alone = capability.is_none() && intent.is_some() && !arguments.has("code");
    if accept.is_some() && !is_intent_alone {
        let problem = "can only be sent with `intent`: it runs what is suggested for that intent";
        return Err(arguments.problem(ACCEPT, problem));
    }
    match (capability, intent) {
        (Some(capability), intent) => {
            parse_task(arguments, capability, intent).map(ExecuteCall::Task)
        }
        (None, intent) if arguments.has("code") => {
            parse_code(arguments, intent).map(ExecuteCall::Code)
        }
        (None, Some(intent)) => {
            let input = arguments.take_object(&INPUT)?.unwrap_or_default();
            let options = arguments.take_with(GivenOptions::take)?.into();
            let hint = "; `code` or `capability` says what to run";
            arguments.finish(&["intent", ACCEPT, "input", "options"], hint)?;
            Ok(match accept {
                Some(acceptance) => ExecuteCall::Accept(AcceptCall {
                    intent,
                    input,
                    acceptance,
                    options,
                }),
                None => ExecuteCall::Suggest(intent, input),
            })
        }
        (None, None) => Err(arguments
            .missing(CAPABILITY[0], "the id of a capability, such as issue.view")
            .with_detail("mend", json!({"tool": "search", "arguments": {}}))),
    }
}

fn parse_task(
    mut arguments: ToolArguments,
    capability: String,
    intent: Option<String>,
) -> Result<TaskRequest, ResultError> {
    let explain = json!({"tool": "explain", "arguments": {"capability": &capability}});
    let mut take_rest = || {
        let input = arguments.take_object(&INPUT)?.unwrap_or_default();
        let options = arguments.take_with(GivenOptions::take)?;
        Ok((input, options))
    };
    let (input, options) = take_rest().map_err(|error: ResultError| with_mend(error, &explain))?;
    arguments
        .finish(
            &["capability", "input", "options"],
            "; what the capability itself takes goes into `input`",
        )
        .map_err(|error| with_mend(error, &explain))?;
    Ok(TaskRequest {
        capability,
        input,
        options: options.into(),
        intent,
    })
}

fn parse_code(
    mut arguments: ToolArguments,
    intent: Option<String>,
) -> Result<CodeRequest, ResultError> {
    let code = arguments.take_text(&["code"])?.unwrap_or_default();
    let args = arguments.take_object(&ARGS)?.unwrap_or_default();
    let options = arguments.take_with(GivenOptions::take)?;
    let intent = intent.unwrap_or_else(|| DEFAULT_INTENT.to_owned());
    arguments.finish(&["intent", "code", "args", "options"], "")?;
    Ok(CodeRequest {
        intent,
        code,
        args,
        options: options.into(),
    })
}

/// The intent of code that comes without one.
const DEFAULT_INTENT: &str = "code without a stated purpose";

/// Adds the tool call that helps to correct the error.
fn with_mend(error: ResultError, call: &Value) -> ResultError {
    error.with_detail("mend", call.clone())
}

/// Checks that the call asks for exactly one thing. Anything further is an error and not ignored.
fn check_single_mode(arguments: &ToolArguments, has_capability: bool) -> Result<(), ResultError> {
    let modes = ["code", STEPS[0], STEPS[1]];
    let given: Vec<_> = modes
        .into_iter()
        .filter(|name| arguments.has(name))
        .collect();
    match (given.as_slice(), has_capability) {
        ([name, ..], true) => Err(arguments.problem(
            name,
            "cannot be sent together with `capability`: a call does exactly one thing",
        )),
        ([name, other, ..], false) => {
            let problem =
                format!("cannot be sent together with `{other}`: a call does exactly one thing");
            Err(arguments.problem(name, &problem))
        }
        _ => Ok(()),
    }
}
