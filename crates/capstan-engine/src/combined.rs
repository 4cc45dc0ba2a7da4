//! Cards that combine others: one step of the caller becomes several, which leave with all other steps in as few
//! requests, and their results become one again.

use std::ops::Range;

use serde_json::{Map, Value, json};

use capstan_catalog::Catalog;
use capstan_core::card::{Card, CombinedStep};
use capstan_core::expr::Scope;
use capstan_core::{
    ChainRequest, ChainStep, ErrorCode, Options, ResultEnvelope, ResultError, TaskRequest,
};

use crate::capability::Behind;
use crate::chain::reference;
use crate::policy::Policy;
use crate::schemas::Schemas;
use crate::{input, outcome};

/// A chain whose combined steps are written out.
pub(crate) struct Expanded {
    pub(crate) request: ChainRequest,
    /// By step of the caller: its steps in the request.
    groups: Vec<Range<usize>>,
    /// By step: what its result says of it, beside what it found.
    says: Vec<Option<String>>,
}

/// What decides whether a step can be written out.
pub(crate) struct Rules<'a> {
    pub(crate) catalog: &'a Catalog,
    pub(crate) schemas: &'a Schemas,
    pub(crate) policy: &'a Policy,
}

/// Writes out the combined steps of a chain; nothing if it has none. A step that is refused or whose input is not
/// valid stays as it is: what is wrong with it is said where all steps are checked.
pub(crate) fn expand(request: &ChainRequest, rules: &Rules<'_>) -> Option<Expanded> {
    let parts: Vec<Option<Vec<Part>>> = request
        .steps
        .iter()
        .map(|step| parts_of(step, request.verbatim, rules))
        .collect();
    if parts.iter().all(Option::is_none) {
        return None;
    }
    let mut steps = Vec::new();
    let mut says = Vec::new();
    let mut groups: Vec<Range<usize>> = Vec::new();
    let mut places = Vec::new();
    let mut sent_once = Vec::new();
    for (index, (step, parts)) in request.steps.iter().zip(parts).enumerate() {
        let start = steps.len();
        for part in parts.unwrap_or_else(|| vec![(step.clone(), None)]) {
            steps.push(part.0);
            says.push(part.1);
        }
        let group = start..steps.len();
        places.extend(group.clone().map(|_| request.place(index)));
        if request.sent_once.contains(&index) {
            sent_once.extend(group.clone());
        }
        groups.push(group);
    }
    if !request.verbatim {
        // What refers to a combined step reads what its last part gave.
        let last_part = |step: usize| groups.get(step).map_or(step, |group| group.end - 1);
        for step in &mut steps {
            let input = std::mem::take(&mut step.request.input);
            let input = reference::renumbered(Value::Object(input), &last_part);
            step.request.input = input.as_object().cloned().unwrap_or_default();
        }
    }
    let request = ChainRequest {
        steps,
        places,
        sent_once,
        ..request.clone()
    };
    Some(Expanded {
        request,
        groups,
        says,
    })
}

impl Expanded {
    /// The results by step of the caller.
    pub(crate) fn merge(self, envelopes: Vec<ResultEnvelope>) -> Vec<ResultEnvelope> {
        let mut envelopes = envelopes.into_iter();
        self.groups
            .into_iter()
            .map(|group| {
                let tasks = self.request.steps[group.clone()]
                    .iter()
                    .map(|step| step.request.capability.as_str());
                let mut parts: Vec<_> = tasks.zip(envelopes.by_ref().take(group.len())).collect();
                for ((_, envelope), says) in parts.iter_mut().zip(&self.says[group]) {
                    let data = envelope.data.as_mut().and_then(Value::as_object_mut);
                    if let (Some(data), Some(says)) = (data, says) {
                        data.insert(says.clone(), true.into());
                    }
                }
                merged(parts)
            })
            .collect()
    }
}

/// Says what to give to a combined card that was given nothing to do.
pub(crate) fn nothing_to_do(card: &Card) -> ResultError {
    let required = card.input_schema.get("required").and_then(Value::as_array);
    let is_required = |name: &str| {
        let mut required = required.into_iter().flatten();
        required.any(|it| it.as_str() == Some(name))
    };
    let properties = card
        .input_schema
        .get("properties")
        .and_then(Value::as_object);
    let names = properties.into_iter().flat_map(Map::keys);
    let names: Vec<_> = names
        .filter(|name| !is_required(name))
        .map(|name| format!("`{name}`"))
        .collect();
    let message = format!(
        "bad input for {}: nothing is to be done; give at least one of {}",
        card.id,
        names.join(", ")
    );
    ResultError::new(ErrorCode::Validation, message)
}

/// A step, and the field of its result that says that it was run.
type Part = (ChainStep, Option<String>);

/// The steps that a step is written out as; nothing if it stays one step.
fn parts_of(step: &ChainStep, verbatim: bool, rules: &Rules<'_>) -> Option<Vec<Part>> {
    let request = &step.request;
    if !rules.catalog.contains(&request.capability) {
        return None;
    }
    let card = rules.catalog.get(&request.capability).ok()?;
    if card.combine.is_empty() || rules.policy.check(&card, &Behind::Nothing).is_err() {
        return None;
    }
    let input = input::with_defaults(&card, Value::Object(request.input.clone()));
    let open = if verbatim {
        Vec::new()
    } else {
        reference::places(&input)
    };
    let open: Vec<_> = open.iter().map(String::as_str).collect();
    let schemas = rules.schemas.of(&card).ok()?;
    schemas.check_input(&card, &input, &open).ok()?;
    let variables = Map::from_iter([("input".to_owned(), input.clone())]);
    let scope = Scope::new(&input, &variables);
    let is_due = |part: &&CombinedStep| part.when.as_ref().is_none_or(|it| it.holds(&scope));
    let due: Vec<_> = card.combine.iter().filter(is_due).collect();
    let is_itself = |part: &&CombinedStep| part.task == card.id;
    if due.is_empty() || due.iter().all(is_itself) {
        return None;
    }
    let last = due.len() - 1;
    let written = due.iter().enumerate().map(|(index, part)| {
        let task = if is_itself(part) {
            request.clone()
        } else {
            TaskRequest {
                capability: part.task.to_string(),
                input: part_input(
                    &*rules.catalog.get(part.task.as_str()).ok()?,
                    part,
                    &input,
                    &scope,
                ),
                options: Options {
                    fields: None,
                    ..request.options.clone()
                },
                intent: None,
            }
        };
        let step = ChainStep {
            name: step.name.clone().filter(|_| index == last),
            request: task,
            ..ChainStep::default()
        };
        Some((step, part.says.clone()))
    });
    written.collect()
}

/// The input of one part: what its own expressions say, and every other input of the same name.
fn part_input(
    card: &Card,
    part: &CombinedStep,
    given: &Value,
    scope: &Scope<'_>,
) -> Map<String, Value> {
    let properties = card
        .input_schema
        .get("properties")
        .and_then(Value::as_object);
    let names = properties.into_iter().flat_map(Map::keys);
    let value = |name: &String| match part.input.get(name) {
        Some(expr) => expr.eval(scope),
        None => given.get(name).cloned(),
    };
    names
        .filter_map(|name| Some((name.clone(), value(name)?)))
        .collect()
}

fn merged(mut parts: Vec<(&str, ResultEnvelope)>) -> ResultEnvelope {
    if parts.len() == 1 {
        return parts.remove(0).1;
    }
    let warnings: Vec<_> = parts
        .iter()
        .flat_map(|(_, it)| it.meta.warnings.clone())
        .collect();
    let meta = parts.last().map(|(_, last)| last.meta.clone());
    let mut meta = meta.unwrap_or_default();
    meta.warnings = warnings;
    let failed = parts.iter().position(|(_, it)| !it.ok);
    let Some(failed) = failed else {
        return ResultEnvelope::success(joined(&parts), meta);
    };
    let (task, envelope) = &parts[failed];
    let error = envelope.error.clone();
    let mut error = error.unwrap_or_else(|| ResultError::new(ErrorCode::Unknown, "it failed"));
    let done: Vec<_> = parts
        .iter()
        .filter(|(_, it)| it.ok)
        .map(|(task, _)| *task)
        .collect();
    error.message = format!("{task}: {}", error.message);
    if !done.is_empty() {
        error.message = format!("{}; done: {}", error.message, done.join(", "));
        error.details.insert("done".to_owned(), json!(done));
    }
    let all: Vec<_> = parts.iter().map(|(_, envelope)| envelope).collect();
    outcome::tell_joint_outcome(&mut error, &all);
    ResultEnvelope::failure(error, meta)
}

/// The fields of all parts, the last by each name; it is a change if any part is one.
fn joined(parts: &[(&str, ResultEnvelope)]) -> Value {
    let mut fields = Map::new();
    let mut changes = Vec::new();
    for (_, envelope) in parts {
        let data = envelope.data.as_ref().and_then(Value::as_object);
        for (name, value) in data.into_iter().flatten() {
            if name == "changed" {
                changes.push(value.as_bool().unwrap_or(true));
            }
            fields.insert(name.clone(), value.clone());
        }
    }
    if !changes.is_empty() {
        let changed = changes.contains(&true) || changes.len() < parts.len();
        fields.insert("changed".to_owned(), changed.into());
    }
    Value::Object(fields)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failed(outcome: &str) -> ResultEnvelope {
        let error = ResultError::new(ErrorCode::NotFound, "not there");
        ResultEnvelope::failure(error.with_detail("outcome", outcome), Default::default())
    }

    fn done() -> ResultEnvelope {
        ResultEnvelope::success(json!({}), Default::default())
    }

    /// Whoever repeats a write looks at this: the doubt about one part is a doubt about all of them.
    #[test]
    fn the_outcome_is_that_of_all_parts() {
        for (parts, outcome) in [
            (vec![failed("not_applied"), failed("unknown")], "unknown"),
            (vec![failed("unknown"), done()], "unknown"),
            (vec![failed("not_applied"), done()], "partial"),
            (vec![failed("not_applied"), failed("partial")], "unknown"),
            (vec![failed("applied"), failed("not_applied")], "partial"),
            (
                vec![failed("not_applied"), failed("not_applied")],
                "not_applied",
            ),
        ] {
            let error = merged(parts.into_iter().map(|it| ("a.b", it)).collect())
                .error
                .unwrap();
            assert_eq!(error.details["outcome"], outcome);
            assert!(!error.retryable);
        }
    }
}
