//! A map of a file, taken apart field by field: each is asked for once, and what nobody asked for is
//! told as a mistake.

use std::sync::Arc;

use capstan_catalog::yaml::{Entry, Node, Tree};
use capstan_core::{Diagnostic, Source, Span};

use crate::Placed;
use crate::codes::MALFORMED;

/// Where mistakes are written down.
pub(super) struct Notes {
    pub(super) source: Arc<Source>,
    pub(super) diagnostics: Vec<Diagnostic>,
}

impl Notes {
    pub(super) fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        let error = Diagnostic::error(code, &self.source, message).at(Some(span));
        self.diagnostics.push(error);
    }

    pub(super) fn help(&mut self, help: impl Into<String>) {
        if let Some(last) = self.diagnostics.last_mut() {
            last.help = Some(help.into());
        }
    }

    /// Something is not what it has to be.
    pub(super) fn expected(&mut self, name: &str, what: &str, node: &Node) {
        let message = format!("`{name}` is {}: expected {what}", node.what());
        self.error(MALFORMED, node.span, message);
    }
}

pub(super) struct Fields<'a> {
    entries: &'a [Entry],
    asked: Vec<&'static str>,
}

impl<'a> Fields<'a> {
    /// The fields of a map; nothing and a note where it is none.
    pub(super) fn of(name: &str, node: &'a Node, notes: &mut Notes) -> Option<Self> {
        match &node.tree {
            Tree::Map(entries) => Some(Self {
                entries,
                asked: Vec::new(),
            }),
            _ => {
                notes.expected(name, "a map", node);
                None
            }
        }
    }

    pub(super) fn take(&mut self, name: &'static str) -> Option<&'a Node> {
        self.entry(name).map(|entry| &entry.value)
    }

    /// With where its name stands.
    pub(super) fn entry(&mut self, name: &'static str) -> Option<&'a Entry> {
        self.asked.push(name);
        self.entries.iter().find(|entry| entry.key == name)
    }

    pub(super) fn text(&mut self, name: &'static str, notes: &mut Notes) -> Option<Placed<String>> {
        let node = self.take(name)?;
        text(name, node, notes)
    }

    pub(super) fn number(&mut self, name: &'static str, notes: &mut Notes) -> Option<Placed<u64>> {
        let node = self.take(name)?;
        let value = match &node.tree {
            Tree::Number(number) => number.as_u64(),
            _ => None,
        };
        if value.is_none() {
            notes.expected(name, "a whole number", node);
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
            // An empty field, as editors leave it.
            Tree::Null => Some(&[]),
            _ => {
                notes.expected(name, "a list", node);
                None
            }
        }
    }

    pub(super) fn texts(&mut self, name: &'static str, notes: &mut Notes) -> Vec<Placed<String>> {
        let items = self.list(name, notes).unwrap_or_default();
        let texts = items.iter().filter_map(|item| text(name, item, notes));
        texts.collect()
    }

    /// The entries of a field that is a map with names of the author's own.
    pub(super) fn map(&mut self, name: &'static str, notes: &mut Notes) -> &'a [Entry] {
        match self.take(name) {
            None => &[],
            Some(node) => match &node.tree {
                Tree::Map(entries) => entries,
                Tree::Null => &[],
                _ => {
                    notes.expected(name, "a map", node);
                    &[]
                }
            },
        }
    }

    /// A map from name to name.
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

    /// Notes what nobody asked for.
    pub(super) fn end(self, notes: &mut Notes) {
        for entry in self.entries {
            if self.asked.contains(&entry.key.as_str()) {
                continue;
            }
            let message = format!("there is no field `{}` here", entry.key);
            notes.error(MALFORMED, entry.key_span, message);
            let near = crate::near::nearest(&entry.key, self.asked.iter().copied());
            match near.first() {
                Some(near) => notes.help(format!("did you mean `{near}`?")),
                None => notes.help(format!("there are {}", self.asked.join(", "))),
            }
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
