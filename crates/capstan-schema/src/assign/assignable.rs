//! The entry points: whether values of one schema always match another.

use serde_json::{Value, json};

use super::checker::Checker;
use crate::budget::Budget;
use crate::mismatch::Mismatch;
use crate::schema::Schema;

/// Checks that everything that matches `from` matches `to`.
///
/// `Ok` holds for every JSON value, by the rules of JSON Schema 2020-12 with `format` as an annotation. `Err`
/// may be wrong if the reasoning does not go far enough or if the schemas are too large; the reason then says
/// so.
pub fn assignable(from: Schema<'_>, to: Schema<'_>) -> Result<(), Mismatch> {
    assignable_within(from, to, &Budget::new())
}

/// Checks that everything that matches `from` matches `to` after projection onto `from`, as
/// [`project`](crate::project) does it.
pub fn assignable_projected(from: Schema<'_>, to: Schema<'_>) -> Result<(), Mismatch> {
    Checker::new(&text(), &Budget::new()).run(from, to, true)
}

/// Like [`assignable`], within the remaining budget.
pub(crate) fn assignable_within(
    from: Schema<'_>,
    to: Schema<'_>,
    budget: &Budget,
) -> Result<(), Mismatch> {
    Checker::new(&text(), budget).run(from, to, false)
}

/// The schema of every property name.
fn text() -> Value {
    json!({ "type": "string" })
}
