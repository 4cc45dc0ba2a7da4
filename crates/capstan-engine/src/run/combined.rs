//! Cards that combine others: one step of the caller becomes several, which leave with all other steps in as few
//! requests, and their results become one again.

use std::ops::Range;

use serde_json::{Map, Value, json};

use capstan_catalog::Catalog;
use capstan_core::card::{Card, CombinedStep};
use capstan_core::expr::Scope;
use capstan_core::{ChainStep, Options, TaskRequest};
use capstan_exec::{ChainSpec, Policy, Schemas, reference, with_defaults};

use crate::capability::{Implementation, check_policy};
use crate::step_result::{StepResult, set_joint_outcome};

/// A chain whose combined steps are written out.
pub(crate) struct Expanded {
    pub(crate) spec: ChainSpec,
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
pub(crate) fn expand(spec: &ChainSpec, rules: &Rules<'_>) -> Option<Expanded> {
    let parts: Vec<Option<Vec<Part>>> = spec
        .steps
        .iter()
        .map(|step| parts_of(step, spec.verbatim, rules))
        .collect();
    if parts.iter().all(Option::is_none) {
        return None;
    }
    let mut steps = Vec::new();
    let mut says = Vec::new();
    let mut groups: Vec<Range<usize>> = Vec::new();
    let mut places = Vec::new();
    let mut sent_once = Vec::new();
    for (index, (step, parts)) in spec.steps.iter().zip(parts).enumerate() {
        let start = steps.len();
        for part in parts.unwrap_or_else(|| vec![(step.clone(), None)]) {
            steps.push(part.0);
            says.push(part.1);
        }
        let group = start..steps.len();
        places.extend(group.clone().map(|_| spec.place(index)));
        if spec.sent_once.contains(&index) {
            sent_once.extend(group.clone());
        }
        groups.push(group);
    }
    if !spec.verbatim {
        // What refers to a combined step reads what its last part gave.
        let last_part = |step: usize| groups.get(step).map_or(step, |group| group.end - 1);
        for step in &mut steps {
            let input = std::mem::take(&mut step.request.input);
            let input = reference::renumbered(Value::Object(input), &last_part);
            step.request.input = input.as_object().cloned().unwrap_or_default();
        }
    }
    let spec = ChainSpec {
        steps,
        places,
        sent_once,
        ..spec.clone()
    };
    Some(Expanded { spec, groups, says })
}

impl Expanded {
    /// The results by step of the caller.
    pub(crate) fn merge(self, results: Vec<StepResult>) -> Vec<StepResult> {
        let mut results = results.into_iter();
        self.groups
            .into_iter()
            .map(|group| {
                let tasks = self.spec.steps[group.clone()]
                    .iter()
                    .map(|step| step.request.capability.as_str());
                let mut parts: Vec<_> = tasks.zip(results.by_ref().take(group.len())).collect();
                for ((_, part), says) in parts.iter_mut().zip(&self.says[group]) {
                    if let (Ok(Value::Object(data)), Some(says)) = (&mut part.result, says) {
                        data.insert(says.clone(), true.into());
                    }
                }
                merged(parts)
            })
            .collect()
    }
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
    if card.combine.is_empty() || check_policy(rules.policy, &card, &Implementation::Card).is_err()
    {
        return None;
    }
    let input = with_defaults(&card, Value::Object(request.input.clone()));
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

fn merged(mut parts: Vec<(&str, StepResult)>) -> StepResult {
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
    let failed = parts
        .iter()
        .find_map(|(task, part)| Some((task, part.failed()?)));
    let Some((task, failure)) = failed else {
        return StepResult::success(joined(&parts), meta);
    };
    let mut failure = failure.clone();
    let done: Vec<_> = parts
        .iter()
        .filter(|(_, it)| it.is_ok())
        .map(|(task, _)| *task)
        .collect();
    let error = &mut failure.error;
    error.message = format!("{task}: {}", error.message);
    if !done.is_empty() {
        error.message = format!("{}; done: {}", error.message, done.join(", "));
        failure = failure.map_error(|error| error.with_detail("done", json!(done)));
    }
    let all: Vec<_> = parts.iter().map(|(_, part)| part).collect();
    set_joint_outcome(&mut failure, &all);
    StepResult::failure(failure, meta)
}

/// The fields of all parts, the last by each name; it is a change if any part is one.
fn joined(parts: &[(&str, StepResult)]) -> Value {
    let mut fields = Map::new();
    let mut changes = Vec::new();
    for (_, part) in parts {
        let data = part.data().and_then(Value::as_object);
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
    use capstan_core::port::{Fact, Failure};
    use capstan_core::{ErrorCode, Outcome, ResultError, ResultMeta};

    use super::*;

    fn failed(outcome: Outcome) -> StepResult {
        let error = ResultError::new(ErrorCode::NotFound, "not there");
        let failure = Failure::new(error, outcome).telling(Fact::Outcome);
        StepResult::failure(failure, ResultMeta::default())
    }

    fn done() -> StepResult {
        StepResult::success(json!({}), ResultMeta::default())
    }

    /// Whoever repeats a write looks at this: the doubt about one part is a doubt about all of them.
    #[test]
    fn the_outcome_is_that_of_all_parts() {
        use Outcome::{Applied, NotApplied, Partial, Unknown};
        for (parts, outcome) in [
            (vec![failed(NotApplied), failed(Unknown)], Unknown),
            (vec![failed(Unknown), done()], Unknown),
            (vec![failed(NotApplied), done()], Partial),
            (vec![failed(NotApplied), failed(Partial)], Unknown),
            (vec![failed(Applied), failed(NotApplied)], Partial),
            (vec![failed(NotApplied), failed(NotApplied)], NotApplied),
        ] {
            let merged = merged(parts.into_iter().map(|it| ("a.b", it)).collect());
            let failure = merged.result.unwrap_err();
            assert_eq!(failure.outcome, outcome);
            assert!(!failure.error.retryable);
            let told = serde_json::to_value(&failure.error).unwrap();
            assert_eq!(told["details"]["outcome"], outcome.as_str());
        }
    }
}
