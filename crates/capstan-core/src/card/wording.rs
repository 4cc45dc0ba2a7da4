//! How a card is called and written: names that callers already know, and its form as a line.

use indexmap::IndexMap;
use serde_json::{Map, Value};

use crate::CapabilityId;
use crate::expr::{Expr, Template};

/// Another name of a card, such as a command of `gh` (`issue close`) or a tool of GitHub's MCP server
/// (`issue_write`).
#[derive(Clone, Debug, PartialEq)]
pub struct OtherName {
    pub name: String,
    /// Inputs that must have these values for the name to mean this card. They have no other
    /// purpose, so they are removed from the input.
    pub with: Map<String, Value>,
    /// Inputs that get these values unless the caller sets them, because the name has other
    /// defaults.
    pub sets: Map<String, Value>,
    /// Inputs that accept only one value under this name, because several would mean something
    /// else.
    pub single: Vec<String>,
}

impl OtherName {
    /// Returns whether the name means this card with this input. Texts are compared without regard
    /// to case.
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

    /// Returns the input of the card for an input under this name.
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

/// How the inputs of a card are written in a line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LineForm {
    /// The inputs that are given without a flag, in this order.
    pub positional: Vec<String>,
    /// Other names of inputs, in lines and in JSON. A name of one letter is a short flag.
    pub flags: IndexMap<String, FlagMeaning>,
    /// Other names of the answer's fields: `isDraft` for `draft`.
    pub fields: IndexMap<String, String>,
}

/// The meaning of a flag that is not the name of an input.
#[derive(Clone, Debug, PartialEq)]
pub enum FlagMeaning {
    /// The input of this name.
    Input(String),
    /// These inputs with these values: `--squash` is `method: squash`.
    Sets(Map<String, Value>),
}

/// One step of a card that combines others.
#[derive(Clone, Debug, PartialEq)]
pub struct CombinedStep {
    pub task: CapabilityId,
    /// A condition on the input; the step runs only if it is true.
    pub when: Option<Expr>,
    /// The inputs of the step, as expressions over the input of the card. Inputs of the same name
    /// are passed on.
    pub input: IndexMap<String, Expr>,
    /// A field that is true in the result if this step ran: `commented`.
    pub says: Option<String>,
}

/// The list in a card's data.
#[derive(Clone, Debug, PartialEq)]
pub struct List {
    /// The field of `data` that has the rows.
    pub field: String,
    /// The message for an empty list, which says what was searched: `no {state} issues in
    /// {owner}/{repo}`.
    pub empty: Template,
    /// The title of the rows, over the input: `{state} issues`.
    pub title: Option<Template>,
    /// The order of the rows in words: `newest first`.
    pub order: Option<String>,
    /// The fields of a row that are read and shown unless the caller asks for others. Empty means
    /// all.
    pub columns: Vec<String>,
    /// The fields that a line shows even if the caller chose others, if some row has a value.
    pub always: Vec<String>,
}

impl List {
    /// The list of an answer that nobody described: the answer itself, or the only list in it.
    pub fn of_whole_answer() -> Self {
        Self {
            field: String::new(),
            empty: Template::literal("no rows"),
            title: None,
            order: None,
            columns: Vec::new(),
            always: Vec::new(),
        }
    }

    /// Returns the rows in the data of a card; `None` if there is no list.
    pub fn rows<'a>(&self, data: &'a Value) -> Option<&'a Vec<Value>> {
        match data {
            Value::Array(rows) if self.is_whole_answer() => Some(rows),
            Value::Object(fields) if self.is_whole_answer() => {
                let mut lists = fields.values().filter_map(Value::as_array);
                lists.next().filter(|_| lists.next().is_none())
            }
            _ => data.get(&self.field)?.as_array(),
        }
    }

    /// Like [`List::rows`], to change them.
    pub fn rows_mut<'a>(&self, data: &'a mut Value) -> Option<&'a mut Vec<Value>> {
        self.rows(data)?;
        if !self.is_whole_answer() {
            return data.get_mut(&self.field)?.as_array_mut();
        }
        match data {
            Value::Array(rows) => Some(rows),
            Value::Object(fields) => fields.values_mut().find_map(Value::as_array_mut),
            _ => None,
        }
    }

    /// Returns the field of the data that has the rows; `None` if there is none, or if the data itself is the list.
    pub fn field_in<'a>(&'a self, data: &'a Value) -> Option<&'a str> {
        if !self.is_whole_answer() {
            return Some(&self.field);
        }
        self.rows(data)?;
        let mut fields = data.as_object()?.iter();
        fields.find_map(|(name, field)| field.is_array().then_some(name.as_str()))
    }

    pub fn is_whole_answer(&self) -> bool {
        self.field.is_empty()
    }
}
