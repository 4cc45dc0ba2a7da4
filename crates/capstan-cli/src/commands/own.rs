//! For the commands that are a front of something that Capstan does itself: `cap.*`, `trace.*`.

use std::collections::HashMap;

use capstan_core::{Format, Options, ResultEnvelope, TaskRequest};
use capstan_engine::to_text;
use serde_json::{Map, Value};

use super::Context;
use crate::exit::Exit;
use crate::output::Printer;
use crate::wiring::Engine;

pub(super) struct Own {
    pub(super) engine: Engine,
    pub(super) printer: Printer,
}

impl Own {
    pub(super) async fn start(context: &Context) -> anyhow::Result<Self> {
        let engine = context.engine().await?;
        let printer = context.printer_of(&engine, false);
        Ok(Self { engine, printer })
    }

    /// Runs it as it would be run for an agent. Inputs that are null were not given.
    pub(super) async fn run<const N: usize>(
        &self,
        capability: &str,
        input: [(&str, Value); N],
    ) -> ResultEnvelope {
        let given = input.into_iter().filter(|(_, value)| !value.is_null());
        let input = given
            .map(|(name, value)| (name.to_owned(), value))
            .collect();
        self.run_with(capability, input).await
    }

    pub(super) async fn run_with(
        &self,
        capability: &str,
        input: Map<String, Value>,
    ) -> ResultEnvelope {
        let request = TaskRequest {
            capability: capability.to_owned(),
            input,
            // Code and traces are of no use when they are cut.
            options: Options {
                full: true,
                ..Options::default()
            },
            intent: None,
        };
        self.engine.capstan.execute_task(&request).await
    }

    /// The envelope for a program. A person sees the data as `show` shows it.
    pub(super) fn tell(
        &self,
        envelope: &ResultEnvelope,
        show: impl FnOnce(&Printer, &Value),
    ) -> Exit {
        match &envelope.data {
            _ if self.printer.is_machine() => {
                self.printer.line(to_text(envelope, Format::Json));
            }
            Some(data) if envelope.ok => {
                show(&self.printer, data);
                self.printer.remarks(envelope);
            }
            _ => self.printer.envelope(envelope),
        }
        Exit::from(envelope)
    }

    /// The same; a person sees code under the name that people gave it.
    pub(super) async fn tell_by_names(
        &self,
        envelope: &ResultEnvelope,
        show: impl FnOnce(&Printer, &Value),
    ) -> Exit {
        let names = if self.printer.is_machine() {
            HashMap::new()
        } else {
            self.engine.capstan.discovery().labels_of_code().await
        };
        self.tell(envelope, |printer, data| {
            let mut data = data.clone();
            rename(&mut data, &names);
            show(printer, &data);
        })
    }

    /// The same, with nothing special for people: the fields of the data.
    pub(super) fn tell_plainly(&self, envelope: &ResultEnvelope) -> Exit {
        if self.printer.is_machine() {
            self.printer.line(to_text(envelope, Format::Json));
        } else {
            self.printer.envelope(envelope);
        }
        Exit::from(envelope)
    }
}

fn rename(value: &mut Value, names: &HashMap<String, String>) {
    match value {
        Value::String(text) => {
            if let Some(name) = names.get(text) {
                name.clone_into(text);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| rename(item, names)),
        Value::Object(fields) => fields.values_mut().for_each(|field| rename(field, names)),
        _ => {}
    }
}
