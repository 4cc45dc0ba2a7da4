//! The types of expressions, and what is wrong with them.

use std::collections::BTreeSet;
use std::sync::Arc;

use capstan_core::expr::{Expr, Path, Segment};
use capstan_core::similar::suggestions;
use capstan_core::{Source, Span};
use serde_json::{Value, json};

use super::comparison::{Operand, never_changes, senseless};
use super::scope::{Meaning, Scope};
use super::types::{Missing, Ty};
use crate::Given;
use crate::codes::{EXPRESSION, UNKNOWN_STEP};
use crate::findings::{Findings, More as _};
use crate::near::did_you_mean;
use crate::render::expression;

/// Something that is wrong with an expression.
pub(super) struct Wrong {
    pub(super) code: &'static str,
    /// The part of the expression that it is about, as it is written; empty for all of it.
    pub(super) part: String,
    pub(super) message: String,
    pub(super) help: Option<String>,
}

impl Wrong {
    /// What is said of a part of an expression.
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

/// Everything that is wrong with a value that stands at a place.
pub(super) fn tell(source: &Arc<Source>, span: Span, all: Vec<Wrong>, findings: &mut Findings) {
    for wrong in all {
        let place = part_of(&source.text, span, &wrong.part);
        findings
            .error(wrong.code, source, place, wrong.message)
            .help(wrong.help);
    }
}

/// Where a part of an expression stands, if it stands there as it is.
fn part_of(text: &str, span: Span, part: &str) -> Span {
    let whole = text.get(span.start..span.end).unwrap_or_default();
    let goes_on = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '[');
    let mut found = whole.match_indices(part).map(|(at, _)| at);
    let is_whole = |at: &usize| !whole[at + part.len()..].starts_with(goes_on);
    match found.find(is_whole).filter(|_| !part.is_empty()) {
        Some(at) => Span {
            start: span.start + at,
            end: span.start + at + part.len(),
        },
        None => span,
    }
}

/// The steps whose outputs a value is made of.
pub(super) fn steps_of(scope: &Scope<'_>, given: &Given) -> BTreeSet<usize> {
    steps(scope, given.paths())
}

pub(super) fn steps_of_expr(scope: &Scope<'_>, expr: &Expr) -> BTreeSet<usize> {
    steps(scope, expr.paths())
}

fn steps(scope: &Scope<'_>, paths: Vec<&Path>) -> BTreeSet<usize> {
    let step = |path: &Path| match scope.meaning(path) {
        Meaning::Output(step, _) | Meaning::Step(step, _) => Some(step),
        Meaning::Input(_) | Meaning::Nothing(_) | Meaning::Nameless => None,
    };
    paths.into_iter().filter_map(step).collect()
}

/// The type of what a step is given; of what is wrong nothing is known.
pub(super) fn type_of(scope: &Scope<'_>, given: &Given, wrong: &mut Vec<Wrong>) -> Ty {
    match given {
        Given::Literal(value) => Ty::made(json!({"const": value})),
        Given::Expr(expr) => type_of_expr(scope, expr, wrong),
        Given::List(items) => {
            let mut all = Vec::with_capacity(items.len());
            let mut known = true;
            for item in items {
                match type_of(scope, item, wrong).into_part() {
                    Some(schema) => all.push(schema),
                    None => known = false,
                }
            }
            let count = all.len();
            match known {
                true => Ty::made(json!({
                    "type": "array", "prefixItems": all, "minItems": count, "maxItems": count,
                })),
                false => Ty::unknown(),
            }
        }
        Given::Object(fields) => {
            let mut properties = serde_json::Map::new();
            let mut required = Vec::new();
            let mut known = true;
            for (name, given) in fields {
                let ty = type_of(scope, given, wrong);
                if ty.always {
                    required.push(Value::from(name.as_str()));
                }
                match ty.into_part() {
                    Some(schema) => {
                        properties.insert(name.clone(), schema);
                    }
                    None => known = false,
                }
            }
            match known {
                true => Ty::made(json!({
                    "type": "object",
                    "properties": properties,
                    "required": required,
                    "additionalProperties": false,
                })),
                false => Ty::unknown(),
            }
        }
    }
}

pub(super) fn type_of_expr(scope: &Scope<'_>, expr: &Expr, wrong: &mut Vec<Wrong>) -> Ty {
    match expr {
        Expr::Literal(value) => Ty::made(json!({"const": value})),
        Expr::Path(path) => type_of_path(scope, path).unwrap_or_else(|it| {
            wrong.push(*it);
            Ty::unknown()
        }),
        Expr::Filtered(inner, _) => {
            type_of_expr(scope, inner, wrong);
            Ty::unknown()
        }
        Expr::Not(inner) => {
            let known = wrong.len();
            type_of_expr(scope, inner, wrong);
            if wrong.len() == known {
                wrong.extend(unchanging(scope, expr));
            }
            Ty::boolean()
        }
        Expr::And(left, right) | Expr::Or(left, right) => {
            let known = wrong.len();
            type_of_expr(scope, left, wrong);
            type_of_expr(scope, right, wrong);
            if wrong.len() == known {
                wrong.extend(unchanging(scope, expr));
            }
            Ty::boolean()
        }
        Expr::Compare(comparison, left, right) => {
            learn(scope, left, right);
            learn(scope, right, left);
            let known = wrong.len();
            let one = type_of_expr(scope, left, wrong);
            let other = type_of_expr(scope, right, wrong);
            let operand = |ty, expr: &Expr| Operand {
                ty,
                is_literal: matches!(expr, Expr::Literal(_)),
            };
            let senseless = senseless(*comparison, operand(&one, left), operand(&other, right));
            match senseless {
                Some(why) => wrong.push(Wrong::about(expr, &why)),
                None if wrong.len() == known => wrong.extend(unchanging(scope, expr)),
                None => {}
            }
            Ty::boolean()
        }
    }
}

/// What is wrong with a condition that comes out the same for all values that there can be.
fn unchanging(scope: &Scope<'_>, condition: &Expr) -> Option<Wrong> {
    let type_of = |path: &Path| type_of_path(scope, path).unwrap_or_else(|_| Ty::unknown());
    never_changes(condition, &type_of).map(|why| Wrong::about(condition, &why))
}

/// An input that is not stated and is compared with a literal is of its type.
fn learn(scope: &Scope<'_>, path: &Expr, literal: &Expr) {
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

fn type_of_path(scope: &Scope<'_>, path: &Path) -> Result<Ty, Box<Wrong>> {
    let missing = |owner: String, missing: Missing| {
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
        let element = format!("of all elements it is `[].{name}`, of the first one `[0].{name}`");
        Box::new(Wrong {
            code: EXPRESSION,
            part: path.to_string(),
            message,
            help: did_you_mean(&near).or_else(|| match missing.known.is_empty() {
                true => is_list.then_some(element),
                false => Some(format!("it has {}", missing.known.join(", "))),
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
            let help = match is_field {
                true => format!("did you mean `${name}.output.{field}`?"),
                false => format!("what it gives is `${name}.output`"),
            };
            Err(Box::new(Wrong {
                code: EXPRESSION,
                part: path.to_string(),
                message: format!("`{path}` names a step, but not what it gives"),
                help: Some(help),
            }))
        }
        Meaning::Nameless => {
            let message = format!("`{path}` means nothing here: names begin with `$`");
            let help = match scope.with_dollar(&path.to_string()) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => "such as `$input.ready`, or `$step.output.field`; texts stand in quotes"
                    .to_owned(),
            };
            Err(Box::new(Wrong {
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
            Err(Box::new(Wrong {
                code: UNKNOWN_STEP,
                part: path.to_string(),
                message: format!("`{path}`: there is no step `{name}` in this skill"),
                help: did_you_mean(&near).or_else(|| Some(all())),
            }))
        }
    }
}

/// `` `a`, `b` and `c` ``
fn in_words(names: &[&str]) -> String {
    let quoted: Vec<_> = names.iter().map(|it| format!("`{it}`")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => quoted.join(""),
    }
}
