//! The questions: whether values of one schema always fit another.

use serde_json::{Value, json};

use super::checker::Checker;
use crate::budget::Budget;
use crate::mismatch::Mismatch;
use crate::schema::Schema;

/// Whether everything that passes `from` passes `to`.
///
/// A yes holds for every JSON value, by the rules of JSON Schema 2020-12 with `format` as a mere
/// remark. A no may be wrong where the reasoning does not go far enough, or where the schemas are too
/// large; then the reason says so.
pub fn assignable(from: Schema<'_>, to: Schema<'_>) -> Result<(), Mismatch> {
    assignable_within(from, to, &Budget::new())
}

/// Whether everything that passes `from` passes `to` after it was reduced to what `from` names, as
/// [`project`](crate::project) does it.
pub fn assignable_projected(from: Schema<'_>, to: Schema<'_>) -> Result<(), Mismatch> {
    Checker::new(&text(), &Budget::new()).run(from, to, true)
}

/// Like [`assignable`], at the cost of what is left.
pub(crate) fn assignable_within(
    from: Schema<'_>,
    to: Schema<'_>,
    budget: &Budget,
) -> Result<(), Mismatch> {
    Checker::new(&text(), budget).run(from, to, false)
}

/// What every name of a property is.
fn text() -> Value {
    json!({ "type": "string" })
}
