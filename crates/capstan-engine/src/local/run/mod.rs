//! Runs of skills, step by step.

pub(super) mod list;
pub(super) mod resume;
pub(super) mod show;

use capstan_core::code::shown_name;
use capstan_core::run::{Presence, RunOwner, SkillRun};
use capstan_core::{ErrorCode, ResultError};
use serde_json::{Value, json};

use super::action::Work;
use super::{input, view};
use crate::capability::broken;

/// The run that an input names.
async fn named(work: &Work<'_>) -> Result<SkillRun, ResultError> {
    let id = input::text(work.input, "run").unwrap_or_default();
    let found = work.store.run(work.viewer(), id).await;
    if let Some(run) = found.map_err(|error| broken(&error))? {
        return Ok(run);
    }
    let shown = shown_name(id);
    let message = format!("there is no run `{shown}`: run.list shows those that there are");
    let mend = json!({"tool": "execute", "arguments": {"capability": "run.list", "input": {}}});
    Err(ResultError::new(ErrorCode::NotFound, message).with_detail("mend", mend))
}

/// Who has a run that is not over.
fn owner(owner: RunOwner) -> Value {
    let process = match owner.presence {
        Presence::Alive => "alive",
        Presence::Gone => "gone",
        Presence::Unknown => "unknown",
    };
    json!({"process": owner.process, "is": process, "since": view::date(owner.since)})
}
