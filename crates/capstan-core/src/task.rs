//! A caller's request: a capability, its input, and how to run it.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::card::Card;
use crate::{Route, brief};

/// One capability to run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TaskRequest {
    pub capability: String,
    pub input: Map<String, Value>,
    pub options: Options,
    /// The purpose, in the caller's words.
    pub intent: Option<String>,
}

/// Code to run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CodeRequest {
    /// The purpose. It becomes the description of the capability.
    pub intent: String,
    /// TypeScript.
    pub code: String,
    /// The value that the code sees as `args`.
    pub args: Map<String, Value>,
    pub options: Options,
}

/// How to run it and how to format the answer. The defaults suit an agent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Options {
    /// Use this route and no other.
    pub route: Option<Route>,
    /// Include every attempt in `meta.attempts`.
    pub trace: bool,
    /// Do not truncate long texts.
    pub full: bool,
    /// Keep only these fields of the data (of each row, for a list).
    pub fields: Option<Vec<String>>,
    /// The text form of the answer.
    pub format: Option<Format>,
    /// The time limit of the whole run, in milliseconds.
    pub timeout_ms: Option<u64>,
    /// Estimate in `meta.cost` what the call costs a model.
    pub cost: bool,
    /// For a list: read all pages, up to `limit` rows.
    pub all: bool,
    /// For a list: the maximum number of rows, if it is more than a page.
    pub limit: Option<u64>,
    /// For a list: an expression over a row; only rows for which it is true are kept.
    #[serde(rename = "where")]
    pub condition: Option<String>,
    /// For a list: all rows are read and sorted, and then the wanted number is kept.
    pub sort: Option<Sort>,
    /// Requested fields that do not exist. The answer warns about them instead of being refused.
    #[serde(skip)]
    pub unknown_fields: Vec<String>,
}

/// How the rows of a list are sorted. Written `closed_at`, `closed_at desc` or `closed_at asc`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Sort {
    pub field: String,
    /// Smallest and oldest first. If it is not given, the type of the field decides
    /// ([`Sort::settled`]).
    pub ascending: Option<bool>,
}

impl Sort {
    /// Returns the sort with a direction: texts from A to Z, numbers and dates with the largest
    /// first.
    #[must_use]
    pub fn settled(self, card: &Card) -> Self {
        let is_text = || {
            let schema = card.field_schema(&self.field)?;
            let is_date = schema.get("format").is_some();
            let types = schema.get("type")?;
            let is_string = |it: &Value| it == "string";
            let is_string =
                is_string(types) || types.as_array().is_some_and(|it| it.iter().any(is_string));
            Some(is_string && !is_date)
        };
        let ascending = self.ascending.or_else(|| Some(is_text().unwrap_or(false)));
        Self { ascending, ..self }
    }
}

impl FromStr for Sort {
    type Err = String;

    /// Accepts GitHub's own spelling too: `updated-desc`, `updated:desc`.
    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let (field, ascending) = match text.rsplit_once([' ', ':', '-']) {
            Some((field, "asc")) => (field, Some(true)),
            Some((field, "desc")) => (field, Some(false)),
            _ => (text, None),
        };
        let field = field.trim();
        if field.is_empty() || field.contains(char::is_whitespace) {
            return Err(format!(
                "cannot sort by `{}`: expected a column, such as `created_at` or `created_at asc`",
                brief(text, LONGEST_SHOWN)
            ));
        }
        Ok(Self {
            field: field.to_owned(),
            ascending,
        })
    }
}

impl TryFrom<String> for Sort {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<Sort> for String {
    fn from(sort: Sort) -> Self {
        sort.to_string()
    }
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.field)?;
        match self.ascending {
            Some(true) => f.write_str(" asc"),
            Some(false) => f.write_str(" desc"),
            None => Ok(()),
        }
    }
}

/// How many characters of a wrong value are repeated.
const LONGEST_SHOWN: usize = 60;

/// The text form of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    Json,
    Toon,
}
