//! Prints the inputs and outputs of a capability for people.

use capstan_core::card::Kind;
use capstan_engine::{Explanation, Parameter};
use indexmap::IndexMap;

use super::sanitize::sanitize;
use super::wrap::width;
use super::{BOLD, DIM, NAME, Printer, wrapped};

impl Printer {
    pub(crate) fn explanation(&self, explanation: &Explanation) {
        // Descriptions of tools and code come from others, so control characters are escaped.
        let id = sanitize(&explanation.capability_id);
        let description = wrapped(&sanitize(&explanation.description), width(&id) + 2);
        self.line(format_args!("{BOLD}{id}{BOLD:#}  {description}"));
        self.field("fqdn", explanation.fqdn.as_deref().unwrap_or_default());
        self.parameters("needs", &explanation.required);
        self.parameters("takes", &explanation.optional);
        self.field("gives", &wrapped(&explanation.output.join(", "), 8));
        self.field("calls", &explanation.calls.join(", "));
        match explanation.kind {
            Kind::Card => {
                let routes = explanation.routes.iter().map(|route| route.as_str());
                self.field("routes", &routes.collect::<Vec<_>>().join(", then "));
            }
            kind => self.field("kind", kind.as_str()),
        }
        for note in &explanation.notes {
            self.field("note", note);
        }
        if let Some(deprecated) = &explanation.deprecated {
            self.line(format_args!("{DIM}deprecated{DIM:#} {deprecated}"));
        }
        if let Some(example) = &explanation.example {
            self.field(
                "example",
                &serde_json::Value::Object(example.clone()).to_string(),
            );
        }
    }

    pub(super) fn parameters(&self, title: &str, parameters: &IndexMap<String, Parameter>) {
        let mut title = title;
        let names = parameters.keys().map(|name| sanitize(name).chars().count());
        let width = names.max().unwrap_or(0);
        for (name, Parameter(kind)) in parameters {
            let (name, kind) = (sanitize(name), sanitize(kind));
            self.line(format_args!(
                "{DIM}{title:7}{DIM:#} {NAME}{name:width$}{NAME:#}  {kind}"
            ));
            title = "";
        }
    }
}
