//! The definition of an action, and what its function works with.

use std::time::Instant;

use serde_json::{Map, Value, json};

use capstan_core::card::{CallRoute, Card, Example, Operation};
use capstan_core::code::{Capability, Timestamp};
use capstan_core::port::{BoxFuture, Failure, Resolved, Store, Via, Viewer};
use capstan_core::{CapabilityId, ErrorCode, Outcome, ResultError, Route};
use capstan_exec::Watch;

use crate::capability::{Directory, check_length, store_error};
use crate::chain_runner::ChainRunner;
use crate::discovery::Discovery;
use crate::plans::SkillPlans;
use crate::recorder::CallContext;
use crate::resolver::Resolver;
use crate::shared::Shared;

/// One of Capstan's own actions.
pub(super) struct Action {
    pub(super) id: &'static str,
    pub(super) description: &'static str,
    pub(super) operation: Operation,
    /// The properties of the input, and which of them are required.
    pub(super) input: fn() -> (Value, &'static [&'static str]),
    pub(super) example: fn() -> Value,
    /// Phrases by which the action is found.
    pub(super) intents: &'static [&'static str],
    pub(super) run: for<'a> fn(Work<'a>) -> BoxFuture<'a, Result<ActionOutput, ActionFailure>>,
}

/// The result of an action.
pub(super) struct ActionOutput {
    pub(super) data: Value,
    pub(super) warnings: Vec<String>,
}

/// The failure of an action.
pub(super) struct ActionFailure(pub(super) Failure);

impl From<ResultError> for ActionFailure {
    fn from(error: ResultError) -> Self {
        // A store that fails may have applied the change first.
        let outcome = if error.code == ErrorCode::Unknown {
            Outcome::Unknown
        } else {
            Outcome::NotApplied
        };
        Self(Failure::new(error, outcome))
    }
}

impl From<Value> for ActionOutput {
    fn from(data: Value) -> Self {
        Self {
            data,
            warnings: Vec::new(),
        }
    }
}

/// The parts of the engine that actions work with.
#[derive(Clone, Copy)]
pub(crate) struct ActionEngine<'a> {
    pub(crate) shared: &'a Shared,
    pub(crate) directory: &'a Directory,
    pub(crate) plans: &'a SkillPlans,
    pub(crate) resolver: &'a Resolver,
    pub(crate) discovery: &'a Discovery,
    pub(crate) chains: &'a dyn ChainRunner,
}

/// One call of an action, with everything that the action works with. The input fits the schema.
pub(super) struct Work<'a> {
    pub(super) engine: ActionEngine<'a>,
    pub(super) store: &'a dyn Store,
    pub(super) input: &'a Map<String, Value>,
    pub(super) context: ActionContext<'a>,
}

/// The circumstances of an action, for actions that run other capabilities.
#[derive(Clone, Copy)]
pub(crate) struct ActionContext<'a> {
    pub(crate) deadline: Instant,
    pub(crate) call_context: CallContext<'a>,
    pub(crate) watch: Option<Watch<'a>>,
}

impl Work<'_> {
    pub(super) fn viewer(&self) -> &Viewer {
        self.engine.shared.viewer()
    }

    pub(super) fn now(&self) -> Timestamp {
        self.engine.shared.timestamp()
    }

    /// Finds the remembered code that a field of the input names.
    pub(super) async fn target(&self, field: &str) -> Result<(Capability, Via), ResultError> {
        let name = self
            .input
            .get(field)
            .and_then(Value::as_str)
            .unwrap_or_default();
        check_length(name)?;
        match self
            .store
            .resolve(self.viewer(), name)
            .await
            .map_err(|error| store_error(&error))?
        {
            Resolved::Found(capability, via) => Ok((*capability, via)),
            Resolved::Several(all) => {
                let names: Vec<_> = all.iter().map(ToString::to_string).collect();
                let message = format!(
                    "`{name}` matches several capabilities: name one, {}",
                    names.join(" or ")
                );
                Err(ResultError::new(ErrorCode::Conflict, message).with_detail("near", names))
            }
            Resolved::Nothing => {
                let near = self.engine.directory.similar_code_names(name).await;
                let mut message = format!("Capability not found: {name}");
                if !near.is_empty() {
                    message.push_str(&format!("; did you mean {}?", near.join(", ")));
                }
                let mend = json!({"tool": "execute", "arguments": {"capability": "cap.list", "input": {}}});
                let error = ResultError::new(ErrorCode::NotFound, message);
                Err(error.with_detail("near", near).with_detail("mend", mend))
            }
        }
    }

    /// Like [`Self::target`], for changes: refuses code of other projects.
    pub(super) async fn own(&self, field: &str) -> Result<Capability, ResultError> {
        let (capability, _) = self.target(field).await?;
        let (theirs, ours) = (&capability.record.scope, &self.viewer().scope);
        if theirs != ours {
            let message = format!(
                "{} belongs to {theirs} and can only be changed there; this is {ours}",
                capability.record.fqdn
            );
            return Err(ResultError::new(ErrorCode::Policy, message));
        }
        Ok(capability)
    }
}

impl Action {
    /// Returns the card of the action.
    pub(super) fn card(&self) -> Card {
        let (properties, required) = (self.input)();
        let mut schema = json!({
            "type": "object",
            "properties": properties,
            "additionalProperties": false,
        });
        if !required.is_empty() {
            schema["required"] = json!(required);
        }
        let call = CallRoute {
            route: Route::Local,
            target: self.id.to_owned(),
        };
        let example = (self.example)();
        Card {
            description: self.description.to_owned(),
            input_schema: schema,
            intents: self.intents.iter().map(|it| (*it).to_owned()).collect(),
            examples: vec![Example {
                title: self.description.to_owned(),
                input: example.as_object().cloned().unwrap_or_default(),
            }],
            ..Card::of_call(CapabilityId::given(self.id), call, self.operation)
        }
    }
}
