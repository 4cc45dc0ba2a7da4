//! Reads the fields of a map one by one. Fields that were never requested are reported as unknown.

use std::sync::Arc;

use capstan_catalog::yaml::{Entry, Node, Tree};
use capstan_core::similar::closest;
use capstan_core::{Diagnostic, Label, Severity, Source, Span};

use crate::Placed;
use crate::codes::MALFORMED;

/// Collects the diagnostics of a file.
pub(super) struct Notes {
    pub(super) source: Arc<Source>,
    pub(super) diagnostics: Vec<Diagnostic>,
}

impl Notes {
    pub(super) fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        let error = Diagnostic::error(code, &self.source, message).at(Some(span));
        self.diagnostics.push(error);
    }

    pub(super) fn warning(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.error(code, span, message);
        if let Some(last) = self.diagnostics.last_mut() {
            last.severity = Severity::Warning;
        }
    }

    pub(super) fn help(&mut self, help: impl Into<String>) {
        if let Some(last) = self.diagnostics.last_mut() {
            last.help = Some(help.into());
        }
    }

    pub(super) fn label(&mut self, span: Span, message: &str) {
        if let Some(last) = self.diagnostics.last_mut() {
            let message = message.to_owned();
            last.labels.push(Label { span, message });
        }
    }

    /// Reports that a field has the wrong type of value.
    pub(super) fn expected(&mut self, name: &str, what: &str, node: &Node) {
        let message = format!("`{name}` is {}: expected {what}", node.shown());
        self.error(MALFORMED, node.span, message);
    }
}

/// The kind of map whose fields are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    Skill,
    Compose,
    Requirement,
    Block,
    Retry,
    Deprecation,
}

pub(super) struct Fields<'a> {
    owner: Owner,
    entries: &'a [Entry],
    asked: Vec<&'static str>,
}

impl<'a> Fields<'a> {
    /// Starts reading a map. Reports a mistake and returns `None` if the node is not a map.
    pub(super) fn from_map(owner: Owner, node: &'a Node, notes: &mut Notes) -> Option<Self> {
        match &node.tree {
            Tree::Map(entries) => Some(Self {
                owner,
                entries,
                asked: Vec::new(),
            }),
            tree => {
                let (what, expected) = (owner.this_noun(), owner.expected());
                let message = format!("{what} is {}: expected {expected}", node.shown());
                notes.error(MALFORMED, node.span, message);
                match (owner, tree) {
                    (Owner::Block, Tree::Text(name)) => {
                        notes.help(format!("write `step: {name}`"));
                    }
                    (Owner::Skill, Tree::List(_)) => {
                        notes.help("remove the `-`; separate the skills of one file with `---`");
                    }
                    _ => {}
                }
                None
            }
        }
    }

    pub(super) fn take(&mut self, name: &'static str) -> Option<&'a Node> {
        self.entry(name).map(|entry| &entry.value)
    }

    /// Returns the value of a field with its key.
    pub(super) fn entry(&mut self, name: &'static str) -> Option<&'a Entry> {
        if !self.asked.contains(&name) {
            self.asked.push(name);
        }
        self.entries.iter().find(|entry| entry.key == name)
    }

    pub(super) fn text(&mut self, name: &'static str, notes: &mut Notes) -> Option<Placed<String>> {
        let node = self.take(name)?;
        text(name, node, notes)
    }

    /// Reads a field that has one of a few words.
    pub(super) fn word(
        &mut self,
        name: &'static str,
        expected: &str,
        notes: &mut Notes,
    ) -> Option<Placed<String>> {
        let node = self.take(name)?;
        let Some(value) = node.as_text() else {
            notes.expected(name, expected, node);
            return None;
        };
        Some(Placed {
            value: value.to_owned(),
            span: node.span,
        })
    }

    pub(super) fn number(&mut self, name: &'static str, notes: &mut Notes) -> Option<Placed<u64>> {
        let node = self.take(name)?;
        let value = match &node.tree {
            Tree::Number(number) => number.as_u64(),
            _ => None,
        };
        if value.is_none() {
            let expected = if name.ends_with("_ms") {
                "a whole number of milliseconds"
            } else {
                "a whole number"
            };
            notes.expected(name, expected, node);
        }
        value.map(|value| Placed {
            value,
            span: node.span,
        })
    }

    pub(super) fn list(&mut self, name: &'static str, notes: &mut Notes) -> Option<&'a [Node]> {
        let node = self.take(name)?;
        match &node.tree {
            Tree::List(items) => Some(items),
            // Editors may leave a field empty.
            Tree::Null => Some(&[]),
            tree => {
                notes.expected(name, "a list", node);
                match (name, tree) {
                    ("composes" | "effects" | "intents" | "retry_on", Tree::Text(text))
                        if text.len() < 40 =>
                    {
                        notes.help(format!("write `{name}: [{text}]`"));
                    }
                    ("execution", Tree::Text(text)) => {
                        notes.help(format!("write `execution: [{{step: {text}}}]`"));
                    }
                    (_, Tree::Map(_)) => notes.help("put a `-` before each entry"),
                    _ => {}
                }
                None
            }
        }
    }

    pub(super) fn texts(&mut self, name: &'static str, notes: &mut Notes) -> Vec<Placed<String>> {
        let items = self.list(name, notes).unwrap_or_default();
        let texts = items.iter().filter_map(|item| text(name, item, notes));
        texts.collect()
    }

    /// Returns the entries of a field that is a map with freely chosen names.
    pub(super) fn map(&mut self, name: &'static str, notes: &mut Notes) -> &'a [Entry] {
        match self.take(name) {
            None => &[],
            Some(node) => match &node.tree {
                Tree::Map(entries) => entries,
                Tree::Null => &[],
                _ => {
                    notes.expected(name, "a map", node);
                    if matches!(node.tree, Tree::List(_)) {
                        notes.help("write `name: value`, without `-`");
                    }
                    &[]
                }
            },
        }
    }

    /// Reads a map from names to names.
    pub(super) fn mapping(
        &mut self,
        name: &'static str,
        notes: &mut Notes,
    ) -> Vec<(Placed<String>, Placed<String>)> {
        let entries = self.map(name, notes);
        let pair = |entry: &Entry| {
            let to = text(&format!("{name}.{}", entry.key), &entry.value, notes)?;
            Some((key(entry), to))
        };
        entries.iter().filter_map(pair).collect()
    }

    /// Whether there is a field that has not been requested so far.
    pub(super) fn has_unknown(&self) -> bool {
        let mut entries = self.entries.iter();
        entries.any(|entry| !self.asked.contains(&entry.key.as_str()))
    }

    /// Reports every field that has not been requested.
    pub(super) fn report_unknown(self, notes: &mut Notes) {
        for entry in self.entries {
            if self.asked.contains(&entry.key.as_str()) {
                continue;
            }
            let (this, key) = (self.owner.noun(), &entry.key);
            let message = format!("{this} has no field `{key}`");
            notes.error(MALFORMED, entry.key_span, message);
            let near = closest(key, self.asked.iter().copied());
            notes.help(match (near, self.owner.instead_of(key)) {
                (Some(near), _) => format!("did you mean `{near}`?"),
                (None, Some(instead)) => instead.to_owned(),
                (None, None) => format!("it has {}", self.asked.join(", ")),
            });
        }
    }
}

pub(super) fn key(entry: &Entry) -> Placed<String> {
    Placed {
        value: entry.key.clone(),
        span: entry.key_span,
    }
}

pub(super) fn text(name: &str, node: &Node, notes: &mut Notes) -> Option<Placed<String>> {
    let Some(value) = node.as_text() else {
        notes.expected(name, "a text", node);
        if matches!(node.tree, Tree::Number(_) | Tree::Bool(_)) {
            notes.help("put it in quotes");
        }
        return None;
    };
    Some(Placed {
        value: value.to_owned(),
        span: node.span,
    })
}

impl Owner {
    fn noun(self) -> &'static str {
        match self {
            Owner::Skill => "a skill",
            Owner::Compose => "an entry of `composes`",
            Owner::Requirement => "an entry of `requires`",
            Owner::Block => "a block of `execution`",
            Owner::Retry => "`retry`",
            Owner::Deprecation => "`deprecated`",
        }
    }

    fn this_noun(self) -> &'static str {
        match self {
            Owner::Skill => "this document",
            Owner::Compose => "this entry of `composes`",
            Owner::Requirement => "this entry of `requires`",
            Owner::Block => "this block of `execution`",
            Owner::Retry => "`retry`",
            Owner::Deprecation => "`deprecated`",
        }
    }

    fn expected(self) -> &'static str {
        match self {
            Owner::Skill => "a skill, which is a map with `id` and `level`",
            Owner::Compose => "the name of a skill, or a map with `skill`",
            Owner::Requirement => "a map with `skill` and `version`",
            Owner::Block => "`step: name` or `parallel: [ … ]`",
            Owner::Retry => "a map with `max_attempts`, `backoff`, `delay_ms` or `retry_on`",
            Owner::Deprecation => "a map with `since`, `sunset` or `use`",
        }
    }

    /// Explains how to express a field that is common elsewhere but does not exist here.
    fn instead_of(self, key: &str) -> Option<&'static str> {
        Some(match (self, key) {
            (Owner::Skill, "name") => "the name of a skill is its `id`",
            (Owner::Skill, "input" | "inputs" | "parameters" | "args") => {
                "describe the input with `input_schema`"
            }
            (Owner::Skill, "returns") => "describe the output with `output_schema`",
            (Owner::Skill, "steps" | "workflow" | "jobs" | "tasks") => {
                "list the steps in `composes`, and their order in `execution`"
            }
            (Owner::Skill, "skills" | "uses" | "depends_on" | "dependencies") => {
                "list the steps in `composes`"
            }
            (Owner::Skill, "run" | "script" | "exec") => {
                "an L1 skill says what it runs with `card`, `tool`, `capability` or `code`"
            }
            (Owner::Skill | Owner::Compose, "condition" | "when" | "if") => {
                "`condition` belongs to a step in `execution`"
            }
            (Owner::Compose, "retry" | "timeout_ms" | "parallel") => {
                "it belongs to the step in `execution`"
            }
            (Owner::Compose, "id" | "name" | "step") => {
                "`skill` names the skill, and `as` names the step"
            }
            (Owner::Block, "when" | "if" | "unless") => "use `condition`",
            (Owner::Block, "input_mapping" | "output_mapping" | "as" | "version") => {
                "it belongs to the entry in `composes`"
            }
            (Owner::Block, "outputs") => "`outputs` belongs to the skill, not to a step",
            (Owner::Block, "skill" | "id" | "name" | "uses" | "run") => {
                "a block names a step of `composes`: `step: name`"
            }
            (Owner::Compose | Owner::Block, "depends_on" | "needs" | "after" | "requires") => {
                "a step waits for the steps whose outputs it uses, and for the blocks before it"
            }
            (Owner::Block | Owner::Compose, "with" | "args" | "input" | "params") => "use `inputs`",
            (Owner::Retry, "attempts" | "retries" | "max" | "times") => "use `max_attempts`",
            _ => return None,
        })
    }
}
