//! Reads a chain as callers write it: `{"steps": [{"task", "input", "as", "options"}], "options"}`.

use serde_json::{Map, Value};

use capstan_core::code::LONGEST_INTENT;
use capstan_core::{ChainRequest, ChainStep, Format, TaskRequest};

use crate::fields::unwrapped;
use crate::{Fields, GivenOptions, Problem, kind_in_words};

/// The accepted names of a chain's steps. Here and below, only the first is advertised.
pub const STEPS: [&str; 2] = ["steps", "tasks"];
/// The accepted names of a capability.
pub const CAPABILITY: [&str; 3] = ["capability", "capability_id", "task"];
/// The accepted names of an input.
pub const INPUT: [&str; 3] = ["input", "params", "args"];
/// The same names beside code, where `args` is advertised.
pub const ARGS: [&str; 3] = ["args", "input", "params"];
/// The names of a capability in a step, where `task` is advertised.
const TASK: [&str; 3] = ["task", "capability", "capability_id"];

/// A chain to run, and the format of its result.
#[derive(Clone, Debug, PartialEq)]
pub struct Chain {
    pub request: ChainRequest,
    pub format: Option<Format>,
}

/// Reads a chain. Returns the first mistake with its place.
pub fn read_chain(given: Map<String, Value>) -> Result<Chain, Problem> {
    let mut fields = Fields::new(given);
    let intent = fields.take_short(&["intent"], LONGEST_INTENT)?;
    let steps = fields.take_list(&STEPS)?;
    let options = GivenOptions::take(&mut fields)?;
    fields.finish(
        "a part of a chain",
        &["steps", "options"],
        "; every step has its own `input`",
    )?;
    let Some(steps) = steps else {
        return Err(Problem::new(
            STEPS[0],
            "is missing: expected a list of steps",
        ));
    };
    if steps.is_empty() {
        let problem = "is empty: expected at least one step, such as {\"task\": \"issue.view\", \"input\": {…}}";
        return Err(Problem::new(STEPS[0], problem));
    }
    if steps.len() > ChainRequest::MOST_STEPS {
        let most = ChainRequest::MOST_STEPS;
        let problem = format!(
            "is too long: expected at most {most} steps in one call, not {}",
            steps.len()
        );
        return Err(Problem::new(STEPS[0], problem));
    }
    let steps = steps.into_iter().enumerate();
    let steps: Result<Vec<_>, _> = steps
        .map(|(at, step)| read_step(at, step, &options))
        .collect();
    Ok(Chain {
        request: ChainRequest {
            steps: steps?,
            timeout_ms: options.timeout_ms,
            trace: options.trace.unwrap_or_default(),
            intent,
        },
        format: options.format,
    })
}

fn read_step(at: usize, step: Value, options: &GivenOptions) -> Result<ChainStep, Problem> {
    let step = match unwrapped(step) {
        Ok(Value::Object(step)) => step,
        Err(twice) => {
            let problem = format!("is JSON in a text, in which {twice}");
            return Err(Problem::new("", problem).in_step(at, None));
        }
        Ok(other) => {
            let problem = format!("must be an object, not {}", kind_in_words(&other));
            return Err(Problem::new("", problem).in_step(at, None));
        }
    };
    let mut fields = Fields::new(step);
    let task = match fields.take_name(&TASK) {
        Ok(Some(task)) => task,
        Ok(None) => {
            let missing = fields.missing(TASK[0], "the id of a capability, such as issue.view");
            return Err(missing.in_step(at, None));
        }
        Err(problem) => return Err(problem.in_step(at, None)),
    };
    let read = read_rest(fields, options);
    let mut step = read.map_err(|problem| problem.in_step(at, Some(&task)))?;
    step.request.capability = task;
    Ok(step)
}

/// Reads a step without the name of its capability.
fn read_rest(mut fields: Fields, options: &GivenOptions) -> Result<ChainStep, Problem> {
    let name = fields.take_name(&["as"])?;
    let each = fields.take_name(&["each"])?;
    let when = fields.take_text(&["when"])?;
    let input = fields.take_object(&INPUT)?.unwrap_or_default();
    let own = GivenOptions::take(&mut fields)?;
    for (given, option) in [
        (own.format.is_some(), "options.format"),
        (own.timeout_ms.is_some(), "options.timeout_ms"),
    ] {
        if given {
            let problem = "is for the whole chain: it goes into the `options` beside `steps`";
            return Err(Problem::new(option, problem));
        }
    }
    fields.finish(
        "a part of a step",
        &["task", "input", "as", "each", "when", "options"],
        "; what the capability itself takes goes into `input`",
    )?;
    Ok(ChainStep {
        name,
        request: TaskRequest {
            input,
            options: own.or(options).into(),
            ..TaskRequest::default()
        },
        each,
        when,
    })
}
