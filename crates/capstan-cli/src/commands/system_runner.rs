//! Runs system capabilities (`cap.*`, `dep.*`, `graph.*`, `trace.*`) for the commands of the same names.

use std::collections::HashMap;

use capstan_core::{Format, Options, ResultEnvelope, TaskRequest};
use capstan_engine::to_text;
use serde_json::{Map, Value};

use super::Context;
use crate::exit::Exit;
use crate::output::Printer;
use crate::wiring::Engine;

/// An engine and a printer for commands that run a system capability and print its result.
pub(super) struct SystemRunner {
    pub(super) engine: Engine,
    pub(super) printer: Printer,
}

impl SystemRunner {
    pub(super) async fn start(context: &Context) -> anyhow::Result<Self> {
        let engine = context.engine().await?;
        let printer = context.printer_of(&engine, false);
        Ok(Self { engine, printer })
    }

    /// Runs a capability as for an agent. Inputs that are null are left out.
    pub(super) async fn run<const N: usize>(
        &self,
        capability: &str,
        input: [(&str, Value); N],
    ) -> ResultEnvelope {
        let given = input.into_iter().filter(|(_, value)| !value.is_null());
        let input = given
            .map(|(name, value)| (name.to_owned(), value))
            .collect();
        self.run_with_input(capability, input).await
    }

    /// Runs a capability with this input.
    pub(super) async fn run_with_input(
        &self,
        capability: &str,
        input: Map<String, Value>,
    ) -> ResultEnvelope {
        let request = TaskRequest {
            capability: capability.to_owned(),
            input,
            // Truncated code and traces are useless.
            options: Options {
                full: true,
                ..Options::default()
            },
            intent: None,
        };
        self.engine.capstan.execute_task(&request).await
    }

    /// Prints the envelope for programs. For people, prints the data with `show`.
    pub(super) fn print_with(
        &self,
        envelope: &ResultEnvelope,
        show: impl FnOnce(&Printer, &Value),
    ) -> Exit {
        match &envelope.data {
            _ if self.printer.is_for_programs() => {
                self.printer.line(to_text(envelope, Format::Json));
            }
            Some(data) if envelope.ok => {
                show(&self.printer, data);
                self.printer.notes_and_warnings(envelope);
            }
            _ => self.printer.envelope(envelope),
        }
        Exit::from(envelope)
    }

    /// Prints like [`Self::print_with`]. For people, ids of code are replaced by their names.
    pub(super) async fn print_with_names(
        &self,
        envelope: &ResultEnvelope,
        show: impl FnOnce(&Printer, &Value),
    ) -> Exit {
        let names = if self.printer.is_for_programs() {
            HashMap::new()
        } else {
            self.engine.capstan.discovery().labels_of_code().await
        };
        self.print_with(envelope, |printer, data| {
            let mut data = data.clone();
            replace_names(&mut data, &names);
            show(printer, &data);
        })
    }

    /// Prints the envelope for programs. For people, prints the fields of the data.
    pub(super) fn print(&self, envelope: &ResultEnvelope) -> Exit {
        if self.printer.is_for_programs() {
            self.printer.line(to_text(envelope, Format::Json));
        } else {
            self.printer.envelope(envelope);
        }
        Exit::from(envelope)
    }
}

/// Replaces every string that is a key of `names` by its value.
fn replace_names(value: &mut Value, names: &HashMap<String, String>) {
    match value {
        Value::String(text) => {
            if let Some(name) = names.get(text) {
                name.clone_into(text);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| replace_names(item, names)),
        Value::Object(fields) => fields
            .values_mut()
            .for_each(|field| replace_names(field, names)),
        _ => {}
    }
}
