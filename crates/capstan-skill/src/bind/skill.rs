//! Binds all steps of a skill and reports what is wrong with them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use capstan_core::expr::{Expr, Path};
use capstan_core::similar::suggestions;
use capstan_schema::{Type, TypeSet};
use serde_json::{Map, Value, json};

use super::expression::{ExpressionProblem, report, steps_of, steps_of_expr, type_of_expr};
use super::inputs::{self, Inputs};
use super::order::WrittenOrder;
use super::scope::{BindScope, InferredInput, Meaning};
use super::waiting::Waiting;
use super::{Bound, BoundStep, ComposedStep, names, outputs};
use crate::codes::{EXPRESSION, INCONSISTENT, UNKNOWN_STEP, UNREACHABLE, UNUSED};
use crate::findings::{DiagnosticExt as _, Findings};
use crate::graph::{Graph, levels};
use crate::library::Contract;
use crate::near::did_you_mean;
use crate::skill::{Skill, StepBlock};
use crate::{OperationClass, graph};

/// Binds the steps of a composite skill and reports its mistakes.
pub(crate) fn bind(skill: &Skill, parts: &[ComposedStep<'_>], findings: &mut Findings) -> Bound {
    let written = written(skill, parts, findings);
    let scope = BindScope::new(parts, skill.input_schema.as_ref().map(|it| &it.value));
    let mut steps: Vec<Option<BoundStep>> = parts.iter().map(|_| None).collect();
    for step in written.steps() {
        let block = written.block(step);
        let Inputs {
            inputs,
            needs,
            uses,
        } = inputs::bind(skill, &scope, &written, step, findings);
        let mut after = uses;
        let condition = block.and_then(|block| block.condition.as_ref());
        let mut needed = needs;
        if let Some(condition) = condition {
            let mut problems = Vec::new();
            type_of_expr(&scope, &condition.expr, &mut problems);
            problems.extend(constant(&scope, &condition.expr));
            report(&skill.origin.source, condition.span, problems, findings);
            let asked = steps_of_expr(&scope, &condition.expr);
            after.extend(&asked);
            needed.extend(asked);
        }
        after.extend(&needed);
        refuse_own_output(skill, &scope, (step, block), findings);
        after.extend(written.required_before(step));
        after.remove(&step);
        needed.remove(&step);
        steps[step] = Some(BoundStep {
            inputs,
            condition: condition.map(|it| it.expr.clone()),
            needs: needed,
            after,
            retry: block.and_then(|block| block.retry.clone()),
            timeout: block.and_then(|block| block.timeout),
        });
    }
    keep_writes_in_order(parts, &written, &mut steps);
    refuse_circles(skill, &scope, &written, &mut steps, findings);
    let skippable = skippable(&steps);
    let given = outputs::bind(skill, &scope, &written, &skippable, findings);
    report_unused_steps(skill, &scope, &steps, &given.fields, findings);
    let inferred = scope.inferred.into_inner();
    let contract = contract(skill, parts, &steps, inferred, given.schema);
    Bound {
        steps,
        outputs: given.fields,
        spread: given.spread,
        contract,
    }
}

/// Reports a step that uses its own output, which does not exist before the step has run.
fn refuse_own_output(
    skill: &Skill,
    scope: &BindScope<'_>,
    (step, block): (usize, Option<&StepBlock>),
    findings: &mut Findings,
) {
    let name = scope.step_name(step);
    let stated = block.iter().flat_map(|block| &block.inputs);
    let given = stated.chain(&scope.parts[step].compose.inputs);
    let given = given
        .filter(|(_, given)| steps_of(scope, &given.value).contains(&step))
        .map(|(_, given)| given.span);
    let condition = block.and_then(|block| block.condition.as_ref());
    let condition = condition
        .filter(|it| steps_of_expr(scope, &it.expr).contains(&step))
        .map(|it| it.span);
    for span in given.chain(condition) {
        let message = format!("`{name}` uses its own output, which does not exist before it runs");
        findings
            .error(INCONSISTENT, &skill.origin.source, span, message)
            .help(Some("name another step, or `$input`".to_owned()));
    }
}

/// Returns a problem for a value that is used as a condition: a text, a number, or an object that always
/// exists. Such a condition would always hold.
fn constant(scope: &BindScope<'_>, condition: &Expr) -> Option<ExpressionProblem> {
    match condition {
        Expr::Literal(value) if !value.is_boolean() => {
            let text = value.as_str();
            let help = match text.filter(|text| text.contains('$')) {
                Some(text) => format!("remove the quotes: `condition: {text}`"),
                None => "compare something, such as `$input.ready == true`".to_owned(),
            };
            Some(ExpressionProblem {
                code: EXPRESSION,
                part: String::new(),
                message: format!("`{value}` is a constant, not a condition"),
                help: Some(help),
            })
        }
        Expr::Path(path) if is_always_an_object(scope, path, condition) => {
            Some(ExpressionProblem {
                code: EXPRESSION,
                part: path.to_string(),
                message: format!(
                    "`{path}` is an object that is always there, so it is always true"
                ),
                help: Some(format!(
                    "name a field of it, such as `{path}.ready == true`"
                )),
            })
        }
        Expr::Not(inner) => constant(scope, inner),
        Expr::And(left, right) | Expr::Or(left, right) => {
            constant(scope, left).or_else(|| constant(scope, right))
        }
        _ => None,
    }
}

fn is_always_an_object(scope: &BindScope<'_>, path: &Path, expr: &Expr) -> bool {
    if let Meaning::Input([]) = scope.meaning(path) {
        return true;
    }
    let ty = type_of_expr(scope, expr, &mut Vec::new());
    let types = ty.schema().map(|schema| schema.types());
    let is_object = |it: TypeSet| !it.is_empty() && it.is_subset(TypeSet::of(Type::Object));
    ty.always && types.is_some_and(is_object)
}

fn written<'a>(
    skill: &'a Skill,
    parts: &[ComposedStep<'_>],
    findings: &mut Findings,
) -> WrittenOrder<'a> {
    if skill.execution.is_empty() {
        return WrittenOrder::composed(parts.len());
    }
    let source = &skill.origin.source;
    let mut run: BTreeSet<usize> = BTreeSet::new();
    let mut is_whole = skill.origin.is_whole;
    let written = WrittenOrder::stated(&skill.execution, &mut |block: &StepBlock| {
        let name = block.step.value.as_str();
        let Some(step) = names(parts).position(|known| known == name) else {
            let near = suggestions(name, names(parts));
            let help = did_you_mean(&near)
                .or_else(|| Some(format!("add `{name}` to `composes`, or remove it here")));
            findings
                .error(
                    UNKNOWN_STEP,
                    source,
                    block.step.span,
                    format!("there is no step `{name}`"),
                )
                .help(help);
            is_whole = false;
            return None;
        };
        if !run.insert(step) {
            let message = format!("`{name}` already runs: a step runs once");
            let help = format!("compose it twice, with `as`: {{skill: {name}, as: …}}");
            findings
                .error(INCONSISTENT, source, block.step.span, message)
                .help(Some(help));
            return None;
        }
        Some(step)
    });
    // A block that could not be read, or that names an unknown step, may be the one that runs this step.
    for (step, part) in parts.iter().enumerate() {
        if is_whole && !run.contains(&step) {
            let name = part.compose.step_name();
            let message = format!("`{name}` is composed, but `execution` does not run it");
            findings.hint(UNREACHABLE, source, part.compose.skill.span, message);
        }
    }
    written
}

/// Makes each write wait for the writes before it in the file, unless they are in parallel blocks or the data
/// requires the reverse order.
fn keep_writes_in_order(
    parts: &[ComposedStep<'_>],
    written: &WrittenOrder<'_>,
    steps: &mut [Option<BoundStep>],
) {
    let writes: Vec<_> = written
        .steps()
        .filter(|step| parts[*step].contract.operation == OperationClass::Write)
        .collect();
    let mut waiting = Waiting::between(steps);
    for (place, later) in writes.iter().enumerate() {
        // The nearest first: it already waits for most of the others.
        for earlier in writes[..place].iter().rev() {
            let is_turned = earlier == later || waiting.has(*earlier, *later);
            if written.is_before(*earlier, *later)
                && !is_turned
                && let Some(step) = &mut steps[*later]
            {
                step.after.insert(*earlier);
                waiting.add(*later, *earlier);
            }
        }
    }
}

/// Reports steps that wait for each other and would never run, then removes all waiting.
fn refuse_circles(
    skill: &Skill,
    scope: &BindScope<'_>,
    written: &WrittenOrder<'_>,
    steps: &mut [Option<BoundStep>],
    findings: &mut Findings,
) {
    let edges = |steps: &[Option<BoundStep>]| -> Vec<(usize, usize)> {
        let all = steps.iter().enumerate();
        all.flat_map(|(step, bound)| {
            let after = bound.iter().flat_map(|bound| bound.after.iter().copied());
            after.map(move |before| (before, step)).collect::<Vec<_>>()
        })
        .collect()
    };
    let parts = scope.parts;
    let graph = Graph::new(parts.len(), edges(steps));
    if levels(&graph).is_ok() {
        return;
    }
    for circle in graph::one_cycle_each(&graph) {
        let mut shown: Vec<_> = circle
            .iter()
            .map(|step| parts[*step].compose.step_name())
            .collect();
        shown.extend(shown.first().copied());
        let message = format!("these steps wait for each other: {}", shown.join(" → "));
        let place = |step: usize| match written.block(step) {
            Some(block) => block.step.span,
            None => parts[step].compose.skill.span,
        };
        let first = circle.first().copied().unwrap_or_default();
        let found = findings.error(INCONSISTENT, &skill.origin.source, place(first), message);
        found.help(Some(
            "let one of them take its input from elsewhere, or run them in another order"
                .to_owned(),
        ));
        for (place_in_circle, before) in circle.iter().enumerate() {
            let later = circle[(place_in_circle + 1) % circle.len()];
            let name = parts[*before].compose.step_name();
            let uses = steps[later].as_ref().is_some_and(|it| {
                let condition = it.condition.iter().map(|expr| steps_of_expr(scope, expr));
                let inputs = it.inputs.iter().map(|(_, given)| steps_of(scope, given));
                inputs.chain(condition).any(|steps| steps.contains(before))
            });
            let label = if uses {
                format!("uses what `{name}` gives")
            } else {
                format!("comes after `{name}`")
            };
            found.label(place(later), label);
        }
    }
    for bound in steps.iter_mut().flatten() {
        bound.after.clear();
        bound.needs.clear();
    }
}

/// Returns for each step whether it may be skipped: because of a condition, or because it needs a step that
/// may be skipped.
fn skippable(steps: &[Option<BoundStep>]) -> Vec<bool> {
    let mut skippable: Vec<_> = steps
        .iter()
        .map(|step| step.as_ref().is_none_or(|step| step.condition.is_some()))
        .collect();
    loop {
        let mut changed = false;
        for (step, bound) in steps.iter().enumerate() {
            let needs = bound.iter().flat_map(|bound| bound.needs.iter());
            if !skippable[step] && needs.into_iter().any(|need| skippable[*need]) {
                skippable[step] = true;
                changed = true;
            }
        }
        if !changed {
            return skippable;
        }
    }
}

/// Reports reads whose result nothing uses: they cost a request for nothing.
fn report_unused_steps(
    skill: &Skill,
    scope: &BindScope<'_>,
    steps: &[Option<BoundStep>],
    outputs: &[(String, crate::Given)],
    findings: &mut Findings,
) {
    let mut used: BTreeSet<usize> = BTreeSet::new();
    for (_, given) in outputs {
        used.extend(steps_of(scope, given));
    }
    for bound in steps.iter().flatten() {
        for (_, given) in &bound.inputs {
            used.extend(steps_of(scope, given));
        }
        if let Some(condition) = &bound.condition {
            used.extend(steps_of_expr(scope, condition));
        }
    }
    for (step, part) in scope.parts.iter().enumerate() {
        let reads = part.contract.operation != OperationClass::Write;
        let is_known = part.contract.output.is_some();
        if reads && is_known && steps[step].is_some() && !used.contains(&step) {
            let name = part.compose.step_name();
            let message =
                format!("the output of `{name}` is not used, and the step changes nothing");
            findings.hint(
                UNUSED,
                &skill.origin.source,
                part.compose.skill.span,
                message,
            );
        }
    }
}

/// Builds the contract of the skill: as declared, or else as inferred from its steps.
fn contract(
    skill: &Skill,
    parts: &[ComposedStep<'_>],
    steps: &[Option<BoundStep>],
    inferred: BTreeMap<String, InferredInput>,
    output: Option<Value>,
) -> Contract {
    let declared = skill.input_schema.as_ref().map(|it| it.value.clone());
    let input = declared.unwrap_or_else(|| input_of(inferred));
    let run = parts.iter().zip(steps).filter(|(_, step)| step.is_some());
    let mut operation = OperationClass::Transform;
    let mut effects: BTreeSet<&str> = BTreeSet::new();
    for (part, _) in run {
        operation = operation.max(part.contract.operation);
        effects.extend(part.contract.effects.iter().map(String::as_str));
    }
    if let Some(declared) = &skill.effects {
        effects.extend(declared.value.iter().map(String::as_str));
    }
    if let Some(declared) = &skill.operation {
        operation = operation.max(declared.value);
    }
    Contract {
        input: Some(Arc::new(input)),
        output: output.map(Arc::new),
        operation,
        effects: effects.into_iter().map(str::to_owned).collect(),
    }
}

fn input_of(inferred: BTreeMap<String, InferredInput>) -> Value {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for (name, needed) in inferred {
        if needed.required {
            required.push(Value::from(name.as_str()));
        }
        let mut schemas = needed.schemas;
        schemas.dedup();
        let schema = match schemas.len() {
            0 => Value::Bool(true),
            1 => schemas.remove(0),
            _ => json!({"allOf": schemas}),
        };
        properties.insert(name, schema);
    }
    json!({"type": "object", "properties": properties, "required": required})
}
