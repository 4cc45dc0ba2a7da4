//! Sample values that represent every value that something can have.

use capstan_schema::{Schema, Type, TypeSet};
use serde_json::{Value, json};

use super::types::Ty;

/// The largest number of values of an enum that are tried one by one.
const MOST_VALUES: usize = 256;

/// Sample values such that each possible value compares like one of them with every literal in question.
pub(super) struct Candidates {
    /// The values; `None` is an absent value.
    pub(super) values: Vec<Option<Value>>,
    /// Whether the candidates are exactly the possible values, so that none represents others.
    pub(super) is_exact: bool,
}

impl Candidates {
    /// Chooses samples for a value of this type. `literals` lists everything that the value is compared with.
    pub(super) fn from_type(ty: &Ty, literals: &[Value]) -> Self {
        let schema = ty.schema();
        let finite = schema.and_then(|schema| Some((schema, finite(schema.node())?)));
        let mut values: Vec<Option<Value>> = Vec::new();
        let is_exact = finite.is_some();
        match finite {
            Some((schema, all)) => {
                let possible = all.into_iter().filter(|it| is_possible(schema, it));
                values.extend(possible.map(Some));
            }
            None => values.extend(representatives(schema, literals).into_iter().map(Some)),
        }
        // A schema that nothing matches says nothing about the value.
        if !ty.always || values.is_empty() {
            values.push(None);
        }
        Self { values, is_exact }
    }
}

/// Returns every value that matches a schema, and perhaps more; `None` if there are too many to list.
fn finite(node: &Value) -> Option<Vec<Value>> {
    let fields = node.as_object()?;
    if let Some(value) = fields.get("const") {
        return Some(vec![value.clone()]);
    }
    if let Some(values) = fields.get("enum").and_then(Value::as_array) {
        return (values.len() <= MOST_VALUES).then(|| values.clone());
    }
    let of_type = |name: &str| match name {
        "boolean" => Some(vec![json!(true), json!(false)]),
        "null" => Some(vec![Value::Null]),
        _ => None,
    };
    match fields.get("type") {
        Some(Value::String(name)) => {
            if let Some(values) = of_type(name) {
                return Some(values);
            }
        }
        Some(Value::Array(names)) if !names.is_empty() => {
            let each = names.iter().map(|name| of_type(name.as_str()?));
            if let Some(values) = each.collect::<Option<Vec<_>>>() {
                return Some(values.concat());
            }
        }
        _ => {}
    }
    let choices = fields.get("anyOf").or_else(|| fields.get("oneOf"));
    let choices = choices.and_then(Value::as_array)?;
    let each = choices.iter().map(finite);
    let all = each.collect::<Option<Vec<_>>>()?.concat();
    (all.len() <= MOST_VALUES).then_some(all)
}

fn is_possible(schema: Schema<'_>, value: &Value) -> bool {
    schema.accepts(value) != Some(false)
}

/// Returns one value per literal and one per gap between, below and above the literals, as far as the schema
/// allows them.
fn representatives(schema: Option<Schema<'_>>, literals: &[Value]) -> Vec<Value> {
    let can_be = |one: Type| schema.is_none_or(|schema| schema.types().contains(one));
    let is_possible = |value: &Value| schema.is_none_or(|schema| is_possible(schema, value));
    let mut values = Vec::new();
    if schema.is_none_or(|schema| schema.types().meets(numbers())) {
        let points = literals.iter().filter_map(Value::as_f64);
        let range = schema.map_or_else(NumberInterval::unbounded, NumberInterval::from_schema);
        values.extend(range.representatives(points.collect(), &is_possible));
    }
    if can_be(Type::String) {
        let texts = literals.iter().filter_map(Value::as_str);
        values.extend(representative_texts(texts.collect(), &is_possible));
    }
    if can_be(Type::Boolean) {
        values.extend([json!(true), json!(false)]);
    }
    if can_be(Type::Null) {
        values.push(Value::Null);
    }
    if can_be(Type::Array) {
        let lists = literals.iter().filter(|it| it.is_array());
        values.extend(lists.cloned());
        values.extend([json!([]), json!([[["neither"]]])]);
    }
    if can_be(Type::Object) {
        values.push(json!({}));
    }
    values
}

fn numbers() -> TypeSet {
    TypeSet::of(Type::Number).union(TypeSet::of(Type::Integer))
}

/// The numbers between two bounds.
#[derive(Clone, Copy)]
struct NumberInterval {
    low: f64,
    high: f64,
    excludes_low: bool,
    excludes_high: bool,
    is_whole: bool,
}

impl NumberInterval {
    fn unbounded() -> Self {
        Self {
            low: f64::NEG_INFINITY,
            high: f64::INFINITY,
            excludes_low: false,
            excludes_high: false,
            is_whole: false,
        }
    }

    /// Reads the bounds that stand next to `type`. Bounds elsewhere in the schema are ignored.
    fn from_schema(schema: Schema<'_>) -> Self {
        let bound = |key: &str| schema.node().get(key).and_then(Value::as_f64);
        let mut range = Self::unbounded();
        range.is_whole = !schema.types().contains(Type::Number);
        if let Some(low) = bound("minimum") {
            range.low = low;
        }
        if let Some(low) = bound("exclusiveMinimum").filter(|it| *it >= range.low) {
            (range.low, range.excludes_low) = (low, true);
        }
        if let Some(high) = bound("maximum") {
            range.high = high;
        }
        if let Some(high) = bound("exclusiveMaximum").filter(|it| *it <= range.high) {
            (range.high, range.excludes_high) = (high, true);
        }
        range
    }

    /// Returns one number for each point and for each gap between points, if the interval has one there.
    fn representatives(
        self,
        mut points: Vec<f64>,
        is_possible: &dyn Fn(&Value) -> bool,
    ) -> Vec<Value> {
        // Zero counts as false in a condition.
        points.push(0.0);
        points.sort_by(f64::total_cmp);
        points.dedup();
        let mut values = Vec::new();
        let mut before = f64::NEG_INFINITY;
        for point in points {
            values.extend(self.between(before, point));
            let value = number(point);
            if self.has(point) && value.as_ref().is_some_and(is_possible) {
                values.extend(value);
            }
            before = point;
        }
        values.extend(self.between(before, f64::INFINITY));
        values
    }

    fn has(self, point: f64) -> bool {
        let above = point > self.low || (point == self.low && !self.excludes_low);
        let below = point < self.high || (point == self.high && !self.excludes_high);
        above && below && (!self.is_whole || point.fract() == 0.0)
    }

    /// Returns a number between two points, if the interval has one there.
    fn between(self, low: f64, high: f64) -> Option<Value> {
        let (least, most) = (low.max(self.low), high.min(self.high));
        let takes_least = least > low && !self.excludes_low;
        let takes_most = most < high && !self.excludes_high;
        let is_empty = if self.is_whole {
            let mut first = least.ceil();
            if first == least && !takes_least {
                first += 1.0;
            }
            first > most || (first == most && !takes_most)
        } else {
            least > most || (least == most && !(takes_least && takes_most))
        };
        if is_empty {
            return None;
        }
        // This number is compared only with the ends of the gap, so it may lie outside the interval.
        let middle = match (low.is_finite(), high.is_finite()) {
            (true, true) => low + (high - low) / 2.0,
            (false, true) => high - high.abs().max(1.0),
            (true, false) => low + low.abs().max(1.0),
            (false, false) => 0.0,
        };
        (middle > low && middle < high).then(|| number(middle))?
    }
}

fn number(value: f64) -> Option<Value> {
    /// Below this limit every whole number can be represented exactly as a float.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if value.fract() == 0.0 && value.abs() < EXACT {
        #[expect(clippy::cast_possible_truncation, reason = "it is whole and in range")]
        return Some(Value::from(value as i64));
    }
    serde_json::Number::from_f64(value).map(Value::Number)
}

/// Returns one text for each of these texts and one for each gap between them.
fn representative_texts(mut texts: Vec<&str>, is_possible: &dyn Fn(&Value) -> bool) -> Vec<Value> {
    // The empty text counts as false in a condition, and sorts before all others.
    texts.push("");
    texts.sort_unstable();
    texts.dedup();
    let mut values = Vec::new();
    for (index, text) in texts.iter().enumerate() {
        let point = Value::from(*text);
        if is_possible(&point) {
            values.push(point);
        }
        // No text sorts between a text and the same text followed by a zero character.
        let next = format!("{text}\0");
        if texts
            .get(index + 1)
            .is_none_or(|after| next.as_str() < *after)
        {
            values.push(Value::from(next));
        }
    }
    values
}
