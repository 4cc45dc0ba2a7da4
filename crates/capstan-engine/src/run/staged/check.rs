//! Checks a staged chain before anything is run. One invalid step stops the whole chain.

use std::sync::Arc;

use serde_json::Value;

use capstan_core::card::{Card, List, Operation};
use capstan_core::expr::{Expr, Root};
use capstan_core::{ChainStep, ErrorCode, ResultError};
use capstan_exec::{ChainSpec, reference};

use super::rows;
use super::scope::step_index;
use super::selection::Selection;

/// A step with its parsed expressions.
pub(super) struct CheckedStep {
    pub(super) card: Option<Arc<Card>>,
    /// The step whose rows it is run for, and the list with these rows.
    pub(super) each: Option<(usize, List)>,
    pub(super) when: Option<Expr>,
    /// Which rows of its list are kept.
    pub(super) selection: Selection,
    /// The earlier steps that must have finished before it is known what this one runs.
    pub(super) waits_for: Vec<usize>,
    /// A later step uses its result.
    pub(super) is_used: bool,
}

impl CheckedStep {
    /// Returns whether the step may write. An unknown capability may.
    pub(super) fn writes(&self) -> bool {
        let card = self.card.as_ref();
        card.is_none_or(|card| card.operation == Operation::Write)
    }
}

/// The index of a step, and its problem.
pub(super) type Problem = (usize, ResultError);

/// Parses `each`, `when` and the options of all steps. `cards` are the cards of the steps, as far as they are known.
pub(super) fn check(
    spec: &ChainSpec,
    cards: &[Option<Arc<Card>>],
) -> Result<Vec<CheckedStep>, Vec<Problem>> {
    let mut checked = Vec::new();
    let mut problems = Vec::new();
    for (index, step) in spec.steps.iter().enumerate() {
        match check_step(spec, cards, index, step) {
            Ok(step) => checked.push(step),
            Err(problem) => {
                let message = format!("bad step: {problem}");
                problems.push((index, ResultError::new(ErrorCode::Validation, message)));
            }
        }
    }
    if problems.is_empty() {
        mark_used_steps(spec, &mut checked);
        Ok(checked)
    } else {
        Err(problems)
    }
}

/// Marks the steps whose results later steps use: for rows, in a condition, or in an input.
fn mark_used_steps(spec: &ChainSpec, checked: &mut [CheckedStep]) {
    let mut used: Vec<usize> = Vec::new();
    for (step, checked) in spec.steps.iter().zip(checked.iter()) {
        used.extend(&checked.waits_for);
        if !spec.verbatim {
            let input = Value::Object(step.request.input.clone());
            reference::replaced(input, &mut |named| {
                used.extend(step_index(&spec.steps, named.step));
                None
            });
        }
    }
    for step in used {
        checked[step].is_used = true;
    }
}

/// Returns the chain with each `each` step replaced by a run for its first row, so that it can be checked like any
/// other chain.
pub(super) fn representative(spec: &ChainSpec, checked: &[CheckedStep]) -> ChainSpec {
    let steps = spec.steps.iter().zip(checked).map(|(step, checked)| {
        let mut plain = ChainStep {
            each: None,
            when: None,
            ..step.clone()
        };
        plain.request.options = super::pages::one_page_options(&step.request.options);
        if let Some((source, list)) = &checked.each {
            let is_source = |called: &str| step_index(&spec.steps, called) == Some(*source);
            plain.request.input = rows::input_for_first_row(&step.request.input, list, is_source);
        }
        plain
    });
    ChainSpec {
        steps: steps.collect(),
        ..spec.clone()
    }
}

fn check_step(
    spec: &ChainSpec,
    cards: &[Option<Arc<Card>>],
    index: usize,
    step: &ChainStep,
) -> Result<CheckedStep, String> {
    let card = cards.get(index).cloned().flatten();
    let mut waits_for = Vec::new();
    let each = match &step.each {
        None => None,
        Some(called) => {
            let earlier = &spec.steps[..index];
            let source = step_index(earlier, called)
                .ok_or_else(|| format!("`each` names `{called}`, which is not an earlier step"))?;
            if spec.steps[source].each.is_some() {
                return Err(format!("`each` names `{called}`, which has no single list"));
            }
            let list = cards[source].as_ref().and_then(|card| card.list.clone());
            let list =
                list.ok_or_else(|| format!("`each` names `{called}`, which returns no list"))?;
            waits_for.push(source);
            Some((source, list))
        }
    };
    let when = match &step.when {
        None => None,
        Some(text) => {
            let expr = Expr::parse(text);
            let expr = expr.map_err(|error| format!("`when` is `{text}`: {error}"))?;
            for path in expr.paths() {
                let Root::Variable(name) = &path.root else {
                    return Err(format!(
                        "`when` is `{text}`: it names an earlier step, as in `$checks.failed == 0`"
                    ));
                };
                let earlier = &spec.steps[..index];
                let source = step_index(earlier, name).ok_or_else(|| {
                    format!("`when` names `${name}`, which is not an earlier step")
                })?;
                waits_for.push(source);
            }
            Some(expr)
        }
    };
    let options = &step.request.options;
    let has_list = card.as_ref().is_none_or(|card| card.list.is_some());
    let for_lists = [
        ("all", options.all),
        ("where", options.condition.is_some()),
        ("sort", options.sort.is_some()),
    ];
    if let Some((name, _)) = for_lists.iter().find(|(_, is_given)| *is_given)
        && !has_list
    {
        return Err(format!("`{name}` is for lists, and this returns none"));
    }
    if options.sort.is_some() && step.request.input.contains_key("after") {
        return Err("`sort` reads all rows: leave `after` out".to_owned());
    }
    let selection = Selection::from_options(card.as_deref(), options)?;
    Ok(CheckedStep {
        card,
        each,
        when,
        selection,
        is_used: false,
        waits_for,
    })
}
