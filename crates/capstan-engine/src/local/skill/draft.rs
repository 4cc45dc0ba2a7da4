//! `skill.draft`: turns a trace into a skill that does the same.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use capstan_core::card::{Card, Kind, Operation};
use capstan_core::date::day_of;
use capstan_core::{ErrorCode, ResultError};
use capstan_skill::{
    Contract, DraftRequest, ObservedCall, OperationClass, OutsideCapability, Runs,
};

use super::observed::observed;
use crate::capability::split_tool_name;
use crate::local::action::{Action, ActionFailure, ActionOutput, Work};
use crate::local::{self, input, trace, view};

pub(in crate::local) const ACTION: Action = Action {
    id: "skill.draft",
    description: "Draft a skill from what an execution did; the draft passes the checker",
    operation: Operation::Read,
    input: || {
        let properties = json!({
            "trace": {
                "type": "string",
                "description": "a trace id, or its beginning; `last` is the newest",
            },
            "id": {"type": "string", "description": "the name of the new skill"},
        });
        (properties, &["trace"])
    },
    example: || json!({"trace": "01jcx5m2k7", "id": "triage"}),
    intents: &[
        "make a skill of what was done",
        "turn a trace into a skill",
        "record a workflow",
        "draft a skill",
        "save these steps as a skill",
        "automate what I just did",
        "make my last actions repeatable",
        "generate a skill file from an execution",
    ],
    run: |work| Box::pin(run(work)),
};

/// How long to wait for a server to list its tools.
const SERVER_TIMEOUT: Duration = Duration::from_secs(5);

async fn run(work: Work<'_>) -> Result<ActionOutput, ActionFailure> {
    let asked = input::text(work.input, "trace").unwrap_or_default();
    let trace = match asked {
        "last" => trace::newest(&work).await?,
        id => trace::named(&work, id).await?,
    };
    let calls = observed(&trace);
    let outside = known_capabilities(&work, &calls).await;
    let day = view::date(trace.started_at);
    let origin = format!("trace {} of {}", trace.id, day.get(..10).unwrap_or(&day));
    let asked_id = input::text(work.input, "id");
    let request = DraftRequest {
        calls: &calls,
        id: asked_id,
        intent: trace.intent.as_deref(),
        origin: &origin,
    };
    let engine = work.engine;
    let is_skill = |id: &str| {
        let library = engine.directory.library();
        library.is_some_and(|library| library.contains(id))
    };
    let is_taken = |id: &str| {
        // A caller who names an existing skill may want to draft it anew.
        let is_skill = asked_id.is_none() && is_skill(id);
        is_skill || engine.shared.catalog.contains(id) || local::card(id).is_some()
    };
    let today = day_of(engine.shared.clock.date());
    let draft = capstan_skill::draft(&request, &outside, &is_taken, today);
    let mut draft = draft.map_err(|error| {
        let message = format!("trace {}: {error}", trace.id);
        ResultError::new(ErrorCode::Validation, message)
    })?;
    if is_skill(draft.id.as_str()) {
        let note = format!("a skill `{}` already exists", draft.id);
        draft.notes.push(note);
    }
    if !trace.ok {
        let note = "the execution failed: what it would have done next is not in the draft";
        draft.notes.insert(0, note.to_owned());
    }
    let answer = json!({"id": draft.id.as_str(), "yaml": draft.text, "notes": draft.notes});
    Ok(answer.into())
}

/// Returns the contracts of the called capabilities that can be parts of a skill.
async fn known_capabilities(
    work: &Work<'_>,
    calls: &[ObservedCall],
) -> HashMap<String, OutsideCapability> {
    let engine = work.engine;
    let server_deadline = engine.shared.clock.now() + SERVER_TIMEOUT;
    let mut known: HashMap<String, OutsideCapability> = HashMap::new();
    for call in calls {
        let name = call.capability.as_str();
        if known.contains_key(name) {
            continue;
        }
        let found = engine
            .resolver
            .find(name, work.context.deadline.min(server_deadline))
            .await;
        let outsider = match found {
            Ok(found) => outsider(name, &found.card),
            // A server that does not answer still has its tool.
            Err(error) if error.code != ErrorCode::NotFound => split_tool_name(name)
                .filter(|(server, _)| engine.shared.has_server(server))
                .map(|_| OutsideCapability {
                    runs: Runs::Tool(name.to_owned()),
                    contract: Contract {
                        input: None,
                        output: None,
                        operation: OperationClass::Write,
                        effects: Vec::new(),
                    },
                }),
            Err(_) => None,
        };
        known.extend(outsider.map(|it| (name.to_owned(), it)));
    }
    known
}

/// Returns the contract of a capability; `None` if it cannot be a part of a skill.
fn outsider(name: &str, card: &Card) -> Option<OutsideCapability> {
    let runs = match card.kind() {
        Kind::Card => Runs::Card(name.to_owned()),
        Kind::Tool => Runs::Tool(name.to_owned()),
        Kind::Code => Runs::Capability(name.to_owned()),
        Kind::Skill | Kind::System => return None,
    };
    let schema = |schema: &Value| {
        let says_something = schema.as_object().is_some_and(|it| !it.is_empty());
        says_something.then(|| Arc::new(schema.clone()))
    };
    Some(OutsideCapability {
        runs,
        contract: Contract {
            input: schema(&card.input_schema),
            output: schema(&card.output_schema),
            operation: match card.operation {
                Operation::Read => OperationClass::Read,
                Operation::Write => OperationClass::Write,
            },
            effects: card.effects.clone(),
        },
    })
}
