//! How a card is called and written: the names that callers already know, and its form as a line.

use indexmap::IndexMap;
use serde_json::{Map, Value};

use crate::CapabilityId;
use crate::expr::{Expr, Template};

/// Another name of a card, such as a command of `gh` (`issue close`) or a tool of GitHub's MCP server
/// (`issue_write`).
#[derive(Clone, Debug, PartialEq)]
pub struct OtherName {
    pub name: String,
    /// Inputs that must have these values for the name to mean this card. They say nothing else, so they are
    /// taken out of the input.
    pub with: Map<String, Value>,
    /// Inputs that it gives unless the caller does, where the name means something else by leaving them out.
    pub sets: Map<String, Value>,
    /// Inputs that the name takes with one value only, because it means something else by several.
    pub single: Vec<String>,
}

impl OtherName {
    /// Whether the name means this card with such an input. Texts are compared in any case.
    pub fn fits(&self, input: &Map<String, Value>) -> bool {
        let alike = |wanted: &Value, given: &Value| match (wanted, given) {
            (Value::String(wanted), Value::String(given)) => wanted.eq_ignore_ascii_case(given),
            _ => wanted == given,
        };
        let has = |(name, wanted): (&String, &Value)| {
            input.get(name).is_some_and(|given| alike(wanted, given))
        };
        let are_several = |value: &Value| value.as_array().is_some_and(|items| items.len() > 1);
        self.with.iter().all(has)
            && !self
                .single
                .iter()
                .any(|name| input.get(name).is_some_and(are_several))
    }

    /// The input of the card, from what was given under this name.
    pub fn applied(&self, mut input: Map<String, Value>) -> Map<String, Value> {
        for name in self.with.keys() {
            input.shift_remove(name);
        }
        for (name, value) in &self.sets {
            let entry = input.entry(name.clone());
            entry.or_insert_with(|| value.clone());
        }
        input
    }
}

/// How the inputs of a card are given in a line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LineForm {
    /// Inputs that are given without a flag, in this order.
    pub positional: Vec<String>,
    /// Other names of inputs, in lines and in JSON. A name of one letter is a short flag.
    pub flags: IndexMap<String, FlagMeaning>,
    /// Other names of the fields of an answer: `isDraft` for `draft`.
    pub fields: IndexMap<String, String>,
}

/// What a flag that is not the name of an input stands for.
#[derive(Clone, Debug, PartialEq)]
pub enum FlagMeaning {
    /// The input of this name.
    Input(String),
    /// These inputs with these values: `--squash` is `method: squash`.
    Sets(Map<String, Value>),
}

/// One part of a card that combines others.
#[derive(Clone, Debug, PartialEq)]
pub struct CombinedStep {
    pub task: CapabilityId,
    /// It is a part only when this holds of the input.
    pub when: Option<Expr>,
    /// Inputs of the part by expressions over the input of the card. Inputs of the same name are passed on.
    pub input: IndexMap<String, Expr>,
    /// A field that is true in the result when this part was run: `commented`.
    pub says: Option<String>,
}

/// The list in a card's data.
#[derive(Clone, Debug, PartialEq)]
pub struct List {
    /// The field of `data` that holds the rows.
    pub field: String,
    /// What an empty list was searched for: `no {state} issues in {owner}/{repo}`.
    pub empty: Template,
    /// What the rows are, over the input: `{state} issues`.
    pub title: Option<Template>,
    /// In which order they come, in words: `newest first`.
    pub order: Option<String>,
    /// The fields of a row that are read and shown unless the caller asks for others. All of them when it is empty.
    pub columns: Vec<String>,
    /// The fields that a line shows although the caller chose others, where some row has a value.
    pub always: Vec<String>,
}
