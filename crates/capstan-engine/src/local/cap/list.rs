//! `cap.list`: lists remembered code.

use serde_json::{Value, json};

use capstan_core::card::Operation;
use capstan_core::port::CodeFilter;

use crate::capability::store_error;
use crate::local::action::{Action, ActionFailure, ActionOutput, Work};
use crate::local::{input, view};

pub(in crate::local) const ACTION: Action = Action {
    id: "cap.list",
    description: "List code capabilities",
    operation: Operation::Read,
    input: || (properties(), &[]),
    example: || json!({"glob": "triage*", "limit": 20}),
    intents: &[
        "list my capabilities",
        "what code is saved",
        "show the scripts I can call by name",
        "which capabilities did agents write",
        "list named code",
        "which scripts do I have",
        "show all saved capabilities",
        "what has been named so far",
    ],
    run: |work| Box::pin(run(work)),
};

/// How many rows are returned if the caller sets no limit.
const DEFAULT_LIMIT: u64 = 50;

pub(super) fn properties() -> Value {
    json!({
        "glob": {"type": "string", "description": "of names, aliases and FQDNs; * and ?"},
        "namespace": {"type": "string", "description": "e.g. issue"},
        "visibility": {"enum": ["private", "project", "org", "public"]},
        "calls": {"type": "string", "description": "only those that call this capability"},
        "named": {"type": "boolean", "description": "only those with (true) or without a name"},
        "limit": {"type": "integer", "minimum": 1, "maximum": 1000},
        "offset": {"type": "integer", "minimum": 0},
    })
}

pub(super) fn filter(work: &Work<'_>) -> CodeFilter {
    let input = work.input;
    CodeFilter {
        glob: input::owned(input, "glob"),
        namespace: input::owned(input, "namespace"),
        visibility: input::visibility(input),
        calls: input::owned(input, "calls"),
        named: input::flag(input, "named"),
        limit: input::number(input, "limit"),
        offset: input::number(input, "offset").unwrap_or(0),
    }
}

async fn run(work: Work<'_>) -> Result<ActionOutput, ActionFailure> {
    let wanted = filter(&work);
    let limit = wanted.limit.unwrap_or(DEFAULT_LIMIT);
    // One more than the limit shows whether there are more.
    let filter = CodeFilter {
        limit: Some(limit.saturating_add(1)),
        ..wanted
    };
    let mut all = work
        .store
        .summaries(work.viewer(), &filter)
        .await
        .map_err(|error| store_error(&error))?;
    let shown = usize::try_from(limit).unwrap_or(usize::MAX);
    let more = all.len() > shown;
    all.truncate(shown);
    let rows: Vec<_> = all.iter().map(view::row).collect();
    let mut data = json!({"capabilities": rows});
    if more {
        data["next_offset"] = (filter.offset + limit).into();
    }
    Ok(data.into())
}
