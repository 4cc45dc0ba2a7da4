//! Query parameters, taken one by one. A parameter that no resource takes is an error.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use percent_encoding::percent_decode_str;
use serde_json::{Map, Value};

use capstan_core::code::LONGEST_NAME;
use capstan_core::port::Direction;
use capstan_wire::{Fields, Problem};

use super::error::ApiError;

/// The query parameters that were not taken yet.
#[derive(Debug)]
pub(super) struct Query {
    fields: Fields,
    /// The parameters that the resource supports, as far as it tried to take them.
    known: Vec<&'static str>,
}

/// Which rows of a list the client wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RowRange {
    pub(super) offset: usize,
    pub(super) limit: usize,
}

impl RowRange {
    /// Returns the rows in the range, and the offset of the next row if there is one.
    pub(super) fn select<T>(self, all: &[T]) -> (&[T], Option<usize>) {
        let begin = self.offset.min(all.len());
        let end = begin.saturating_add(self.limit).min(all.len());
        (&all[begin..end], (end < all.len()).then_some(end))
    }
}

impl Query {
    fn parse(raw: &str) -> Result<Self, ApiError> {
        let mut given = Map::new();
        for pair in raw.split('&').filter(|pair| !pair.is_empty()) {
            let (raw_name, raw_value) = pair.split_once('=').unwrap_or((pair, ""));
            let (name, text) = (decode(raw_name)?, decode(raw_value)?);
            if given.contains_key(&name) {
                return Err(Problem::new(&name, "is given twice: send it once").into());
            }
            // HTML forms also send empty inputs: they count as missing.
            let value = if text.is_empty() {
                Value::Null
            } else {
                Value::String(text)
            };
            given.insert(name, value);
        }
        Ok(Self {
            fields: Fields::new(given),
            known: Vec::new(),
        })
    }

    /// Takes a text of at most [`LONGEST_NAME`] bytes.
    pub(super) fn take_text(&mut self, name: &'static str) -> Result<Option<String>, ApiError> {
        self.take_short_text(&[name], LONGEST_NAME)
    }

    /// Takes a text of at most `max_bytes` bytes. `names` are synonyms; error messages suggest the first.
    pub(super) fn take_short_text(
        &mut self,
        names: &[&'static str],
        max_bytes: usize,
    ) -> Result<Option<String>, ApiError> {
        self.known.extend(names.first());
        // Problems are reported for the first name in the list, which must be the one that was sent.
        let mut sent_first = names.to_vec();
        sent_first.sort_by_key(|name| !self.fields.has(name));
        Ok(self.fields.take_short(&sent_first, max_bytes)?)
    }

    /// Takes a text that must not be blank. `expected` describes it in the error message.
    pub(super) fn take_required(
        &mut self,
        name: &'static str,
        expected: &str,
    ) -> Result<String, ApiError> {
        let text = self.take_text(name)?.filter(|it| !it.trim().is_empty());
        text.ok_or_else(|| self.fields.missing(name, expected).into())
    }

    /// Takes a whole number in `range`, written in digits only.
    pub(super) fn take_number(
        &mut self,
        name: &'static str,
        range: RangeInclusive<usize>,
    ) -> Result<Option<usize>, ApiError> {
        let Some(text) = self.take_text(name)? else {
            return Ok(None);
        };
        let is_digits = text.bytes().all(|byte| byte.is_ascii_digit());
        match text.parse() {
            Ok(number) if is_digits && range.contains(&number) => Ok(Some(number)),
            _ => {
                let (min, max) = range.into_inner();
                let expected = match max {
                    usize::MAX => format!("a whole number of at least {min}"),
                    max => format!("a whole number from {min} to {max}"),
                };
                Err(self.mismatch(name, &expected, &text))
            }
        }
    }

    /// Takes `limit` and `offset`.
    pub(super) fn take_row_range(
        &mut self,
        default_limit: usize,
        max_limit: usize,
    ) -> Result<RowRange, ApiError> {
        let limit = self.take_number("limit", 1..=max_limit)?;
        let offset = self.take_number("offset", 0..=usize::MAX)?;
        Ok(RowRange {
            limit: limit.unwrap_or(default_limit),
            offset: offset.unwrap_or(0),
        })
    }

    /// Takes `min_confidence`, a number from 0 to 1.
    pub(super) fn take_min_confidence(&mut self) -> Result<Option<f64>, ApiError> {
        let Some(text) = self.take_text("min_confidence")? else {
            return Ok(None);
        };
        let number = text.parse().ok().filter(|it| (0.0..=1.0).contains(it));
        let expected = "a number from 0 to 1";
        number
            .map(Some)
            .ok_or_else(|| self.mismatch("min_confidence", expected, &text))
    }

    /// Takes `direction`. The default is both directions.
    pub(super) fn take_direction(&mut self) -> Result<Direction, ApiError> {
        match self.take_text("direction")?.as_deref() {
            None | Some("both") => Ok(Direction::Both),
            Some("from") => Ok(Direction::From),
            Some("to") => Ok(Direction::To),
            Some(other) => Err(self.mismatch("direction", "from, to or both", other)),
        }
    }

    /// Takes a comma-separated list. `names` are synonyms; error messages suggest the first.
    pub(super) fn take_list<T>(&mut self, names: &[&'static str]) -> Result<Vec<T>, ApiError>
    where
        T: FromStr<Err: Display>,
    {
        let sent = names.iter().find(|name| self.fields.has(name));
        let name = sent.copied().unwrap_or_default();
        let Some(text) = self.take_short_text(names, LONGEST_NAME)? else {
            return Ok(Vec::new());
        };
        let items = text.split(',').map(str::trim);
        let parsed = items.map(|item| {
            let value = item.parse::<T>();
            value.map_err(|cause| Problem::new(name, format!("is not valid: {cause}")).into())
        });
        parsed.collect()
    }

    /// Takes one of a fixed set of words.
    pub(super) fn take_one_of<T: Copy>(
        &mut self,
        name: &'static str,
        known: &[T],
        as_str: fn(T) -> &'static str,
    ) -> Result<Option<T>, ApiError> {
        let Some(text) = self.take_text(name)? else {
            return Ok(None);
        };
        match known.iter().find(|it| as_str(**it) == text) {
            Some(found) => Ok(Some(*found)),
            None => {
                let words: Vec<_> = known.iter().map(|it| as_str(*it)).collect();
                let expected = format!("one of {}", words.join(", "));
                Err(self.mismatch(name, &expected, &text))
            }
        }
    }

    /// Reports the first parameter that was not taken.
    pub(super) fn finish(self) -> Result<(), ApiError> {
        let Self { fields, known } = self;
        Ok(fields.finish("a parameter here", &known, "")?)
    }

    /// Returns the error for a parameter with this name.
    pub(super) fn problem(&self, name: &str, problem: impl Into<String>) -> ApiError {
        self.fields.problem(name, problem).into()
    }

    fn mismatch(&self, name: &str, expected: &str, got: &str) -> ApiError {
        let shown: String = got.chars().take(80).collect();
        self.problem(name, format!("must be {expected}, not `{shown}`"))
    }
}

impl<S: Sync> FromRequestParts<S> for Query {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, ApiError> {
        Self::parse(parts.uri.query().unwrap_or_default())
    }
}

/// Decodes percent-encoding and `+` for a space.
fn decode(text: &str) -> Result<String, ApiError> {
    let spaced = text.replace('+', " ");
    let decoded = percent_decode_str(&spaced).decode_utf8();
    decoded.map(|text| text.into_owned()).map_err(|_| {
        ApiError::validation("a query parameter cannot be decoded: expected percent-encoded UTF-8")
    })
}
