//! Finds the run that an input names.

use capstan_core::code::{TraceId, shown_name};
use capstan_core::port::RunFilter;
use capstan_core::run::{Presence, RunOwner, SkillRun};
use capstan_core::{ErrorCode, ResultError};
use serde_json::{Value, json};

use crate::capability::store_error;
use crate::local::action::Work;
use crate::local::{input, view};

/// Returns the run that an input names: by its id, by the beginning of its id, or as `last`.
pub(super) async fn named(work: &Work<'_>) -> Result<SkillRun, ResultError> {
    match input::text(work.input, "run").unwrap_or_default() {
        "last" => with_id(work, &newest(work).await?.to_string()).await,
        id => with_id(work, id).await,
    }
}

/// Returns the run with this id or this beginning of an id.
pub(super) async fn with_id(work: &Work<'_>, id: &str) -> Result<SkillRun, ResultError> {
    let found = work.store.run(work.viewer(), id).await;
    if let Some(run) = found.map_err(|error| store_error(&error))? {
        return Ok(run);
    }
    let shown = shown_name(id);
    let message = format!("there is no run `{shown}`: skill.runs shows the existing ones");
    let mend = json!({"tool": "execute", "arguments": {"capability": "skill.runs", "input": {}}});
    Err(ResultError::new(ErrorCode::NotFound, message).with_detail("mend", mend))
}

async fn newest(work: &Work<'_>) -> Result<TraceId, ResultError> {
    let filter = RunFilter {
        limit: Some(1),
        ..RunFilter::default()
    };
    let runs = work.store.runs(work.viewer(), &filter).await;
    let newest = runs
        .map_err(|error| store_error(&error))?
        .into_iter()
        .next();
    newest.map(|run| run.id).ok_or_else(|| {
        let message = "there is no run: no skill has been run here yet";
        ResultError::new(ErrorCode::NotFound, message)
    })
}

/// Returns the process that has an unfinished run, as JSON.
pub(in crate::local) fn owner(owner: RunOwner) -> Value {
    let process = match owner.presence {
        Presence::Alive => "alive",
        Presence::Gone => "gone",
        Presence::Unknown => "unknown",
    };
    json!({"process": owner.process, "is": process, "since": view::date(owner.since)})
}
