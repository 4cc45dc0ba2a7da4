//! Checks a card that combines others: every part exists and gets a valid input, and no input is
//! ignored.

use serde_json::Value;

use capstan_core::CapabilityId;
use capstan_core::card::{Card, CombinedStep, Operation};

use crate::finding::{COMBINATION, Finding, INPUT};
use crate::infer::{Checker, ExprLocation, TypeScope};
use crate::json_schema::{fits, is_required};
use crate::rules::request::input_type;
use crate::ty::{Kind, Ty};

pub(crate) fn check<'a>(
    card: &Card,
    find: impl Fn(&CapabilityId) -> Option<&'a Card>,
) -> Vec<Finding> {
    let mut checker = Checker::default();
    if card.combine.is_empty() {
        return checker.findings;
    }
    let input = input_type(card, &mut checker);
    let scope = TypeScope::new(input.clone()).with("input", input.clone());
    let mut all_known = true;
    for (index, step) in card.combine.iter().enumerate() {
        let pointer = format!("/combine/{index}");
        let problem = match find(&step.task) {
            _ if step.task == card.id => {
                check_own_step(&mut checker, step, &scope, &pointer);
                all_known = false;
                continue;
            }
            None => format!("there is no capability `{}`", step.task),
            Some(part) if part.route_order().is_empty() => {
                format!("`{}` has no routes of its own", part.id)
            }
            // A card that reads may run where nothing may be changed.
            Some(part)
                if part.operation == Operation::Write && card.operation == Operation::Read =>
            {
                format!("`{}` writes, and the card says that it reads", part.id)
            }
            Some(part) => {
                self::part(&mut checker, step, part, &scope, &pointer);
                continue;
            }
        };
        all_known = false;
        checker.report(Finding::new(
            COMBINATION,
            format!("{pointer}/task"),
            problem,
        ));
    }
    // An unknown part may take any input, and the card itself takes all of them.
    if all_known {
        inputs_used(&mut checker, &input);
    }
    checker.findings
}

/// Checks a step that runs the card's own routes, with its input unchanged.
fn check_own_step(checker: &mut Checker, step: &CombinedStep, scope: &TypeScope, pointer: &str) {
    if let Some(when) = &step.when {
        checker.infer(when, scope, at(&format!("{pointer}/when")));
    }
    if !step.input.is_empty() {
        let message = "the card's own step gets the card's input unchanged: remove `input`";
        let pointer = format!("{pointer}/input");
        checker.report(Finding::new(COMBINATION, pointer, message));
    }
}

fn part(checker: &mut Checker, step: &CombinedStep, part: &Card, scope: &TypeScope, pointer: &str) {
    if let Some(when) = &step.when {
        checker.infer(when, scope, at(&format!("{pointer}/when")));
    }
    let schema = &part.input_schema;
    let properties = schema.get("properties").and_then(Value::as_object);
    for (name, expr) in &step.input {
        let pointer = format!("{pointer}/input/{name}");
        let ty = checker.infer(expr, scope, at(&pointer));
        checker.places.mark_all_read(&ty);
        match properties.and_then(|all| all.get(name)) {
            None => {
                let message = format!("`{}` has no input `{name}`", part.id);
                checker.report(Finding::new(COMBINATION, &pointer, message));
            }
            Some(property) => check_input(checker, step, part, (name, &ty, property), &pointer),
        }
    }
    let Kind::Object(own) = &scope.this.kind else {
        return;
    };
    for (name, property) in properties.into_iter().flatten() {
        if step.input.contains_key(name) {
            continue;
        }
        match own.fields.get(name) {
            Some(ty) => {
                checker.places.mark_all_read(ty);
                check_input(checker, step, part, (name, ty, property), pointer);
            }
            None if is_required(schema, name) => {
                let message = format!("`{}` requires `{name}`", part.id);
                let help = "give it in `input`, or add an input of this name to the card";
                checker.report(Finding::new(COMBINATION, pointer, message).with_help(help));
            }
            None => {}
        }
    }
}

/// Checks one input that is passed to a part.
fn check_input(
    checker: &mut Checker,
    step: &CombinedStep,
    part: &Card,
    (name, ty, property): (&str, &Ty, &Value),
    pointer: &str,
) {
    let schema = &part.input_schema;
    // Absent values are left out. `when` ensures that an optional value is present.
    if ty.may_be_missing() && is_required(schema, name) && step.when.is_none() {
        let message = format!("`{name}` may have no value, and `{}` requires it", part.id);
        let help = "include the part only `when` it has a value";
        checker.report(Finding::new(COMBINATION, pointer, message).with_help(help));
    }
    if let Err(why) = fits(&ty.clone().present(), property, schema) {
        let message = format!("`{name}` does not fit the input of `{}`: {why}", part.id);
        checker.report(Finding::new(COMBINATION, pointer, message));
    }
}

fn inputs_used(checker: &mut Checker, input: &Ty) {
    let Kind::Object(object) = &input.kind else {
        return;
    };
    for (name, ty) in &object.fields {
        if checker.places.is_read(ty) {
            continue;
        }
        let message = format!("no part takes the input `{name}`");
        let finding = Finding::new(INPUT, "/combine", message);
        checker.report(finding.with_help("pass it to a part, or remove it"));
    }
}

fn at(pointer: &str) -> ExprLocation<'_> {
    ExprLocation {
        pointer,
        code: COMBINATION,
    }
}
