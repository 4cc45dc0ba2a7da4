//! Describes a review thread after a write to it.

use serde_json::{Map, Value};

use crate::cell::cell;

const PATH: &str = "path";
const PR_NUMBER: &str = "pr_number";
const RESOLVED: &str = "resolved";

/// The fields that this line covers.
pub(crate) const FIELDS: [&str; 3] = [PATH, PR_NUMBER, RESOLVED];

/// Returns `replied to src/valve.rs in #49, thread unresolved` or `thread on src/valve.rs resolved`, or
/// `None` for data that is not of a thread.
pub(crate) fn line(done: &str, data: &Map<String, Value>, truncates: bool) -> Option<String> {
    let path = data.get(PATH).filter(|path| path.is_string())?;
    let path = cell(path, truncates).text;
    let number = data.get(PR_NUMBER).and_then(Value::as_u64);
    let place = match number {
        Some(number) => format!("{path} in #{number}"),
        None => path,
    };
    let state = match data.get(RESOLVED).and_then(Value::as_bool) {
        Some(true) => Some("resolved"),
        Some(false) => Some("unresolved"),
        None => None,
    };
    match (done, state) {
        ("replied", Some(state)) => Some(format!("replied to {place}, thread {state}")),
        ("replied", None) => Some(format!("replied to {place}")),
        ("resolved" | "unresolved", Some(state)) => Some(format!("thread on {place} {state}")),
        _ => None,
    }
}
