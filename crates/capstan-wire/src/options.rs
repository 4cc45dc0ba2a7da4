//! The options that a caller gave. Those of a chain apply to its steps, unless a step overrides them.

use capstan_core::code::Limits;
use capstan_core::{Format, Options, Route, Sort};

use crate::{Fields, Problem};

/// The names of all options.
const OPTIONS: [&str; 11] = [
    "route",
    "trace",
    "full",
    "fields",
    "format",
    "timeout_ms",
    "cost",
    "all",
    "limit",
    "where",
    "sort",
];

/// Options as the caller gave them; `None` if the caller omitted them.
#[derive(Clone, Debug, Default)]
pub struct GivenOptions {
    pub route: Option<Route>,
    pub trace: Option<bool>,
    pub full: Option<bool>,
    pub fields: Option<Vec<String>>,
    pub format: Option<Format>,
    pub timeout_ms: Option<u64>,
    pub cost: Option<bool>,
    pub all: Option<bool>,
    pub limit: Option<u64>,
    pub condition: Option<String>,
    pub sort: Option<Sort>,
}

impl GivenOptions {
    /// Takes the `options` of an object.
    pub fn take(from: &mut Fields) -> Result<Self, Problem> {
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
            timeout_ms: take_timeout(&mut fields)?,
            cost: fields.take_as("cost", "true or false")?,
            all: fields.take_as("all", "true or false")?,
            limit: fields.take_as("limit", "a whole number of rows")?,
            condition: fields.take_as("where", "an expression over a row")?,
            sort: fields.take_as("sort", "a column, such as `created_at` or `created_at asc`")?,
        };
        fields.finish("an option", &OPTIONS, "")?;
        Ok(options)
    }

    /// Fills missing options from `others`.
    pub fn or(self, others: &Self) -> Self {
        Self {
            route: self.route.or(others.route),
            trace: self.trace.or(others.trace),
            full: self.full.or(others.full),
            fields: self.fields.or_else(|| others.fields.clone()),
            format: self.format.or(others.format),
            timeout_ms: self.timeout_ms.or(others.timeout_ms),
            cost: self.cost.or(others.cost),
            all: self.all.or(others.all),
            limit: self.limit.or(others.limit),
            condition: self.condition.or_else(|| others.condition.clone()),
            sort: self.sort.or_else(|| others.sort.clone()),
        }
    }
}

/// Takes the time-out by either of its names and checks its range.
fn take_timeout(fields: &mut Fields) -> Result<Option<u64>, Problem> {
    let name = if fields.has("timeout") {
        "timeout"
    } else {
        "timeout_ms"
    };
    let given: Option<u64> = fields.take_as(name, "a whole number of milliseconds")?;
    if fields.has("timeout_ms") && name == "timeout" {
        let problem = "means the same as `timeout`: send only one of them";
        return Err(fields.problem("timeout_ms", problem));
    }
    let longest = u64::try_from(Limits::LONGEST_WALL.as_millis()).unwrap_or(u64::MAX);
    match given {
        Some(asked) if !(1..=longest).contains(&asked) => {
            let problem = format!("is {asked}: expected 1 to {longest} milliseconds");
            Err(fields.problem(name, problem))
        }
        given => Ok(given),
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
            cost: given.cost.unwrap_or_default(),
            all: given.all.unwrap_or_default(),
            limit: given.limit,
            condition: given.condition,
            sort: given.sort,
            unknown_fields: Vec::new(),
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
