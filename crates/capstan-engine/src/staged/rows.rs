//! The rows of a list, one by one: what a step with `each` is run for.

use serde_json::{Map, Value};

use capstan_core::card::List;
use capstan_core::{ErrorCode, ResultEnvelope, ResultError, ResultMeta};

use crate::chain::reference;
use crate::outcome;

/// The rows of a list.
pub(super) fn of<'a>(list: &List, data: &'a Value) -> &'a [Value] {
    let rows = data.get(&list.field).and_then(Value::as_array);
    rows.map(Vec::as_slice).unwrap_or_default()
}

/// The input of a step for one row: `$bugs.number` is the number of the row. What names the whole list
/// (`$bugs.data.issues`) stays as it is.
pub(super) fn input_for(
    row: &Value,
    input: &Map<String, Value>,
    list: &List,
    is_source: impl Fn(&str) -> bool,
) -> Map<String, Value> {
    let filled = reference::replaced(Value::Object(input.clone()), &mut |named| {
        if !is_source(named.step) || named.begins_with(&list.field) {
            return None;
        }
        Some(named.value_in(row).unwrap_or(Value::Null))
    });
    filled.as_object().cloned().unwrap_or_default()
}

/// The same for the first row that there will be, to check the step before anything is run.
pub(super) fn input_for_first(
    input: &Map<String, Value>,
    list: &List,
    is_source: impl Fn(&str) -> bool,
) -> Map<String, Value> {
    let filled = reference::replaced(Value::Object(input.clone()), &mut |named| {
        let is_row = is_source(named.step) && !named.begins_with(&list.field);
        is_row.then(|| named.in_first_row(&list.field).into())
    });
    filled.as_object().cloned().unwrap_or_default()
}

/// The results of a step for all rows, as one.
pub(super) fn together(results: &[ResultEnvelope], task: &str, writes: bool) -> ResultEnvelope {
    let warnings: Vec<_> = results
        .iter()
        .flat_map(|it| it.meta.warnings.clone())
        .collect();
    let total = results.len();
    let mut meta = ResultMeta {
        capability_id: task.to_owned(),
        route_used: results.iter().find_map(|it| it.meta.route_used),
        later_write: results.iter().filter_map(|it| it.meta.later_write).max(),
        warnings,
        ..ResultMeta::default()
    };
    if total == 0 {
        meta.note = Some("the list has no rows: nothing was run".to_owned());
    }
    let failed = results.iter().position(|it| !it.ok);
    let rows: Vec<Value> = results
        .iter()
        .map(|it| match (&it.data, &it.error) {
            (Some(data), _) => data.clone(),
            (None, Some(error)) => serde_json::to_value(error).unwrap_or_default(),
            (None, None) => Value::Null,
        })
        .collect();
    let Some(failed) = failed else {
        return ResultEnvelope::success(Value::Array(rows), meta);
    };
    let first = results[failed].error.clone();
    let mut error = first.unwrap_or_else(|| ResultError::new(ErrorCode::Unknown, "it failed"));
    error.message = format!("row {failed} of {total}: {}", error.message);
    if writes {
        outcome::tell_joint_outcome(&mut error, &results.iter().collect::<Vec<_>>());
    }
    ResultEnvelope::failure(error.with_detail("rows", rows), meta)
}
