//! Decides whether a condition can be true at all.
//!
//! Every path gets sample values that represent all its possible values: each value of an enum, or else the
//! literals that it is compared with and one value between, below and above them. The condition is then
//! evaluated with all combinations. Anything that cannot be decided this way counts as possibly true and
//! possibly false, so a condition that can be true is never called impossible.

use capstan_core::expr::{Comparison, Expr, Filter, Path, Root, Scope, truthy};
use serde_json::{Map, Value};

use super::candidates::Candidates;
use super::types::Ty;

/// Conditions with more combinations count as possibly true.
const MOST_COMBINATIONS: usize = 4096;

/// Whether some values may satisfy the condition. `type_of` returns the known type of a path.
pub(super) fn can_be_true(condition: &Expr, type_of: &dyn Fn(&Path) -> Ty) -> bool {
    let mut variables = Vec::new();
    collect(condition, type_of, &mut variables);
    let Some(combinations) = combinations(&variables) else {
        return true;
    };
    (0..combinations).any(|index| {
        let chosen = Assignment {
            variables: &variables,
            index,
        };
        chosen.truth(condition) != Some(false)
    })
}

/// Returns the possible values of an operand if all of them are known and few.
pub(super) fn values_of(operand: &Expr, type_of: &dyn Fn(&Path) -> Ty) -> Option<Vec<Value>> {
    let mut variables = Vec::new();
    for path in operand.paths() {
        let candidates = Candidates::from_type(&type_of(path), &[]);
        if !candidates.is_exact {
            return None;
        }
        add(&mut variables, path, candidates);
    }
    let combinations = combinations(&variables)?;
    if !is_pure(operand) {
        return None;
    }
    let mut values = Vec::new();
    for index in 0..combinations {
        let chosen = Assignment {
            variables: &variables,
            index,
        };
        let value = chosen.value(operand).unwrap_or(Value::Null);
        if !values.contains(&value) {
            values.push(value);
        }
    }
    Some(values)
}

/// A path and the sample values that represent its possible values.
struct Variable {
    path: Path,
    candidates: Candidates,
}

/// One combination of values.
struct Assignment<'a> {
    variables: &'a [Variable],
    index: usize,
}

impl Assignment<'_> {
    /// Whether the condition holds; `None` if that cannot be decided.
    fn truth(&self, condition: &Expr) -> Option<bool> {
        match condition {
            Expr::Not(inner) => self.truth(inner).map(|it| !it),
            Expr::And(left, right) => match (self.truth(left), self.truth(right)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            },
            Expr::Or(left, right) => match (self.truth(left), self.truth(right)) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            },
            // A literal `false` is intended, so it is not reported as impossible.
            Expr::Literal(_) => None,
            atom => match wrong_case(atom) {
                Some(truth) => Some(truth),
                None if self.is_known(atom) => Some(truthy(self.value(atom).as_ref())),
                None => None,
            },
        }
    }

    fn is_known(&self, atom: &Expr) -> bool {
        let has_value = |path: &&Path| self.variables.iter().any(|it| it.path == **path);
        let paths = atom.paths();
        if !is_pure(atom) || !paths.iter().all(has_value) {
            return false;
        }
        // Samples that represent other values are exact only for plain comparisons with literals.
        let is_exact = |path: &&Path| {
            let mut known = self.variables.iter().filter(|it| it.path == **path);
            known.any(|it| it.candidates.is_exact)
        };
        plain_comparison(atom).is_some() || paths.iter().all(is_exact)
    }

    fn value(&self, expr: &Expr) -> Option<Value> {
        let nothing = Map::new();
        self.substituted(expr)
            .eval(&Scope::new(&Value::Null, &nothing))
    }

    fn substituted(&self, expr: &Expr) -> Expr {
        let boxed = |expr: &Expr| Box::new(self.substituted(expr));
        match expr {
            Expr::Literal(_) => expr.clone(),
            Expr::Path(path) => match self.chosen(path) {
                Some(value) => Expr::Literal(value.clone()),
                None => Expr::Path(absent()),
            },
            Expr::Filtered(inner, filter) => {
                let filter = match filter {
                    Filter::Default(other) => Filter::Default(boxed(other)),
                    Filter::Concat(other) => Filter::Concat(boxed(other)),
                    Filter::Add(other) => Filter::Add(boxed(other)),
                    Filter::Nearest(other) => Filter::Nearest(boxed(other)),
                    Filter::ReplaceTexts(other) => Filter::ReplaceTexts(boxed(other)),
                    Filter::SecondsSince(other) => Filter::SecondsSince(boxed(other)),
                    other => other.clone(),
                };
                Expr::Filtered(boxed(inner), filter)
            }
            Expr::Not(inner) => Expr::Not(boxed(inner)),
            Expr::And(left, right) => Expr::And(boxed(left), boxed(right)),
            Expr::Or(left, right) => Expr::Or(boxed(left), boxed(right)),
            Expr::Compare(comparison, left, right) => {
                Expr::Compare(*comparison, boxed(left), boxed(right))
            }
        }
    }

    fn chosen(&self, path: &Path) -> Option<&Value> {
        let mut index = self.index;
        for variable in self.variables {
            let values = &variable.candidates.values;
            let count = values.len();
            if variable.path == *path {
                return values[index % count].as_ref();
            }
            index /= count;
        }
        None
    }
}

/// Collects the paths whose influence on the condition can be decided, with their sample values.
fn collect(condition: &Expr, type_of: &dyn Fn(&Path) -> Ty, variables: &mut Vec<Variable>) {
    let mut compared: Vec<(&Path, Vec<Value>)> = Vec::new();
    plain_comparisons(condition, &mut compared);
    for path in condition.paths() {
        let mut literals = Vec::new();
        let mut is_compared = false;
        for (_, more) in compared.iter().filter(|(known, _)| *known == path) {
            is_compared = true;
            literals.extend(more.iter().cloned());
        }
        let candidates = Candidates::from_type(&type_of(path), &literals);
        if is_compared || candidates.is_exact {
            add(variables, path, candidates);
        }
    }
}

fn add(variables: &mut Vec<Variable>, path: &Path, candidates: Candidates) {
    if variables.iter().all(|it| it.path != *path) {
        variables.push(Variable {
            path: path.clone(),
            candidates,
        });
    }
}

/// Returns the number of combinations of values; `None` above the limit.
fn combinations(variables: &[Variable]) -> Option<usize> {
    let mut counts = variables.iter().map(|it| it.candidates.values.len());
    counts
        .try_fold(1_usize, |product, count| product.checked_mul(count))
        .filter(|count| *count <= MOST_COMBINATIONS)
}

fn plain_comparisons<'a>(condition: &'a Expr, into: &mut Vec<(&'a Path, Vec<Value>)>) {
    match condition {
        Expr::Not(inner) => plain_comparisons(inner, into),
        Expr::And(left, right) | Expr::Or(left, right) => {
            plain_comparisons(left, into);
            plain_comparisons(right, into);
        }
        atom => into.extend(plain_comparison(atom)),
    }
}

/// Returns the path and the literals of a comparison that has only literals on the other side. A path alone
/// is compared with no literals.
fn plain_comparison(atom: &Expr) -> Option<(&Path, Vec<Value>)> {
    match atom {
        Expr::Path(path) => Some((path, Vec::new())),
        Expr::Compare(Comparison::SubsetOf, ..) => None,
        Expr::Compare(Comparison::In, left, right) => match (left.as_ref(), right.as_ref()) {
            (Expr::Path(path), Expr::Literal(Value::Array(values))) => Some((path, values.clone())),
            _ => None,
        },
        Expr::Compare(_, left, right) => match (left.as_ref(), right.as_ref()) {
            (Expr::Path(path), Expr::Literal(value)) | (Expr::Literal(value), Expr::Path(path)) => {
                Some((path, vec![value.clone()]))
            }
            _ => None,
        },
        _ => None,
    }
}

/// Whether the value depends only on the paths that `Expr::paths` returns.
fn is_pure(expr: &Expr) -> bool {
    match expr {
        Expr::Literal(_) | Expr::Path(_) => true,
        Expr::Filtered(inner, filter) => {
            let is_pure_filter = match filter {
                Filter::Where(_) | Filter::Sort(_) | Filter::Map(_) | Filter::Sum(_) => false,
                Filter::Default(other)
                | Filter::Concat(other)
                | Filter::Add(other)
                | Filter::Nearest(other)
                | Filter::ReplaceTexts(other)
                | Filter::SecondsSince(other) => is_pure(other),
                _ => true,
            };
            is_pure_filter && is_pure(inner)
        }
        Expr::Not(inner) => is_pure(inner),
        Expr::And(left, right) | Expr::Or(left, right) | Expr::Compare(_, left, right) => {
            is_pure(left) && is_pure(right)
        }
    }
}

/// Returns the result of comparing a text with `upper` or `lower` of something, if the text has a letter of
/// the other case: `upper` never returns small ASCII letters, `lower` never capital ones.
fn wrong_case(atom: &Expr) -> Option<bool> {
    let Expr::Compare(comparison @ (Comparison::Equal | Comparison::NotEqual), left, right) = atom
    else {
        return None;
    };
    let (filter, text) = match (left.as_ref(), right.as_ref()) {
        (Expr::Filtered(_, filter), Expr::Literal(Value::String(text)))
        | (Expr::Literal(Value::String(text)), Expr::Filtered(_, filter)) => (filter, text),
        _ => return None,
    };
    let never_given = match filter {
        Filter::Upper => text.contains(|c: char| c.is_ascii_lowercase()),
        Filter::Lower => text.contains(|c: char| c.is_ascii_uppercase()),
        _ => false,
    };
    never_given.then_some(*comparison == Comparison::NotEqual)
}

/// A path that has no value.
fn absent() -> Path {
    Path {
        root: Root::Variable("absent".to_owned()),
        segments: Vec::new(),
    }
}
