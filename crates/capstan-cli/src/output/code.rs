//! What came of a run of code, for people.

use capstan_core::ResultEnvelope;
use serde_json::Value;

use super::harmless::harmless;
use super::{DIM, NAME, Printer};

impl Printer {
    pub(crate) fn code_result(&self, envelope: &ResultEnvelope) {
        let meta = &envelope.meta;
        for line in &meta.console {
            self.line(format_args!(
                "{DIM}{:5}{DIM:#} {}",
                line.level,
                harmless(&line.text)
            ));
        }
        match &envelope.data {
            // A list of alike things prints as a table, like the rows of a card.
            Some(Value::Object(_)) | None => {}
            Some(Value::String(text)) => self.line(harmless(text)),
            Some(other) => {
                let text = serde_json::to_string_pretty(other).unwrap_or_default();
                self.line(harmless(&text));
            }
        }
        self.envelope(envelope);
        if let Some(name) = &meta.capability_name {
            let fqdn = meta.capability_fqdn.as_deref().unwrap_or_default();
            self.line(format_args!("{NAME}{name}{NAME:#}  {DIM}{fqdn}{DIM:#}"));
        }
        let calls: Vec<_> = meta
            .calls
            .iter()
            .map(|made| format!("{} ×{}", made.capability, made.count))
            .collect();
        if !calls.is_empty() {
            self.line(format_args!(
                "{DIM}called {}{DIM:#}",
                harmless(&calls.join(", "))
            ));
        }
        if let Some(id) = &meta.trace_id {
            self.line(format_args!("{DIM}trace {id}{DIM:#}"));
        }
    }
}
