//! The options of a call, as far as they were given: what a chain says holds for its steps, unless
//! they say otherwise.

use capstan_core::{Format, Options, Route};

use super::{Fields, Problem};

/// Every option.
const OPTIONS: [&str; 6] = ["route", "trace", "full", "fields", "format", "timeout_ms"];

#[derive(Clone, Debug, Default)]
pub(crate) struct GivenOptions {
    pub(crate) route: Option<Route>,
    pub(crate) trace: Option<bool>,
    pub(crate) full: Option<bool>,
    pub(crate) fields: Option<Vec<String>>,
    pub(crate) format: Option<Format>,
    pub(crate) timeout_ms: Option<u64>,
}

impl GivenOptions {
    /// Takes the `options` of an object.
    pub(crate) fn take(from: &mut Fields) -> Result<Self, Problem> {
        let Some(given) = from.take_object(&["options"])? else {
            return Ok(Self::default());
        };
        let mut fields = Fields::within("options.", given);
        let options = Self {
            route: fields.take_as("route", "graphql, rest or cli")?,
            trace: fields.take_as("trace", "true or false")?,
            full: fields.take_as("full", "true or false")?,
            fields: fields.take_as("fields", "a list of output fields")?,
            format: fields.take_as("format", "toon or json")?,
            timeout_ms: fields.take_as("timeout_ms", "a whole number of milliseconds")?,
        };
        fields.finish("an option", &OPTIONS, "")?;
        Ok(options)
    }

    /// These, and where they say nothing, the others.
    pub(crate) fn or(self, others: &Self) -> Self {
        Self {
            route: self.route.or(others.route),
            trace: self.trace.or(others.trace),
            full: self.full.or(others.full),
            fields: self.fields.or_else(|| others.fields.clone()),
            format: self.format.or(others.format),
            timeout_ms: self.timeout_ms.or(others.timeout_ms),
        }
    }
}

impl From<GivenOptions> for Options {
    fn from(given: GivenOptions) -> Self {
        Self {
            route: given.route,
            trace: given.trace.unwrap_or_default(),
            full: given.full.unwrap_or_default(),
            fields: given.fields,
            format: given.format,
            timeout_ms: given.timeout_ms,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_of_the_engine_is_known() {
        let engine = serde_json::to_value(Options::default()).unwrap();
        let mut engine: Vec<_> = engine.as_object().unwrap().keys().cloned().collect();
        let mut known = OPTIONS.to_vec();
        engine.sort();
        known.sort_unstable();
        assert_eq!(known, engine);
    }
}
