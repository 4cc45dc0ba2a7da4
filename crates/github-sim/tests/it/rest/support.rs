//! Helpers for REST requests to the demonstration's repository.

use serde_json::Value;

pub(super) const ROCKET: &str = "/repos/acme/rocket";

/// Returns the API path of a resource in the demonstration's repository.
pub(super) fn at(path: &str) -> String {
    format!("{ROCKET}{path}")
}

/// Returns one field of every item of a list.
pub(super) fn all<'v>(list: &'v Value, field: &str) -> Vec<&'v Value> {
    let items = list.as_array().expect("a list").iter();
    items.map(|item| &item[field]).collect()
}
