//! Infers the types of expressions and finds mistakes in them.

use std::collections::BTreeSet;
use std::sync::Arc;

use capstan_core::expr::{Expr, Path, Segment};
use capstan_core::similar::suggestions;
use capstan_core::{Source, Span};
use serde_json::{Value, json};

use super::comparison::{Operand, never_changes, senseless_comparison};
use super::scope::{BindScope, Meaning};
use super::types::{MissingField, Ty};
use crate::Given;
use crate::codes::{EXPRESSION, UNKNOWN_STEP};
use crate::findings::{DiagnosticExt as _, Findings};
use crate::near::did_you_mean;
use crate::render::expression;

/// A mistake in an expression.
pub(super) struct ExpressionProblem {
    pub(super) code: &'static str,
    /// The text of the part of the expression that is wrong; empty for the whole expression.
    pub(super) part: String,
    pub(super) message: String,
    pub(super) help: Option<String>,
}

impl ExpressionProblem {
    /// Describes a mistake in a part of an expression.
    fn about(expr: &Expr, why: &str) -> Self {
        let part = expression(expr);
        Self {
            code: EXPRESSION,
            message: format!("`{part}` {why}"),
            part,
            help: None,
        }
    }
}

/// Reports the mistakes in a value at this place in the file.
pub(super) fn report(
    source: &Arc<Source>,
    span: Span,
    all: Vec<ExpressionProblem>,
    findings: &mut Findings,
) {
    for problems in all {
        let place = part_of(&source.text, span, &problems.part);
        findings
            .error(problems.code, source, place, problems.message)
            .help(problems.help);
    }
}

/// Finds a part of an expression in the source; returns the whole span if the part is not written there
/// literally.
fn part_of(text: &str, span: Span, part: &str) -> Span {
    if part.is_empty() {
        return span;
    }
    let whole = text.get(span.start..span.end).unwrap_or_default();
    let goes_on = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '[');
    let mut found = whole.match_indices(part).map(|(at, _)| at);
    let is_whole = |at: &usize| !whole[at + part.len()..].starts_with(goes_on);
    match found.find(is_whole) {
        Some(at) => Span {
            start: span.start + at,
            end: span.start + at + part.len(),
        },
        None => span,
    }
}

/// Returns the steps whose outputs a value uses.
pub(super) fn steps_of(scope: &BindScope<'_>, given: &Given) -> BTreeSet<usize> {
    steps(scope, given.paths())
}

pub(super) fn steps_of_expr(scope: &BindScope<'_>, expr: &Expr) -> BTreeSet<usize> {
    steps(scope, expr.paths())
}

fn steps(scope: &BindScope<'_>, paths: Vec<&Path>) -> BTreeSet<usize> {
    let step = |path: &Path| match scope.meaning(path) {
        Meaning::Output(step, _) | Meaning::Step(step, _) => Some(step),
        Meaning::Input(_) | Meaning::Nothing(_) | Meaning::Nameless => None,
    };
    paths.into_iter().filter_map(step).collect()
}

/// Returns the type of a value that a step receives. A value with mistakes has the unknown type.
pub(super) fn type_of(
    scope: &BindScope<'_>,
    given: &Given,
    problems: &mut Vec<ExpressionProblem>,
) -> Ty {
    match given {
        Given::Literal(value) => Ty::known(json!({"const": value})),
        Given::Expr(expr) => type_of_expr(scope, expr, problems),
        Given::List(items) => {
            let mut all = Vec::with_capacity(items.len());
            let mut known = true;
            for item in items {
                match type_of(scope, item, problems).into_subschema() {
                    Some(schema) => all.push(schema),
                    None => known = false,
                }
            }
            let count = all.len();
            if known {
                Ty::known(json!({
                    "type": "array", "prefixItems": all, "minItems": count, "maxItems": count,
                }))
            } else {
                Ty::unknown()
            }
        }
        Given::Object(fields) => {
            let mut properties = serde_json::Map::new();
            let mut required = Vec::new();
            let mut known = true;
            for (name, given) in fields {
                let ty = type_of(scope, given, problems);
                if ty.always {
                    required.push(Value::from(name.as_str()));
                }
                match ty.into_subschema() {
                    Some(schema) => {
                        properties.insert(name.clone(), schema);
                    }
                    None => known = false,
                }
            }
            if known {
                Ty::known(json!({
                    "type": "object",
                    "properties": properties,
                    "required": required,
                    "additionalProperties": false,
                }))
            } else {
                Ty::unknown()
            }
        }
    }
}

pub(super) fn type_of_expr(
    scope: &BindScope<'_>,
    expr: &Expr,
    problems: &mut Vec<ExpressionProblem>,
) -> Ty {
    match expr {
        Expr::Literal(value) => Ty::known(json!({"const": value})),
        Expr::Path(path) => type_of_path(scope, path).unwrap_or_else(|it| {
            problems.push(*it);
            Ty::unknown()
        }),
        Expr::Filtered(inner, _) => {
            type_of_expr(scope, inner, problems);
            Ty::unknown()
        }
        Expr::Not(inner) => {
            let known = problems.len();
            type_of_expr(scope, inner, problems);
            if problems.len() == known {
                problems.extend(constant_condition(scope, expr));
            }
            Ty::boolean()
        }
        Expr::And(left, right) | Expr::Or(left, right) => {
            let known = problems.len();
            type_of_expr(scope, left, problems);
            type_of_expr(scope, right, problems);
            if problems.len() == known {
                problems.extend(constant_condition(scope, expr));
            }
            Ty::boolean()
        }
        Expr::Compare(comparison, left, right) => {
            infer_from_comparison(scope, left, right);
            infer_from_comparison(scope, right, left);
            let known = problems.len();
            let one = type_of_expr(scope, left, problems);
            let other = type_of_expr(scope, right, problems);
            let operand = |ty, expr: &Expr| Operand {
                ty,
                is_literal: matches!(expr, Expr::Literal(_)),
            };
            let senseless =
                senseless_comparison(*comparison, operand(&one, left), operand(&other, right));
            match senseless {
                Some(why) => problems.push(ExpressionProblem::about(expr, &why)),
                None if problems.len() == known => problems.extend(constant_condition(scope, expr)),
                None => {}
            }
            Ty::boolean()
        }
    }
}

/// Returns a problem if a condition has the same result for all possible values.
fn constant_condition(scope: &BindScope<'_>, condition: &Expr) -> Option<ExpressionProblem> {
    let type_of = |path: &Path| type_of_path(scope, path).unwrap_or_else(|_| Ty::unknown());
    never_changes(condition, &type_of).map(|why| ExpressionProblem::about(condition, &why))
}

/// Infers the type of an undeclared input from the literal that it is compared with.
fn infer_from_comparison(scope: &BindScope<'_>, path: &Expr, literal: &Expr) {
    let (Expr::Path(path), Expr::Literal(value)) = (path, literal) else {
        return;
    };
    if let (Meaning::Input([Segment::Key(name)]), None) = (scope.meaning(path), scope.input) {
        let kind = match value {
            Value::Bool(_) => "boolean",
            Value::Number(_) => "number",
            Value::String(_) => "string",
            Value::Null | Value::Array(_) | Value::Object(_) => return,
        };
        scope.infer(name, Some(json!({"type": kind})), false);
    }
}

fn type_of_path(scope: &BindScope<'_>, path: &Path) -> Result<Ty, Box<ExpressionProblem>> {
    let missing = |owner: String, missing: MissingField| {
        let near = suggestions(&missing.name, missing.known.iter().map(String::as_str));
        let message = match &missing.kind {
            Some(kind) => format!("`{path}`: there is no `{}` in {kind}", missing.name),
            None => format!("`{path}`: {owner} has no `{}`", missing.name),
        };
        let name = &missing.name;
        let is_list = missing
            .kind
            .as_ref()
            .is_some_and(|it| it.ends_with(']') || it == "array");
        let element = format!("write `[].{name}` for all elements, `[0].{name}` for the first");
        Box::new(ExpressionProblem {
            code: EXPRESSION,
            part: path.to_string(),
            message,
            help: did_you_mean(&near).or_else(|| {
                if missing.known.is_empty() {
                    is_list.then_some(element)
                } else {
                    Some(format!("it has {}", missing.known.join(", ")))
                }
            }),
        })
    };
    match scope.meaning(path) {
        Meaning::Input(segments) => {
            let ty = scope.input_type(segments);
            ty.map_err(|it| missing("the input of the skill".to_owned(), it))
        }
        Meaning::Output(step, segments) => {
            let ty = scope.output_type(step, segments);
            let owner = format!("the output of `{}`", scope.step_name(step));
            ty.map_err(|it| missing(owner, it))
        }
        Meaning::Step(step, rest) => {
            let name = scope.step_name(step);
            let field = match rest {
                [Segment::Key(field), ..] => field.as_str(),
                _ => "",
            };
            let is_field = !field.is_empty() && scope.gives(step, field);
            let help = if is_field {
                format!("did you mean `${name}.output.{field}`?")
            } else {
                format!("its output is `${name}.output`")
            };
            Err(Box::new(ExpressionProblem {
                code: EXPRESSION,
                part: path.to_string(),
                message: format!("`{path}` names a step, but not its output"),
                help: Some(help),
            }))
        }
        Meaning::Nameless => {
            let message = format!("`{path}` means nothing here: names begin with `$`");
            let help = match scope.with_dollar(&path.to_string()) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => "write `$input.ready` or `$step.output.field`, for example, and put texts \
                         in quotes"
                    .to_owned(),
            };
            Err(Box::new(ExpressionProblem {
                code: EXPRESSION,
                part: path.to_string(),
                message,
                help: Some(help),
            }))
        }
        Meaning::Nothing(name) => {
            let known: Vec<_> = super::names(scope.parts).chain(["input"]).collect();
            let near = suggestions(&name, known.iter().copied());
            let all = || format!("there are {}", in_words(&known));
            Err(Box::new(ExpressionProblem {
                code: UNKNOWN_STEP,
                part: path.to_string(),
                message: format!("`{path}`: there is no step `{name}` in this skill"),
                help: did_you_mean(&near).or_else(|| Some(all())),
            }))
        }
    }
}

/// Lists names in words: `` `a`, `b` and `c` ``.
fn in_words(names: &[&str]) -> String {
    let quoted: Vec<_> = names.iter().map(|it| format!("`{it}`")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => quoted.join(""),
    }
}
