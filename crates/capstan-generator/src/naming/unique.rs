//! Finds ids that several operations have.

use indexmap::IndexMap;

use crate::description::Operation;
use crate::problem::Problem;

/// Returns a problem for each operation whose id another one before it has.
pub(crate) fn check_unique(ids: &[(String, &Operation)]) -> Vec<Problem> {
    let mut seen: IndexMap<&str, &str> = IndexMap::new();
    let mut problems = Vec::new();
    for (id, operation) in ids {
        if let Some(other) = seen.insert(id, &operation.id) {
            let message = format!("`{}` and `{other}` both have the id `{id}`", operation.id);
            problems.push(Problem::new(operation.pointer.clone(), message));
        }
    }
    problems
}
