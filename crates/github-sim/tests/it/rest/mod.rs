//! The REST API, resource by resource, on the demonstration's world.

mod issues;
mod pulls;
mod repositories;

use serde_json::Value;

const ROCKET: &str = "/repos/acme/rocket";

/// A path in the demonstration's repository.
fn at(path: &str) -> String {
    format!("{ROCKET}{path}")
}

/// One field of every item of a list.
fn all<'v>(list: &'v Value, field: &str) -> Vec<&'v Value> {
    let items = list.as_array().expect("a list").iter();
    items.map(|item| &item[field]).collect()
}
