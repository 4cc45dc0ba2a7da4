//! The filters: small functions from a value to a value that never fail.

use serde_json::Value;

use super::{Expr, Scope, truthy};
use crate::date::UtcTime;
use crate::similar;

/// How many texts `nearest` returns at most.
const MOST_NEAREST: usize = 5;

/// A filter with its arguments checked.
#[derive(Clone, Debug, PartialEq)]
pub enum Filter {
    Lower,
    Upper,
    Trim,
    /// The number of elements, or of characters of a text.
    Count,
    First,
    Last,
    /// The last elements, in their order; all of them if there are fewer.
    LastOf(usize),
    /// The element of an array that has exactly one.
    Only,
    /// The texts of an array, joined.
    Join(String),
    /// Another value if there is none (absent or null).
    Default(Box<Expr>),
    /// Absent if the value equals the argument.
    NullIf(Value),
    /// The elements for which a predicate is true.
    Where(Box<Expr>),
    /// A lookup table: pairs of (is, becomes), and the value for the rest.
    Case(Vec<(Value, Value)>, Option<Value>),
    /// The text in double quotes, as GitHub's search requires.
    Quote,
    /// The words of a text as GitHub's search reads it: text in double quotes stays together, with
    /// its quotes.
    Words,
    /// Adds text before or after a value that is present.
    Prefix(String),
    Suffix(String),
    /// Removes the text at the start or the end, if it is there.
    StripPrefix(String),
    StripSuffix(String),
    /// The text before or after the last place where another is; before it, nothing if it is nowhere.
    BeforeLast(String),
    AfterLast(String),
    /// Whether a text contains another.
    Contains(String),
    /// The five texts of an array that are most similar to another, the most similar first.
    Nearest(Box<Expr>),
    /// The value with the elements of an array in place of its texts, in their order. A text without an element is
    /// left out.
    ReplaceTexts(Box<Expr>),
    /// An array with only this value.
    List,
    /// Two arrays as one; a missing array counts as empty.
    Concat(Box<Expr>),
    /// The elements in the order of their keys, or of themselves without a key.
    Sort(Vec<Expr>),
    /// The sum of two numbers; a missing number counts as zero.
    Add(Box<Expr>),
    /// The whole seconds from an earlier timestamp to this one; negative if the other is later.
    SecondsSince(Box<Expr>),
    /// Converts a whole number in a text to a number.
    Integer,
    /// The value if it is a number, else absent.
    Number,
    /// The value if it is a text, else absent.
    Text,
    /// The value of an expression for each element; elements without a value are left out.
    Map(Box<Expr>),
    /// The sum of an expression over the elements.
    Sum(Box<Expr>),
}

impl Filter {
    /// Returns the expressions in its arguments.
    pub(super) fn arguments(&self) -> Vec<&Expr> {
        match self {
            Filter::Default(expr)
            | Filter::Where(expr)
            | Filter::Concat(expr)
            | Filter::Map(expr)
            | Filter::Sum(expr)
            | Filter::Add(expr)
            | Filter::Nearest(expr)
            | Filter::ReplaceTexts(expr)
            | Filter::SecondsSince(expr) => {
                vec![expr]
            }
            Filter::Sort(keys) => keys.iter().collect(),
            _ => Vec::new(),
        }
    }

    /// Returns the argument that starts at the same value as the filtered expression. Those of
    /// `where`, `sort`, `map` and `sum` start at an element.
    pub(super) fn outer_argument(&self) -> Option<&Expr> {
        match self {
            Filter::Default(expr)
            | Filter::Concat(expr)
            | Filter::Add(expr)
            | Filter::Nearest(expr)
            | Filter::ReplaceTexts(expr)
            | Filter::SecondsSince(expr) => Some(expr),
            _ => None,
        }
    }

    pub(super) fn new(name: &str, arguments: Vec<Expr>) -> Result<Self, String> {
        let simple = match name {
            "lower" => Some(Filter::Lower),
            "upper" => Some(Filter::Upper),
            "trim" => Some(Filter::Trim),
            "count" => Some(Filter::Count),
            "first" => Some(Filter::First),
            "last" if arguments.is_empty() => Some(Filter::Last),
            "only" => Some(Filter::Only),
            "quote" => Some(Filter::Quote),
            "integer" => Some(Filter::Integer),
            "list" => Some(Filter::List),
            "number" => Some(Filter::Number),
            "text" => Some(Filter::Text),
            "words" => Some(Filter::Words),
            _ => None,
        };
        if let Some(filter) = simple {
            return if arguments.is_empty() {
                Ok(filter)
            } else {
                Err(format!("the filter `{name}` takes no argument"))
            };
        }
        match name {
            "last" => count(name, arguments).map(Filter::LastOf),
            "join" => Ok(Filter::Join(text(name, arguments)?)),
            "prefix" => Ok(Filter::Prefix(text(name, arguments)?)),
            "suffix" => Ok(Filter::Suffix(text(name, arguments)?)),
            "strip_prefix" => Ok(Filter::StripPrefix(text(name, arguments)?)),
            "strip_suffix" => Ok(Filter::StripSuffix(text(name, arguments)?)),
            "before_last" => Ok(Filter::BeforeLast(text(name, arguments)?)),
            "after_last" => Ok(Filter::AfterLast(text(name, arguments)?)),
            "contains" => Ok(Filter::Contains(text(name, arguments)?)),
            "nearest" => Ok(Filter::Nearest(Box::new(single(name, arguments)?))),
            "replace_texts" => Ok(Filter::ReplaceTexts(Box::new(single(name, arguments)?))),
            "concat" => Ok(Filter::Concat(Box::new(single(name, arguments)?))),
            "add" => Ok(Filter::Add(Box::new(single(name, arguments)?))),
            "seconds_since" => Ok(Filter::SecondsSince(Box::new(single(name, arguments)?))),
            "sort" => Ok(Filter::Sort(arguments)),
            "map" => Ok(Filter::Map(Box::new(single(name, arguments)?))),
            "sum" => Ok(Filter::Sum(Box::new(single(name, arguments)?))),
            "default" => Ok(Filter::Default(Box::new(single(name, arguments)?))),
            "where" => Ok(Filter::Where(Box::new(single(name, arguments)?))),
            "null_if" => literal(name, single(name, arguments)?).map(Filter::NullIf),
            "case" => case(arguments),
            _ => Err(format!(
                "unknown filter `{name}`: expected lower, upper, trim, count, first, last, only, join, \
                 default, null_if, where, case, quote, prefix, suffix, strip_prefix, strip_suffix, \
                 before_last, after_last, contains, nearest, replace_texts, words, list, concat, sort, map, \
                 add, sum, seconds_since, integer, number or text"
            )),
        }
    }

    pub(super) fn apply(&self, value: Option<Value>, scope: &Scope<'_>) -> Option<Value> {
        match self {
            Filter::Default(other) => match value {
                None | Some(Value::Null) => other.eval(scope),
                some => some,
            },
            Filter::Count => match value {
                Some(Value::Array(items)) => Some(items.len().into()),
                Some(Value::String(text)) => Some(text.chars().count().into()),
                _ => None,
            },
            Filter::Lower => map_text(value, |text| text.to_lowercase()),
            Filter::Upper => map_text(value, |text| text.to_uppercase()),
            Filter::Trim => map_text(value, |text| text.trim().to_owned()),
            Filter::Prefix(prefix) => map_shown(value, |text| format!("{prefix}{text}")),
            Filter::Suffix(suffix) => map_shown(value, |text| format!("{text}{suffix}")),
            // GitHub's search has no escape for a quote inside quotes, so it becomes a space.
            Filter::Quote => map_text(value, |text| {
                format!("\"{}\"", text.replace(['"', '\\'], " "))
            }),
            Filter::Words => Some(
                words(value?.as_str()?)
                    .into_iter()
                    .map(Value::from)
                    .collect(),
            ),
            Filter::Integer => match value {
                Some(Value::String(text)) => text.parse::<i64>().ok().map(Value::from),
                number @ Some(Value::Number(_)) => number,
                _ => None,
            },
            Filter::StripPrefix(prefix) => map_text(value, |text| {
                text.strip_prefix(prefix.as_str())
                    .unwrap_or(text)
                    .to_owned()
            }),
            Filter::StripSuffix(suffix) => map_text(value, |text| {
                text.strip_suffix(suffix.as_str())
                    .unwrap_or(text)
                    .to_owned()
            }),
            Filter::BeforeLast(part) => map_text(value, |text| {
                let parts = text.rsplit_once(part.as_str());
                parts.map_or("", |(before, _)| before).to_owned()
            }),
            Filter::AfterLast(part) => map_text(value, |text| {
                let parts = text.rsplit_once(part.as_str());
                parts.map_or(text, |(_, after)| after).to_owned()
            }),
            Filter::Nearest(wanted) => {
                let texts = array(value)?;
                let texts: Vec<&str> = texts.iter().filter_map(Value::as_str).collect();
                let wanted = wanted.eval(scope);
                let wanted = wanted.as_ref().and_then(Value::as_str).unwrap_or_default();
                let ranked = similar::ranked(wanted, texts);
                Some(
                    ranked
                        .into_iter()
                        .take(MOST_NEAREST)
                        .map(Value::from)
                        .collect(),
                )
            }
            Filter::ReplaceTexts(others) => {
                let others = array(others.eval(scope)).unwrap_or_default();
                replace_texts(value?, others)
            }
            Filter::Contains(part) => Some(value?.as_str()?.contains(part.as_str()).into()),
            Filter::Concat(other) => match (array(value), array(other.eval(scope))) {
                (None, None) => None,
                (left, right) => {
                    let mut all = left.unwrap_or_default();
                    all.extend(right.unwrap_or_default());
                    Some(Value::Array(all))
                }
            },
            Filter::Add(other) => {
                let number = |value: Option<Value>| value.filter(Value::is_number);
                match (number(value), number(other.eval(scope))) {
                    (Some(left), Some(right)) => sum(&left, &right),
                    (left, right) => left.or(right),
                }
            }
            Filter::SecondsSince(earlier) => {
                let (later, earlier) = (timestamp(value)?, timestamp(earlier.eval(scope))?);
                Some(later.seconds_since(earlier).into())
            }
            Filter::Sort(keys) => {
                let mut items = array(value)?;
                items.sort_by_cached_key(|item| SortKey::of(item, keys, scope));
                Some(Value::Array(items))
            }
            Filter::Number => value.filter(Value::is_number),
            Filter::Text => value.filter(Value::is_string),
            Filter::Map(expr) => {
                let items = array(value)?;
                let values = items
                    .iter()
                    .filter_map(|item| expr.eval(&scope.with_this(item)));
                Some(values.collect())
            }
            Filter::Sum(summand) => {
                let items = array(value)?;
                let mut summands = items
                    .iter()
                    .filter_map(|item| summand.eval(&scope.with_this(item)))
                    .filter(Value::is_number);
                summands.try_fold(Value::from(0), |total, summand| sum(&total, &summand))
            }
            Filter::List => value.map(|value| Value::Array(vec![value])),
            Filter::First => array(value)?.into_iter().next(),
            Filter::Last => array(value)?.pop(),
            Filter::Only => {
                let mut items = array(value)?;
                items.pop().filter(|_| items.is_empty())
            }
            Filter::LastOf(count) => {
                let mut items = array(value)?;
                items.drain(..items.len().saturating_sub(*count));
                Some(Value::Array(items))
            }
            Filter::Join(separator) => {
                let texts: Vec<_> = array(value)?.iter().filter_map(shown).collect();
                Some(texts.join(separator).into())
            }
            Filter::NullIf(nothing) => value.filter(|value| value != nothing),
            Filter::Where(predicate) => {
                let mut items = array(value)?;
                items.retain(|item| truthy(predicate.eval(&scope.with_this(item)).as_ref()));
                Some(items.into())
            }
            Filter::Case(pairs, otherwise) => {
                let value = value.unwrap_or(Value::Null);
                let found = pairs.iter().find(|(is, _)| *is == value);
                found
                    .map(|(_, becomes)| becomes.clone())
                    .or_else(|| otherwise.clone())
            }
        }
    }
}

/// Changes a text. Arrays are mapped element by element, so that `labels[].name | lower` works.
fn map_text(value: Option<Value>, change: impl Fn(&str) -> String) -> Option<Value> {
    match value? {
        Value::String(text) => Some(change(&text).into()),
        Value::Array(items) => Some(
            items
                .into_iter()
                .map(|item| match item {
                    Value::String(text) => change(&text).into(),
                    other => other,
                })
                .collect(),
        ),
        other => Some(other),
    }
}

fn map_shown(value: Option<Value>, change: impl Fn(&str) -> String) -> Option<Value> {
    match value? {
        Value::Array(items) => Some(
            items
                .iter()
                .filter_map(shown)
                .map(|text| Value::from(change(&text)))
                .collect(),
        ),
        other => shown(&other).map(|text| change(&text).into()),
    }
}

/// Returns a text or an array with other values in place of the texts.
fn replace_texts(value: Value, others: Vec<Value>) -> Option<Value> {
    let mut others = others.into_iter();
    match value {
        Value::String(_) => others.next(),
        Value::Array(items) => {
            let replaced = items.into_iter().filter_map(|item| match item {
                Value::String(_) => others.next(),
                other => Some(other),
            });
            Some(replaced.collect())
        }
        other => Some(other),
    }
}

/// Returns the words of a text, separated by white space outside double quotes.
fn words(text: &str) -> Vec<&str> {
    let mut is_quoted = false;
    text.split(|c: char| {
        is_quoted ^= c == '"';
        c.is_whitespace() && !is_quoted
    })
    .filter(|word| !word.is_empty())
    .collect()
}

/// Returns the text of a scalar; `None` for null, arrays and objects.
pub(super) fn shown(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

fn sum(left: &Value, right: &Value) -> Option<Value> {
    match (left.as_i64(), right.as_i64()) {
        (Some(left), Some(right)) => Some(left.saturating_add(right).into()),
        _ => serde_json::Number::from_f64(left.as_f64()? + right.as_f64()?).map(Value::Number),
    }
}

/// The key by which elements are sorted: absent first, then numbers by value, then texts by their
/// bytes.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum SortKey {
    Absent,
    Number(OrderedNumber),
    Text(String),
    Keys(Vec<SortKey>),
}

#[derive(PartialEq)]
struct OrderedNumber(f64);

impl Eq for OrderedNumber {}

impl PartialOrd for OrderedNumber {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for OrderedNumber {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl SortKey {
    fn of(item: &Value, keys: &[Expr], scope: &Scope<'_>) -> Self {
        if keys.is_empty() {
            return Self::single(Some(item));
        }
        let scope = scope.with_this(item);
        SortKey::Keys(
            keys.iter()
                .map(|key| Self::single(key.eval(&scope).as_ref()))
                .collect(),
        )
    }

    fn single(value: Option<&Value>) -> Self {
        match value {
            Some(Value::Number(number)) => {
                SortKey::Number(OrderedNumber(number.as_f64().unwrap_or(0.0)))
            }
            Some(other) => shown(other).map_or(SortKey::Absent, SortKey::Text),
            None => SortKey::Absent,
        }
    }
}

fn timestamp(value: Option<Value>) -> Option<UtcTime> {
    UtcTime::parse(value?.as_str()?)
}

fn array(value: Option<Value>) -> Option<Vec<Value>> {
    match value? {
        Value::Array(items) => Some(items),
        _ => None,
    }
}

fn single(name: &str, arguments: Vec<Expr>) -> Result<Expr, String> {
    let count = arguments.len();
    let mut arguments = arguments.into_iter();
    match (arguments.next(), count) {
        (Some(argument), 1) => Ok(argument),
        _ => Err(format!(
            "the filter `{name}` takes one argument, not {count}"
        )),
    }
}

fn literal(name: &str, expr: Expr) -> Result<Value, String> {
    match expr {
        Expr::Literal(value) => Ok(value),
        _ => Err(format!("the filter `{name}` takes literals, not paths")),
    }
}

fn text(name: &str, arguments: Vec<Expr>) -> Result<String, String> {
    match literal(name, single(name, arguments)?)? {
        Value::String(text) => Ok(text),
        other => Err(format!("the filter `{name}` takes a text, not `{other}`")),
    }
}

fn count(name: &str, arguments: Vec<Expr>) -> Result<usize, String> {
    let value = literal(name, single(name, arguments)?)?;
    let count = value.as_u64().and_then(|count| usize::try_from(count).ok());
    count.ok_or_else(|| format!("the filter `{name}` takes a whole number, not `{value}`"))
}

fn case(arguments: Vec<Expr>) -> Result<Filter, String> {
    let mut values = Vec::with_capacity(arguments.len());
    for argument in arguments {
        values.push(literal("case", argument)?);
    }
    let otherwise = if values.len() % 2 == 1 {
        values.pop()
    } else {
        None
    };
    let mut pairs = Vec::with_capacity(values.len() / 2);
    let mut values = values.into_iter();
    while let (Some(is), Some(becomes)) = (values.next(), values.next()) {
        pairs.push((is, becomes));
    }
    if pairs.is_empty() {
        return Err("the filter `case` takes pairs of a value and its replacement".to_owned());
    }
    Ok(Filter::Case(pairs, otherwise))
}
