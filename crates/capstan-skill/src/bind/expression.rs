//! The types of expressions, and what is wrong with them.

use std::collections::BTreeSet;

use capstan_core::expr::{Comparison, Expr, Path, Segment};
use capstan_schema::{Type, TypeSet};
use serde_json::{Value, json};

use super::scope::{Meaning, Scope};
use super::types::{Missing, Ty};
use crate::Given;
use crate::codes::{EXPRESSION, UNKNOWN_STEP};
use crate::near::{did_you_mean, nearest};

/// What is wrong with an expression.
pub(super) struct Wrong {
    pub(super) code: &'static str,
    pub(super) message: String,
    pub(super) help: Option<String>,
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
        Meaning::Output(step, _) | Meaning::Step(step) => Some(step),
        Meaning::Input(_) | Meaning::Nothing(_) => None,
    };
    paths.into_iter().filter_map(step).collect()
}

/// The type of what a step is given.
pub(super) fn type_of(scope: &Scope<'_>, given: &Given) -> Result<Ty, Wrong> {
    match given {
        Given::Literal(value) => Ok(Ty::made(json!({"const": value}))),
        Given::Expr(expr) => type_of_expr(scope, expr),
        Given::List(items) => {
            let mut all = Vec::with_capacity(items.len());
            let mut known = true;
            for item in items {
                match type_of(scope, item)?.into_schema() {
                    Some(schema) => all.push(schema),
                    None => known = false,
                }
            }
            let count = all.len();
            Ok(match known {
                true => Ty::made(json!({
                    "type": "array", "prefixItems": all, "minItems": count, "maxItems": count,
                })),
                false => Ty::unknown(),
            })
        }
        Given::Object(fields) => {
            let mut properties = serde_json::Map::new();
            let mut required = Vec::new();
            let mut known = true;
            for (name, given) in fields {
                let ty = type_of(scope, given)?;
                if ty.always {
                    required.push(Value::from(name.as_str()));
                }
                match ty.into_schema() {
                    Some(schema) => {
                        properties.insert(name.clone(), schema);
                    }
                    None => known = false,
                }
            }
            Ok(match known {
                true => Ty::made(json!({
                    "type": "object",
                    "properties": properties,
                    "required": required,
                    "additionalProperties": false,
                })),
                false => Ty::unknown(),
            })
        }
    }
}

pub(super) fn type_of_expr(scope: &Scope<'_>, expr: &Expr) -> Result<Ty, Wrong> {
    match expr {
        Expr::Literal(value) => Ok(Ty::made(json!({"const": value}))),
        Expr::Path(path) => type_of_path(scope, path),
        Expr::Filtered(inner, _) => {
            type_of_expr(scope, inner)?;
            Ok(Ty::unknown())
        }
        Expr::Not(inner) => {
            type_of_expr(scope, inner)?;
            Ok(Ty::boolean())
        }
        Expr::And(left, right) | Expr::Or(left, right) => {
            type_of_expr(scope, left)?;
            type_of_expr(scope, right)?;
            Ok(Ty::boolean())
        }
        Expr::Compare(comparison, left, right) => {
            learn(scope, left, right);
            learn(scope, right, left);
            let (left, right) = (type_of_expr(scope, left)?, type_of_expr(scope, right)?);
            comparable(*comparison, &left, &right)?;
            Ok(Ty::boolean())
        }
    }
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

fn type_of_path(scope: &Scope<'_>, path: &Path) -> Result<Ty, Wrong> {
    let missing = |owner: String, missing: Missing| {
        let near = nearest(&missing.name, missing.known.iter().map(String::as_str));
        Wrong {
            code: EXPRESSION,
            message: format!("`{path}`: {owner} has no `{}`", missing.name),
            help: did_you_mean(&near).or_else(|| match missing.known.is_empty() {
                true => None,
                false => Some(format!("it has {}", missing.known.join(", "))),
            }),
        }
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
        Meaning::Step(step) => {
            let name = scope.step_name(step);
            Err(Wrong {
                code: EXPRESSION,
                message: format!("`{path}` names a step, but nothing of it"),
                help: Some(format!("what it gives is `${name}.output`")),
            })
        }
        Meaning::Nothing(name) => {
            let known = super::names(scope.parts).chain(["input"]);
            Err(Wrong {
                code: UNKNOWN_STEP,
                message: format!("`{path}`: there is no step `{name}` in this skill"),
                help: did_you_mean(&nearest(&name, known)),
            })
        }
    }
}

/// Two values that can never be what is asked for are a mistake.
fn comparable(comparison: Comparison, left: &Ty, right: &Ty) -> Result<(), Wrong> {
    let (Some(one), Some(other)) = (left.schema(), right.schema()) else {
        return Ok(());
    };
    let (one, other) = (one.types(), other.types());
    let numbers = TypeSet::of(Type::Number).union(TypeSet::of(Type::Integer));
    let texts = TypeSet::of(Type::String);
    let sense = match comparison {
        Comparison::Equal | Comparison::NotEqual => {
            let meet = |left: TypeSet, right: TypeSet| {
                left.meets(right) || (left.meets(numbers) && right.meets(numbers))
            };
            // What is absent is equal to null.
            let null = TypeSet::of(Type::Null);
            let absent = |ty: &Ty, types: TypeSet| !ty.always && types.meets(null);
            meet(one, other) || absent(left, other) || absent(right, one)
        }
        Comparison::Less
        | Comparison::LessOrEqual
        | Comparison::Greater
        | Comparison::GreaterOrEqual => {
            let both = |kind: TypeSet| one.meets(kind) && other.meets(kind);
            both(numbers) || both(texts)
        }
        Comparison::In => other.contains(Type::Array),
        Comparison::SubsetOf => one.contains(Type::Array) && other.contains(Type::Array),
    };
    match sense {
        true => Ok(()),
        false => Err(Wrong {
            code: EXPRESSION,
            message: format!(
                "this compares {} with {}, which never comes out differently",
                left.words(),
                right.words()
            ),
            help: None,
        }),
    }
}
