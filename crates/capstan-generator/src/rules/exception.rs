//! Exceptions: values by operation, in groups that each have a reason.

use indexmap::IndexMap;
use serde::Deserialize;

/// Exceptions that have the same reason.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ExceptionGroup<T> {
    pub(crate) because: String,
    /// By what the description calls the operation.
    pub(crate) operations: IndexMap<String, T>,
}

/// Returns the exception for an operation.
pub(crate) fn lookup<'a, T>(groups: &'a [ExceptionGroup<T>], operation: &str) -> Option<&'a T> {
    groups
        .iter()
        .find_map(|group| group.operations.get(operation))
}

/// Returns the operations that exceptions name, with the reason of each.
pub(crate) fn named<T>(groups: &[ExceptionGroup<T>]) -> impl Iterator<Item = (&str, &str)> {
    groups.iter().flat_map(|group| {
        let operations = group.operations.keys();
        operations.map(|operation| (operation.as_str(), group.because.as_str()))
    })
}
