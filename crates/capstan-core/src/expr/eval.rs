//! Evaluates expressions. Evaluation never fails: a missing value or one of another type is absent.

use std::borrow::Cow;
use std::cmp::Ordering;

use serde_json::Value;

use super::{Comparison, Expr, Path, Root, Segment};

/// The values that an expression can read.
#[derive(Clone, Copy, Debug)]
pub struct Scope<'a> {
    this: &'a Value,
    variables: &'a serde_json::Map<String, Value>,
}

impl<'a> Scope<'a> {
    pub fn new(this: &'a Value, variables: &'a serde_json::Map<String, Value>) -> Self {
        Self { this, variables }
    }

    /// Returns a scope with the same names and another current value.
    pub fn with_this<'b>(&self, this: &'b Value) -> Scope<'b>
    where
        'a: 'b,
    {
        Scope {
            this,
            variables: self.variables,
        }
    }
}

impl Expr {
    /// Returns the value; `None` if it is absent.
    pub fn eval(&self, scope: &Scope<'_>) -> Option<Value> {
        self.find(scope).map(Cow::into_owned)
    }

    /// Like [`Self::eval`], without a copy of a value that exists already.
    fn find<'a>(&'a self, scope: &Scope<'a>) -> Option<Cow<'a, Value>> {
        let made: Value = match self {
            Expr::Literal(value) => return Some(Cow::Borrowed(value)),
            Expr::Path(path) => return path.find(scope),
            Expr::Filtered(inner, filter) => {
                return filter.apply(inner.eval(scope), scope).map(Cow::Owned);
            }
            Expr::Not(inner) => (!inner.holds(scope)).into(),
            Expr::And(left, right) => (left.holds(scope) && right.holds(scope)).into(),
            Expr::Or(left, right) => (left.holds(scope) || right.holds(scope)).into(),
            Expr::Compare(comparison, left, right) => {
                let (left, right) = (left.find(scope), right.find(scope));
                compare(*comparison, left.as_deref(), right.as_deref()).into()
            }
        };
        Some(Cow::Owned(made))
    }

    /// Returns whether the expression, as a predicate, is true.
    pub fn holds(&self, scope: &Scope<'_>) -> bool {
        truthy(self.find(scope).as_deref())
    }
}

impl Path {
    /// Returns a copy of the value; `None` if it is absent.
    pub fn eval(&self, scope: &Scope<'_>) -> Option<Value> {
        self.find(scope).map(Cow::into_owned)
    }

    /// Returns the value itself where the path leads to one, and a new array if it collects several.
    pub fn find<'a>(&self, scope: &Scope<'a>) -> Option<Cow<'a, Value>> {
        let start = match &self.root {
            Root::This => scope.this,
            Root::Variable(name) => scope.variables.get(name)?,
        };
        walk(start, &self.segments)
    }
}

/// Returns whether a value counts as true. Absent, null, false, zero, the empty text and the empty
/// array are false.
pub fn truthy(value: Option<&Value>) -> bool {
    match value {
        None | Some(Value::Null) => false,
        Some(Value::Bool(flag)) => *flag,
        Some(Value::Number(number)) => number.as_f64() != Some(0.0),
        Some(Value::String(text)) => !text.is_empty(),
        Some(Value::Array(items)) => !items.is_empty(),
        Some(Value::Object(_)) => true,
    }
}

fn walk<'a>(value: &'a Value, segments: &[Segment]) -> Option<Cow<'a, Value>> {
    let Some((segment, rest)) = segments.split_first() else {
        return Some(Cow::Borrowed(value));
    };
    match segment {
        Segment::Key(key) => walk(value.get(key)?, rest),
        Segment::Index(index) => {
            let items = value.as_array()?;
            let at = if *index < 0 {
                items
                    .len()
                    .checked_sub(usize::try_from(index.unsigned_abs()).ok()?)?
            } else {
                usize::try_from(*index).ok()?
            };
            walk(items.get(at)?, rest)
        }
        Segment::Each => {
            let items = value.as_array()?;
            let found = items.iter().filter_map(|item| walk(item, rest));
            Some(Cow::Owned(found.map(Cow::into_owned).collect()))
        }
    }
}

fn compare(comparison: Comparison, left: Option<&Value>, right: Option<&Value>) -> bool {
    // Predicates treat absent and null alike.
    let left = left.unwrap_or(&Value::Null);
    let right = right.unwrap_or(&Value::Null);
    match comparison {
        Comparison::Equal => equal(left, right),
        Comparison::NotEqual => !equal(left, right),
        Comparison::Less => order(left, right).is_some_and(Ordering::is_lt),
        Comparison::LessOrEqual => order(left, right).is_some_and(Ordering::is_le),
        Comparison::Greater => order(left, right).is_some_and(Ordering::is_gt),
        Comparison::GreaterOrEqual => order(left, right).is_some_and(Ordering::is_ge),
        Comparison::In => contains(right, left),
        Comparison::SubsetOf => left
            .as_array()
            .is_some_and(|items| items.iter().all(|item| contains(right, item))),
    }
}

fn contains(array: &Value, item: &Value) -> bool {
    array
        .as_array()
        .is_some_and(|items| items.iter().any(|other| equal(other, item)))
}

/// Returns whether two values are equal; `1` and `1.0` are the same number.
fn equal(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(l), Value::Number(r)) if l != r => l.as_f64() == r.as_f64(),
        _ => left == right,
    }
}

fn order(left: &Value, right: &Value) -> Option<Ordering> {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => left.as_f64()?.partial_cmp(&right.as_f64()?),
        (Value::String(left), Value::String(right)) => Some(left.cmp(right)),
        _ => None,
    }
}
