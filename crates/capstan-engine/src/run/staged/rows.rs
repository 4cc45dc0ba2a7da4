//! The rows of a list, one by one: what a step with `each` is run for.

use serde_json::{Map, Value};

use capstan_core::ResultMeta;
use capstan_core::card::List;
use capstan_exec::reference;

use crate::step_result::{StepResult, set_joint_outcome};

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
pub(super) fn together(results: &[StepResult], task: &str, writes: bool) -> StepResult {
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
