//! Recognizes distinctive values: those that are unlikely to occur twice by accident.

use serde_json::{Number, Value};

use super::{agreeing, hidden};

/// A distinctive value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum DistinctiveValue<'a> {
    Text(&'a str),
    Number(&'a Number),
    /// A small number, which is distinctive only under names that agree.
    Small(&'a Number),
}

/// The shortest distinctive text, in characters. Shorter ones are codes and signs.
const MIN_CHARS: usize = 3;

/// From here on a number is distinctive under any name.
const LARGE: f64 = 10.0;

/// Words that many inputs and outputs contain for unrelated reasons. Sorted.
const COMMON: [&str; 39] = [
    "all",
    "any",
    "approved",
    "asc",
    "cancelled",
    "closed",
    "completed",
    "created",
    "desc",
    "draft",
    "error",
    "failed",
    "failure",
    "false",
    "internal",
    "main",
    "master",
    "merge",
    "merged",
    "neutral",
    "none",
    "null",
    "off",
    "open",
    "opened",
    "pending",
    "private",
    "public",
    "queued",
    "rebase",
    "skipped",
    "squash",
    "success",
    "true",
    "undefined",
    "unknown",
    "updated",
    "user",
    "yes",
];

/// The last words in names of numbers that count, measure or limit. Sorted.
const COUNTERS: [&str; 24] = [
    "additions",
    "attempts",
    "bytes",
    "column",
    "comments",
    "count",
    "deletions",
    "depth",
    "duration",
    "first",
    "last",
    "length",
    "limit",
    "line",
    "lines",
    "ms",
    "offset",
    "page",
    "pages",
    "seconds",
    "size",
    "timeout",
    "total",
    "width",
];

impl<'a> DistinctiveValue<'a> {
    /// Returns the value under a name if it is distinctive.
    pub(super) fn from_value(value: &'a Value, name: Option<&str>) -> Option<Self> {
        match value {
            Value::String(text) => is_distinctive(text).then_some(Self::Text(text)),
            Value::Number(number) => {
                let size = number.as_f64().filter(|it| *it > 0.0)?;
                if name.is_some_and(is_counter) {
                    None
                } else if size >= LARGE {
                    Some(Self::Number(number))
                } else {
                    number.is_u64().then_some(Self::Small(number))
                }
            }
            Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
        }
    }

    /// Returns whether it is this number, in whatever notation.
    pub(super) fn is_number(self, other: f64) -> bool {
        match self {
            Self::Number(number) | Self::Small(number) => number.as_f64() == Some(other),
            Self::Text(_) => false,
        }
    }

    pub(super) fn needs_name(self) -> bool {
        matches!(self, Self::Small(_))
    }
}

fn is_distinctive(text: &str) -> bool {
    let is_common = |text: &str| {
        let lower = text.to_ascii_lowercase();
        COMMON.binary_search(&lower.as_str()).is_ok()
    };
    text.chars().nth(MIN_CHARS - 1).is_some()
        && !hidden::is_masked(text)
        && (text.len() > 64 || (text.trim().parse::<f64>().is_err() && !is_common(text)))
}

fn is_counter(name: &str) -> bool {
    let words = agreeing::words(name);
    let last = words.rsplit('_').next().unwrap_or_default();
    COUNTERS.binary_search(&last).is_ok()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn lists_are_sorted() {
        assert!(COMMON.is_sorted());
        assert!(COUNTERS.is_sorted());
    }

    #[test]
    fn what_everybody_has_says_nothing() {
        let tells = |value: Value| DistinctiveValue::from_value(&value, Some("x")).is_some();
        for telling in [
            json!("I_kwDO"),
            json!("bug"),
            json!("octocat"),
            json!(10),
            json!(1),
            json!(12.5),
        ] {
            assert!(tells(telling.clone()), "{telling}");
        }
        for common in [
            json!("ab"),
            json!("123"),
            json!(" -1.5 "),
            json!("True"),
            json!("OPEN"),
            json!(""),
            json!(0),
            json!(-20),
            json!(1.5),
            json!(null),
            json!(true),
            json!(["x"]),
            json!("a [redacted] b"),
        ] {
            assert!(!tells(common.clone()), "{common}");
        }
        for counter in ["per_page", "perPage", "total", "commentCount", "first"] {
            assert!(
                DistinctiveValue::from_value(&json!(30), Some(counter)).is_none(),
                "{counter}"
            );
        }
        for name in ["number", "issue_number", "counter", "discount"] {
            assert!(
                DistinctiveValue::from_value(&json!(30), Some(name)).is_some(),
                "{name}"
            );
        }
    }

    #[test]
    fn small_numbers_need_a_name() {
        assert!(
            DistinctiveValue::from_value(&json!(7), None)
                .unwrap()
                .needs_name()
        );
        assert!(
            !DistinctiveValue::from_value(&json!(70), None)
                .unwrap()
                .needs_name()
        );
    }
}
