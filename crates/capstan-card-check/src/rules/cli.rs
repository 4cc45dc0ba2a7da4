//! Checks a `cli` route that is a `gh` command: its arguments and the JSON that it prints.

use capstan_core::Route;
use capstan_core::card::{Card, CliArg, CliCommand, FieldMapping, Output};
use capstan_core::expr::{Expr, Path, Root, Segment, Template};

use crate::finding::{Finding, REQUEST};
use crate::infer::{Checker, ExprLocation, TypeScope};
use crate::rules::request::{element, input_type, inputs_used, request_scope};
use crate::rules::{output, unused, witness};
use crate::ty::{Kind, Ty};

pub(crate) fn check(card: &Card, command: &CliCommand) -> Vec<Finding> {
    let mut checker = Checker::default();
    let input = input_type(card, &mut checker);
    let scope = request_scope(card, &input);
    for (index, arg) in command.args.iter().enumerate() {
        let pointer = format!("/cli/args/{index}");
        let at = ExprLocation {
            pointer: &pointer,
            code: REQUEST,
        };
        match arg {
            CliArg::One(template) => argument(&mut checker, template, &scope, at),
            CliArg::When { when, arg } => {
                checker.infer(when, &scope, at);
                argument(&mut checker, arg, &scope, at);
            }
            CliArg::Each { each, arg } => {
                let list = checker.infer(each, &scope, at);
                let item = element(&mut checker, &list, &pointer);
                let scope = scope.with_this(item.clone()).with("item", item);
                argument(&mut checker, arg, &scope, at);
            }
        }
    }
    let printed = output::json_fields(&mut checker, &command.json_fields);
    let ty = if prints_a_list(&command.output) {
        Ty::list(printed.clone())
    } else {
        printed.clone()
    };
    let answer = output::Answer { ty, names: &scope };
    output::check(&mut checker, card, &command.output, &answer, "/cli/output");
    unused::check(&mut checker, &[("/cli/json_fields".to_owned(), printed)]);
    // The engine keeps later pages off this route, and truncates a list that `gh` prints in full.
    let excused: &[&str] = if command.overfetch && !prints_a_list(&command.output) {
        &["after", "first"]
    } else {
        &["after"]
    };
    inputs_used(&mut checker, card, &input, Route::Cli, excused);
    checker.findings
}

/// Checks an argument. An argument without a value is left out. That is fine for a flag, but not
/// for the object of the command.
fn argument(checker: &mut Checker, template: &Template, scope: &TypeScope, at: ExprLocation<'_>) {
    let is_flag = witness::render(template).is_some_and(|text| text.starts_with('-'));
    for ty in checker.blanks(template, scope, at) {
        if matches!(ty.kind, Kind::List(_) | Kind::Object(_)) {
            let message = format!(
                "an argument is a text or a number, and this is {}",
                ty.kind.name()
            );
            let help = "use `{each, arg}`, or join the list";
            checker.report(Finding::new(REQUEST, at.pointer, message).with_help(help));
        } else if ty.may_be_missing() && !is_flag {
            let message =
                "this argument may have no value, and then the next one would take its place";
            checker.report(Finding::new(REQUEST, at.pointer, message));
        }
    }
}

/// Returns whether `gh` prints an array. If so, some path of the output starts with it or with an
/// element.
fn prints_a_list(output: &Output) -> bool {
    if let Some(root) = &output.root {
        return starts_at_list(root);
    }
    output.fields.values().any(reads_list)
}

fn reads_list(mapping: &FieldMapping) -> bool {
    match mapping {
        FieldMapping::Value(expr) => any_path(expr),
        FieldMapping::Each { each: from, .. } | FieldMapping::ObjectFrom { from, .. } => {
            any_path(from)
        }
        FieldMapping::Object(fields) => fields.values().any(reads_list),
    }
}

fn any_path(expr: &Expr) -> bool {
    expr.paths().into_iter().any(starts_at_list)
}

fn starts_at_list(path: &Path) -> bool {
    path.root == Root::This && !matches!(path.segments.first(), Some(Segment::Key(_)))
}
