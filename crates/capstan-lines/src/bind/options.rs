//! The options of a line besides its inputs.

use serde_json::{Map, Value};

use capstan_core::card::Card;
use capstan_core::expr::{Expr, Root, Segment};
use capstan_core::{Route, Sort, brief};

use super::binder::LONGEST;
use crate::fields::{RequestedFields, requested_fields, sort_field};
use crate::reference::is_name;

/// A line bound to a card.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BoundLine {
    /// The name that later lines use.
    pub name: Option<String>,
    pub input: Map<String, Value>,
    pub options: LineOptions,
}

/// The options of a line besides its inputs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LineOptions {
    /// `--fields a,b`: the columns or fields to show; `None` if the card has none of them.
    pub fields: Option<Vec<String>>,
    /// The requested columns or fields that the card does not have.
    pub unknown_fields: Vec<String>,
    /// `--full`: do not cut long texts.
    pub full: bool,
    /// `--trace`: report how the call was done.
    pub trace: bool,
    /// `--route rest`: the only route to use.
    pub route: Option<Route>,
    /// `--all`: read every page.
    pub all: bool,
    /// `--limit 250`: the number of rows, if it is more than a page.
    pub limit: Option<u64>,
    /// `--where 'comments > 3'`: the rows to keep.
    pub condition: Option<String>,
    /// `--sort closed_at --order asc`: how to sort the rows.
    pub sort: Option<Sort>,
    /// `--each bugs`: run once for every row of that line.
    pub each: Option<String>,
    /// `--when '$bugs.data.issues'`: run only if this holds.
    pub when: Option<String>,
}

/// The options with a value.
const WITH_VALUE: [&str; 9] = [
    "fields", "json", "route", "where", "sort", "order", "each", "when", "as",
];

/// The options without a value.
const SWITCHES: [&str; 3] = ["full", "trace", "all"];

/// Returns the names of all options.
pub(super) fn names<'a>() -> impl Iterator<Item = &'a str> {
    WITH_VALUE.into_iter().chain(SWITCHES)
}

/// Whether an option takes a value; `None` if it is not an option.
pub(super) fn takes_value(name: &str) -> Option<bool> {
    if SWITCHES.contains(&name) {
        Some(false)
    } else {
        WITH_VALUE.contains(&name).then_some(true)
    }
}

impl BoundLine {
    /// Sets an option. The value of a switch is `true` or `false`.
    pub(super) fn set(&mut self, card: &Card, name: &str, value: &str) -> Result<(), String> {
        let options = &mut self.options;
        match name {
            "full" => options.full = switch(name, value)?,
            "trace" => options.trace = switch(name, value)?,
            "all" if card.list.is_none() && card.call.is_none() => {
                return Err("`--all` is for lists, and this returns none".to_owned());
            }
            "all" => options.all = switch(name, value)?,
            "fields" | "json" => {
                let asked = value.split(',').map(str::trim).filter(|it| !it.is_empty());
                let RequestedFields { known, unknown } = requested_fields(card, asked);
                if !known.is_empty() {
                    options.fields.get_or_insert_default().extend(known);
                }
                options.unknown_fields.extend(unknown);
            }
            "sort" if options.sort.is_some() => return Err(twice(name)),
            "sort" => options.sort = Some(sort(card, value)?),
            "route" => options.route = Some(brief(value, LONGEST).to_lowercase().parse()?),
            "where" => {
                check_columns(card, &expression(name, value)?)?;
                once(name, &mut options.condition, value)?;
            }
            "when" => {
                expression(name, value)?;
                once(name, &mut options.when, value)?;
            }
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

impl LineOptions {
    /// Sets the direction of `--sort` from `--order`.
    pub(super) fn set_order(&mut self, value: &str) -> Result<(), String> {
        let ascending = is_ascending(value)?;
        match &mut self.sort {
            Some(Sort {
                ascending: Some(stated),
                ..
            }) if *stated != ascending => {
                Err("`--sort` and `--order` name two directions: give one".to_owned())
            }
            Some(sort) => {
                sort.ascending = Some(ascending);
                Ok(())
            }
            None => Err(
                "`--order` needs a column: write `--sort created_at --order asc`, for example"
                    .to_owned(),
            ),
        }
    }
}

/// Reads `--sort`, with the card's own name for the column.
fn sort(card: &Card, value: &str) -> Result<Sort, String> {
    let sort: Sort = value.parse()?;
    match sort_field(card, &sort.field) {
        _ if card.list.is_none() => Err("`--sort` is for lists, and this returns none".into()),
        Some(field) => Ok(Sort { field, ..sort }),
        None => {
            let columns = card.fields().join(", ");
            let field = brief(&sort.field, LONGEST);
            Err(format!(
                "`--sort` cannot be `{field}`: expected one of {columns}"
            ))
        }
    }
}

fn is_ascending(value: &str) -> Result<bool, String> {
    match value.to_lowercase().as_str() {
        "asc" | "ascending" => Ok(true),
        "desc" | "descending" => Ok(false),
        other => Err(format!(
            "`--order` cannot be `{}`: expected asc or desc",
            brief(other, LONGEST)
        )),
    }
}

pub(super) fn twice(name: &str) -> String {
    format!("`--{name}` is given twice: give one")
}

fn once(name: &str, option: &mut Option<String>, value: &str) -> Result<(), String> {
    if option.is_some() {
        return Err(twice(name));
    }
    *option = Some(value.to_owned());
    Ok(())
}

fn switch(name: &str, value: &str) -> Result<bool, String> {
    let parsed = value.parse();
    parsed.map_err(|_| format!("`--{name}` takes no value"))
}

fn expression(name: &str, text: &str) -> Result<Expr, String> {
    Expr::parse(text).map_err(|error| format!("`--{name}` is not an expression: {error}"))
}

/// Reports unknown columns. A misspelt column would silently match no row.
fn check_columns(card: &Card, condition: &Expr) -> Result<(), String> {
    let known = card.fields();
    for path in condition.paths() {
        if let (Root::This, Some(Segment::Key(column))) = (&path.root, path.segments.first())
            && !known.is_empty()
            && !known.contains(&column.as_str())
        {
            let columns = known.join(", ");
            let column = brief(column, LONGEST);
            return Err(format!(
                "`--where` names `{column}`: the columns are {columns}"
            ));
        }
    }
    Ok(())
}
