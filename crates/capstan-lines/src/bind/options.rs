//! What a line says beside its inputs.

use serde_json::{Map, Value};

use capstan_core::card::Card;
use capstan_core::expr::Expr;
use capstan_core::{Route, brief};

use super::binder::LONGEST;
use crate::fields::own_field;
use crate::reference::is_name;

/// What a line means for a card.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BoundLine {
    /// What later lines call it.
    pub name: Option<String>,
    pub input: Map<String, Value>,
    pub options: LineOptions,
}

/// What a line says beside its inputs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LineOptions {
    /// `--fields a,b`: the columns or fields to show.
    pub fields: Option<Vec<String>>,
    /// `--full`: long texts are not cut.
    pub full: bool,
    /// `--trace`: tell how it was done.
    pub trace: bool,
    /// `--route rest`: the only route to take.
    pub route: Option<Route>,
    /// `--all`: every page.
    pub all: bool,
    /// `--limit 250`, where that is more than a page: how many rows of all.
    pub limit: Option<u64>,
    /// `--where 'comments > 3'`: the rows to keep.
    pub condition: Option<String>,
    /// `--each bugs`: once for every row of that line.
    pub each: Option<String>,
    /// `--when '$bugs.data.issues'`: only if this holds.
    pub when: Option<String>,
}

/// The options with a value.
const WITH_VALUE: [&str; 7] = ["fields", "json", "route", "where", "each", "when", "as"];

/// The options without.
const SWITCHES: [&str; 3] = ["full", "trace", "all"];

/// Every option.
pub(super) fn names<'a>() -> impl Iterator<Item = &'a str> {
    WITH_VALUE.into_iter().chain(SWITCHES)
}

/// Whether an option takes a value, if it is one.
pub(super) fn takes_value(name: &str) -> Option<bool> {
    if SWITCHES.contains(&name) {
        Some(false)
    } else {
        WITH_VALUE.contains(&name).then_some(true)
    }
}

impl BoundLine {
    /// Takes an option in. Switches are given as `true` or `false`.
    pub(super) fn set(&mut self, card: &Card, name: &str, value: &str) -> Result<(), String> {
        let options = &mut self.options;
        match name {
            "full" => options.full = switch(name, value)?,
            "trace" => options.trace = switch(name, value)?,
            "all" => options.all = switch(name, value)?,
            "fields" | "json" => {
                let fields = value.split(',').map(str::trim).filter(|it| !it.is_empty());
                let fields = fields.map(|it| own_field(card, it));
                options.fields.get_or_insert_default().extend(fields);
            }
            "route" => options.route = Some(brief(value, LONGEST).to_lowercase().parse()?),
            "where" => once(name, &mut options.condition, expression(name, value)?)?,
            "when" => once(name, &mut options.when, expression(name, value)?)?,
            "each" => once(name, &mut options.each, value)?,
            _ if !is_name(value) => {
                let value = brief(value, LONGEST);
                return Err(format!(
                    "`{value}` cannot be the name of a line: expected letters, digits, `_` and `-`, with a letter first"
                ));
            }
            _ => match &self.name {
                Some(name) if name != value => {
                    return Err(format!(
                        "the line is called `{name}` and `{value}`: give one name"
                    ));
                }
                _ => self.name = Some(value.to_owned()),
            },
        }
        Ok(())
    }
}

fn once(name: &str, option: &mut Option<String>, value: &str) -> Result<(), String> {
    if option.is_some() {
        return Err(format!("`--{name}` is given twice: give one"));
    }
    *option = Some(value.to_owned());
    Ok(())
}

fn switch(name: &str, value: &str) -> Result<bool, String> {
    let parsed = value.parse();
    parsed.map_err(|_| format!("`--{name}` takes no value"))
}

fn expression<'a>(name: &str, text: &'a str) -> Result<&'a str, String> {
    match Expr::parse(text) {
        Ok(_) => Ok(text),
        Err(error) => Err(format!("`--{name}` is not an expression: {error}")),
    }
}
