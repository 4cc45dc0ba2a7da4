//! Short ways to the demonstration's repository over REST.

use serde_json::Value;

pub(super) const ROCKET: &str = "/repos/acme/rocket";

/// A path in the demonstration's repository.
pub(super) fn at(path: &str) -> String {
    format!("{ROCKET}{path}")
}

/// One field of every item of a list.
pub(super) fn all<'v>(list: &'v Value, field: &str) -> Vec<&'v Value> {
    let items = list.as_array().expect("a list").iter();
    items.map(|item| &item[field]).collect()
}
