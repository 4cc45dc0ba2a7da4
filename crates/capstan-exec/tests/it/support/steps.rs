//! Steps to put into chains. Each is about a thing of the fake GitHub, by its name.

use std::fmt;
use std::sync::Arc;

use capstan_core::card::{Card, Operation};
use capstan_core::{CapabilityId, ChainStep, Route, TaskRequest};
use serde_json::{Map, Value};

use super::cards::{call, card};

#[derive(Clone)]
pub(crate) struct Step {
    pub(crate) card: Arc<Card>,
    pub(crate) chain_step: ChainStep,
    pub(crate) is_sent_once: bool,
}

impl fmt::Debug for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let input = Value::Object(self.chain_step.request.input.clone());
        write!(f, "{} {input}", self.card.id)
    }
}

impl Step {
    fn new(card: Arc<Card>, name: &str) -> Self {
        let mut input = Map::new();
        input.insert("name".to_owned(), name.into());
        let request = TaskRequest {
            capability: card.id.to_string(),
            input,
            ..TaskRequest::default()
        };
        Self {
            card,
            chain_step: ChainStep {
                request,
                ..ChainStep::default()
            },
            is_sent_once: false,
        }
    }

    pub(crate) fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        let input = &mut self.chain_step.request.input;
        input.insert(name.to_owned(), value.into());
        self
    }

    /// Gives its card another name.
    pub(crate) fn renamed(mut self, id: &str) -> Self {
        let mut card = Card::clone(&self.card);
        card.id = CapabilityId::parse(id).unwrap();
        self.card = Arc::new(card);
        self
    }

    /// Lets the step refer to an earlier one.
    pub(crate) fn after(self, step: usize) -> Self {
        self.with("basis", format!("${step}.data.id"))
    }

    pub(crate) fn on(mut self, route: Route) -> Self {
        self.chain_step.request.options.route = Some(route);
        self
    }

    /// Leaves repeating to the caller.
    pub(crate) fn once(mut self) -> Self {
        self.is_sent_once = true;
        self
    }

    pub(crate) fn is_write(&self) -> bool {
        self.card.operation == Operation::Write
    }

    /// Returns which writes its write keeps its order among: those of its server, or all others.
    pub(crate) fn lane(&self) -> &str {
        match &self.card.call {
            Some(call) if call.route == Route::Mcp => call.target.split('.').next().unwrap(),
            _ => "",
        }
    }
}

/// Reads a thing.
pub(crate) fn read(name: &str) -> Step {
    Step::new(card("read"), name)
}

/// Reads something of which only REST knows.
pub(crate) fn read_rest(name: &str) -> Step {
    Step::new(card("read.rest"), name)
}

/// Reads a thing by POST.
pub(crate) fn read_post(name: &str) -> Step {
    Step::new(card("read.post"), name)
}

/// Reads a thing on any route.
pub(crate) fn read_any(name: &str) -> Step {
    Step::new(card("read.any"), name)
}

/// Reads a thing, over REST if it may.
pub(crate) fn read_preferring_rest(name: &str) -> Step {
    Step::new(card("read.preferring"), name)
}

/// Reads so many rows, of eleven nodes each.
pub(crate) fn list(name: &str, first: u64) -> Step {
    Step::new(card("list"), name).with("first", first)
}

/// Writes something new: nothing is looked up, and nobody can verify it.
pub(crate) fn write(name: &str) -> Step {
    Step::new(card("write"), name)
}

/// The same, over REST.
pub(crate) fn write_rest(name: &str) -> Step {
    Step::new(card("write.rest"), name)
}

/// The same, on any route.
pub(crate) fn write_any(name: &str) -> Step {
    Step::new(card("write.any"), name)
}

/// Looks a thing up and adds a remark to it, which nobody can verify.
pub(crate) fn remark(name: &str, value: &str) -> Step {
    Step::new(card("remark"), name).with("value", value)
}

/// The same, with a lookup that is remembered.
pub(crate) fn remember(name: &str, value: &str) -> Step {
    Step::new(card("remembering"), name).with("value", value)
}

/// The same, with several lookups at once.
pub(crate) fn gather(name: &str, others: &[&str]) -> Step {
    let step = Step::new(card("gathering"), name).with("value", "x");
    step.with("others", others)
}

/// Looks a thing up and gives it a value, unless it has it. A read can verify it.
pub(crate) fn set(name: &str, value: &str) -> Step {
    Step::new(card("set"), name).with("value", value)
}

/// The same, over GraphQL or REST.
pub(crate) fn set_any(name: &str, value: &str) -> Step {
    Step::new(card("set.any"), name).with("value", value)
}

/// The same, with a lookup that is remembered.
pub(crate) fn set_remembering(name: &str, value: &str) -> Step {
    Step::new(card("set.remembering"), name).with("value", value)
}

/// Gives a thing a value over REST, without a look.
pub(crate) fn set_rest(name: &str, value: &str) -> Step {
    Step::new(card("set.rest"), name).with("value", value)
}

/// Gives a thing a value, unless it is locked.
pub(crate) fn guarded(name: &str, value: &str) -> Step {
    Step::new(card("guarded"), name).with("value", value)
}

/// Gives a thing a value, once GitHub has computed what it is now.
pub(crate) fn patient(name: &str, value: &str) -> Step {
    Step::new(card("patient"), name).with("value", value)
}

/// Reads from a downstream server.
pub(crate) fn tool_read(server: &str, name: &str) -> Step {
    let target = format!("{server}.look");
    Step::new(call(Route::Mcp, &target, Operation::Read), name)
}

/// Writes to a downstream server.
pub(crate) fn tool_write(server: &str, name: &str) -> Step {
    let target = format!("{server}.change");
    Step::new(call(Route::Mcp, &target, Operation::Write), name)
}

/// Runs code, a skill, or what Capstan does itself.
pub(crate) fn own(route: Route, operation: Operation, name: &str) -> Step {
    Step::new(call(route, "own.work", operation), name)
}
