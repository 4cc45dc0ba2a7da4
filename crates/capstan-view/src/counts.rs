//! Objects that count parts of a whole: `3 passed, 1 skipped`.

use serde_json::{Map, Value};

use crate::clean::single_line;
use crate::value;

/// Returns an object of counts in one line, with its lists in brackets, or `None` for any other object.
pub(crate) fn inline(object: &Map<String, Value>) -> Option<String> {
    let mut counts = Vec::new();
    let mut lists = Vec::new();
    for (name, value) in object {
        match value {
            Value::Number(number) => counts.push((name.as_str(), number.as_u64()?)),
            Value::Array(items) => {
                let items = value::joined(items)?;
                if !items.is_empty() {
                    lists.push(format!("{}: {items}", single_line(name)));
                }
            }
            _ => return None,
        }
    }
    if counts.is_empty() {
        return None;
    }
    let has_sum = adds_up(&counts);
    let shown = counts
        .iter()
        .filter(|(name, count)| *count > 0 && !(has_sum && *name == TOTAL))
        .map(|(name, count)| format!("{count} {}", single_line(&name.replace('_', " "))));
    let mut text = shown.collect::<Vec<_>>().join(", ");
    if text.is_empty() {
        text.push('0');
    }
    if !lists.is_empty() {
        text.push_str(&format!(" ({})", lists.join("; ")));
    }
    Some(text)
}

pub(crate) const TOTAL: &str = "total";

/// Returns whether the total is the sum of all others. Then omitted counts are known to be zero.
pub(crate) fn adds_up(counts: &[(&str, u64)]) -> bool {
    let total = counts.iter().find(|(name, _)| *name == TOTAL);
    let others = counts.iter().filter(|(name, _)| *name != TOTAL);
    let sum = others
        .map(|(_, count)| *count)
        .try_fold(0u64, u64::checked_add);
    total.is_some_and(|(_, total)| *total > 0 && sum == Some(*total))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(value: &Value) -> Option<String> {
        inline(value.as_object()?)
    }

    #[test]
    fn zeros_and_sums_are_left_out() {
        for (counts, text) in [
            (
                json!({"passed": 3, "failed": 0, "skipped": 1}),
                "3 passed, 1 skipped",
            ),
            (
                json!({"total": 4, "passed": 3, "skipped": 1}),
                "3 passed, 1 skipped",
            ),
            (json!({"total": 9, "passed": 3}), "9 total, 3 passed"),
            (json!({"total": 0, "passed": 0}), "0"),
            (
                json!({"total": 2, "passed": 1, "failed": 1, "failing": ["e2e"]}),
                "1 passed, 1 failed (failing: e2e)",
            ),
            (json!({"total": 1, "passed": 1, "failing": []}), "1 passed"),
        ] {
            assert_eq!(read(&counts).as_deref(), Some(text));
        }
    }

    #[test]
    fn other_objects_are_no_counts() {
        for other in [
            json!({}),
            json!({"a": -1}),
            json!({"a": 1.5}),
            json!({"a": 1, "b": "x"}),
        ] {
            assert_eq!(read(&other), None, "{other}");
        }
    }
}
