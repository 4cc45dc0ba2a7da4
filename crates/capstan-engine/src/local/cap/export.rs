//! `cap.export`: exports capabilities as JSON.

use serde_json::json;

use capstan_core::card::Operation;

use super::{exported, list};
use crate::capability::store_error;
use crate::local::action::{Action, ActionFailure, ActionOutput, Work};

pub(in crate::local) const ACTION: Action = Action {
    id: "cap.export",
    description: "Export code capabilities as JSON, to import elsewhere",
    operation: Operation::Read,
    input: || (list::properties(), &[]),
    example: || json!({"glob": "triage*"}),
    intents: &[
        "export capabilities",
        "back up saved code",
        "move my scripts to another machine",
        "dump capabilities as json",
        "share capabilities as a file",
        "write my capabilities to a file",
        "take my scripts with me",
        "download all saved code",
    ],
    run: |work| Box::pin(run(work)),
};

async fn run(work: Work<'_>) -> Result<ActionOutput, ActionFailure> {
    let filter = list::filter(&work);
    let all = work.store.list(work.viewer(), &filter).await;
    let all: Vec<_> = all
        .map_err(|error| store_error(&error))?
        .iter()
        .map(exported::to_json)
        .collect();
    Ok(json!({"version": 1, "capabilities": all}).into())
}
