//! What was executed.

pub(super) mod list;
pub(super) mod prune;
pub(super) mod show;

use capstan_core::code::{Trace, shown_name};
use capstan_core::port::TraceFilter;
use capstan_core::{ErrorCode, ResultError};
use serde_json::json;

use super::action::Work;
use crate::capability::broken;

/// The trace with this id, or with an id that begins so.
pub(super) async fn named(work: &Work<'_>, id: &str) -> Result<Trace, ResultError> {
    let found = work.store.trace(work.viewer(), id).await;
    found.map_err(|error| broken(&error))?.ok_or_else(|| {
        let shown = shown_name(id);
        let message = format!("there is no trace `{shown}`: trace.list shows those that there are");
        let mend =
            json!({"tool": "execute", "arguments": {"capability": "trace.list", "input": {}}});
        ResultError::new(ErrorCode::NotFound, message).with_detail("mend", mend)
    })
}

/// The newest one.
pub(super) async fn newest(work: &Work<'_>) -> Result<Trace, ResultError> {
    let filter = TraceFilter {
        limit: Some(1),
        ..TraceFilter::default()
    };
    let traces = work.store.traces(work.viewer(), &filter).await;
    let traces = traces.map_err(|error| broken(&error))?;
    match traces.first() {
        Some(newest) => named(work, &newest.id.to_string()).await,
        None => {
            let message = "there is no trace: nothing was executed here so far";
            Err(ResultError::new(ErrorCode::NotFound, message))
        }
    }
}
