//! `skill.draft`: a trace as a skill that does the same.

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
use crate::capability::server_of;
use crate::local::action::{Action, Done, NotDone, Work};
use crate::local::{self, input, trace, view};

pub(in crate::local) const ACTION: Action = Action {
    id: "skill.draft",
    description: "Draft a skill from what an execution did; what it gives passes the checker",
    operation: Operation::Read,
    input: || {
        let properties = json!({
            "trace": {
                "type": "string",
                "description": "a trace id, or its beginning; `last` is the newest",
            },
            "id": {"type": "string", "description": "what the skill is to be called"},
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

/// How long a server may take to say what it has.
const PATIENCE: Duration = Duration::from_secs(5);

async fn run(work: Work<'_>) -> Result<Done, NotDone> {
    let asked = input::text(work.input, "trace").unwrap_or_default();
    let trace = match asked {
        "last" => trace::newest(&work).await?,
        id => trace::named(&work, id).await?,
    };
    let calls = observed(&trace);
    let outside = outside(&work, &calls).await;
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
        // Whoever says the name of a skill may be drafting it anew.
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
        let note = format!("there is a skill `{}` already", draft.id);
        draft.notes.push(note);
    }
    if !trace.ok {
        let note = "the execution failed: what it would have done next is not in the draft";
        draft.notes.insert(0, note.to_owned());
    }
    let answer = json!({"id": draft.id.as_str(), "yaml": draft.text, "notes": draft.notes});
    Ok(answer.into())
}

/// What is known of everything that was called and can be a part of a skill.
async fn outside(work: &Work<'_>, calls: &[ObservedCall]) -> HashMap<String, OutsideCapability> {
    let engine = work.engine;
    let patience = engine.shared.clock.now() + PATIENCE;
    let mut known: HashMap<String, OutsideCapability> = HashMap::new();
    for call in calls {
        let name = call.capability.as_str();
        if known.contains_key(name) {
            continue;
        }
        let found = engine
            .resolver
            .find(name, work.around.deadline.min(patience))
            .await;
        let outsider = match found {
            Ok(found) => outsider(name, &found.card),
            // A server that does not answer has it still.
            Err(error) if error.code != ErrorCode::NotFound => server_of(name)
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
