//! The rows of a list, and the inputs and results of a step that is run for each of them.

use serde_json::{Map, Value};

use capstan_core::ResultMeta;
use capstan_core::card::List;
use capstan_exec::reference;

use crate::step_result::{StepResult, set_joint_outcome};

/// Returns the rows of a list in the data of a step; empty if there is none.
pub(super) fn in_list<'a>(list: &List, data: &'a Value) -> &'a [Value] {
    list.rows(data).map(Vec::as_slice).unwrap_or_default()
}

/// Returns the input of a step for one row: `$bugs.number` becomes the number in the row. References to the whole
/// list (`$bugs.data.issues`) stay as they are.
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

/// Returns the input of a step for the first row of a list that is not read yet, to check the step in advance.
pub(super) fn input_for_first_row(
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

/// Combines the results of a step for all rows into one. If a row failed, the result is its failure.
pub(super) fn combined_result(results: &[StepResult], task: &str, writes: bool) -> StepResult {
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
    let rows: Vec<Value> = results
        .iter()
        .map(|it| match &it.result {
            Ok(data) => data.clone(),
            Err(failure) => serde_json::to_value(&failure.error).unwrap_or_default(),
        })
        .collect();
    let mut all = results.iter().enumerate();
    let failed = all.find_map(|(row, it)| Some((row, it.failed()?)));
    let Some((row, failure)) = failed else {
        return StepResult::success(Value::Array(rows), meta);
    };
    let mut failure = failure.clone();
    failure.error.message = format!("row {row} of {total}: {}", failure.error.message);
    if writes {
        set_joint_outcome(&mut failure, &results.iter().collect::<Vec<_>>());
    }
    let failure = failure.map_error(|error| error.with_detail("rows", rows));
    StepResult::failure(failure, meta)
}
