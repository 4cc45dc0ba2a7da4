//! Expands steps whose card combines other cards: one step becomes several, which are sent with all other steps in as
//! few requests as possible. Their results are merged into one again.

use std::ops::Range;

use serde_json::{Map, Value, json};

use capstan_catalog::Catalog;
use capstan_core::card::{Card, CombinedStep};
use capstan_core::expr::Scope;
use capstan_core::{ChainStep, Options, TaskRequest};
use capstan_exec::{ChainSpec, Policy, Schemas, reference, with_defaults};

use crate::capability::{Implementation, check_policy};
use crate::step_result::{StepResult, set_joint_outcome};

/// A chain whose combined steps are expanded.
pub(crate) struct ExpandedChain {
    pub(crate) spec: ChainSpec,
    /// By step of the caller: its steps in the expanded chain.
    groups: Vec<Range<usize>>,
    /// By expanded step: the field that is set to `true` in its result.
    says: Vec<Option<String>>,
}

/// What decides whether a step can be expanded.
pub(crate) struct ExpansionRules<'a> {
    pub(crate) catalog: &'a Catalog,
    pub(crate) schemas: &'a Schemas,
    pub(crate) policy: &'a Policy,
}

/// Expands the combined steps of a chain; returns `None` if it has none. A step that the policy refuses or whose
/// input is not valid stays as it is; the check of all steps reports its problem.
pub(crate) fn expand(spec: &ChainSpec, rules: &ExpansionRules<'_>) -> Option<ExpandedChain> {
    let parts: Vec<Option<Vec<ExpandedStep>>> = spec
        .steps
        .iter()
        .map(|step| expanded_steps(step, spec.verbatim, rules))
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
        // A reference to a combined step reads the result of its last part.
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
    Some(ExpandedChain { spec, groups, says })
}

impl ExpandedChain {
    /// Merges the results of the expanded steps into one result per step of the caller.
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

/// A step, and the field that is set to `true` in its result.
type ExpandedStep = (ChainStep, Option<String>);

/// Returns the steps that a step expands to; `None` if it stays one step.
fn expanded_steps(
    step: &ChainStep,
    verbatim: bool,
    rules: &ExpansionRules<'_>,
) -> Option<Vec<ExpandedStep>> {
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
            name: if index == last {
                step.name.clone()
            } else {
                None
            },
            request: task,
            ..ChainStep::default()
        };
        Some((step, part.says.clone()))
    });
    written.collect()
}

/// Returns the input of one part: the values of its own expressions, and for all other fields the given input of the
/// same name.
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

/// Merges the results of the parts of one step. If a part failed, the result is its failure, with the parts that
/// succeeded.
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

/// Returns the fields of all parts; of fields with the same name, the last. `changed` is true if any part changed
/// something, or does not say.
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
        let failure = Failure::new(error, outcome).with_detail_of(Fact::Outcome);
        StepResult::failure(failure, ResultMeta::default())
    }

    fn done() -> StepResult {
        StepResult::success(json!({}), ResultMeta::default())
    }

    /// Callers decide by the outcome whether to repeat a write, so doubt about one part is doubt about the whole.
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
            let error = serde_json::to_value(&failure.error).unwrap();
            assert_eq!(error["details"]["outcome"], outcome.as_str());
        }
    }
}
