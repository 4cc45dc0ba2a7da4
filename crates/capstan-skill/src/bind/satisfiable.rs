//! Whether a condition can be true at all.
//!
//! Every path gets the values that tell all values apart that it can have: each value of an enum, and
//! otherwise the literals that it is compared with and one value between, below and above them. The
//! condition is then evaluated with all combinations. What cannot be told this way counts as possibly
//! true and possibly false, so a condition that can be true is never called impossible.

use capstan_core::expr::{Comparison, Expr, Filter, Path, Root, Scope, truthy};
use serde_json::{Map, Value};

use super::candidates::Candidates;
use super::types::Ty;

/// Conditions with more combinations count as possibly true.
const MOST_COMBINATIONS: usize = 4096;

/// Whether there may be values with which the condition holds. `type_of` gives what is known of a path.
pub(super) fn can_be_true(condition: &Expr, type_of: &dyn Fn(&Path) -> Ty) -> bool {
    let mut variables = Vec::new();
    collect(condition, type_of, &mut variables);
    let Some(combinations) = combinations(&variables) else {
        return true;
    };
    (0..combinations).any(|index| {
        let chosen = Chosen {
            variables: &variables,
            index,
        };
        chosen.truth(condition) != Some(false)
    })
}

/// The values that an operand can have, if all of them are known and few.
pub(super) fn values_of(operand: &Expr, type_of: &dyn Fn(&Path) -> Ty) -> Option<Vec<Value>> {
    let mut variables = Vec::new();
    for path in operand.paths() {
        let candidates = Candidates::of(&type_of(path), &[]);
        if !candidates.is_exact {
            return None;
        }
        add(&mut variables, path, candidates);
    }
    let combinations = combinations(&variables).filter(|_| is_pure(operand))?;
    let mut values = Vec::new();
    for index in 0..combinations {
        let chosen = Chosen {
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

/// A path and the values that stand for all that it can have.
struct Variable {
    path: Path,
    candidates: Candidates,
}

/// One combination of values.
struct Chosen<'a> {
    variables: &'a [Variable],
    index: usize,
}

impl Chosen<'_> {
    /// Whether the condition holds; nothing where that cannot be told.
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
            // Whoever writes `false` means it.
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
        // Values that only stand for others are right for plain comparisons with literals alone.
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

/// The paths of the parts of a condition that can be told, with their values.
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
        let candidates = Candidates::of(&type_of(path), &literals);
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

/// How many combinations of values there are; nothing if there are too many.
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

/// The path of a part that compares it with literals alone, and the literals; a path by itself is compared
/// with none.
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

/// Whether the value depends on nothing but the paths that `paths` names.
fn is_pure(expr: &Expr) -> bool {
    match expr {
        Expr::Literal(_) | Expr::Path(_) => true,
        Expr::Filtered(inner, filter) => {
            let is_pure_filter = match filter {
                Filter::Where(_) | Filter::Sort(_) | Filter::Map(_) | Filter::Sum(_) => false,
                Filter::Default(other)
                | Filter::Concat(other)
                | Filter::Add(other)
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

/// What a comparison with a text in the wrong case comes out as: `upper` gives no small letters of ASCII,
/// `lower` no capital ones.
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

/// A path that leads to nothing.
fn absent() -> Path {
    Path {
        root: Root::Variable("absent".to_owned()),
        segments: Vec::new(),
    }
}
