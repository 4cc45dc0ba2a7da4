//! The parameters after the question mark, read one by one; what is left over is a mistake.

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

use super::failure::Failure;

#[derive(Debug)]
pub(super) struct Query {
    fields: Fields,
    /// Those that were asked for.
    known: Vec<&'static str>,
}

/// Which rows of a list are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rows {
    pub(super) offset: usize,
    pub(super) limit: usize,
}

impl Rows {
    /// Those rows, and where the next ones begin.
    pub(super) fn of<T>(self, all: &[T]) -> (&[T], Option<usize>) {
        let begin = self.offset.min(all.len());
        let end = begin.saturating_add(self.limit).min(all.len());
        (&all[begin..end], (end < all.len()).then_some(end))
    }
}

impl Query {
    fn read(raw: &str) -> Result<Self, Failure> {
        let mut given = Map::new();
        for pair in raw.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let (name, value) = (decoded(name)?, decoded(value)?);
            if given.contains_key(&name) {
                return Err(Problem::new(&name, "stands there twice: send only one").into());
            }
            // A form sends what was left empty too.
            let value = if value.is_empty() {
                Value::Null
            } else {
                Value::String(value)
            };
            given.insert(name, value);
        }
        Ok(Self {
            fields: Fields::new(given),
            known: Vec::new(),
        })
    }

    pub(super) fn text(&mut self, name: &'static str) -> Result<Option<String>, Failure> {
        self.short(&[name], LONGEST_NAME)
    }

    /// A text under any of its names, of at most so many bytes.
    pub(super) fn short(
        &mut self,
        names: &[&'static str],
        most: usize,
    ) -> Result<Option<String>, Failure> {
        self.known.extend(names.first());
        // A problem is told of the name that was sent.
        let mut names = names.to_vec();
        names.sort_by_key(|name| !self.fields.has(name));
        Ok(self.fields.take_short(&names, most)?)
    }

    pub(super) fn required(
        &mut self,
        name: &'static str,
        expected: &str,
    ) -> Result<String, Failure> {
        let text = self.text(name)?.filter(|text| !text.trim().is_empty());
        text.ok_or_else(|| self.fields.missing(name, expected).into())
    }

    pub(super) fn number(
        &mut self,
        name: &'static str,
        range: RangeInclusive<usize>,
    ) -> Result<Option<usize>, Failure> {
        let Some(text) = self.text(name)? else {
            return Ok(None);
        };
        let plain = text.bytes().all(|b| b.is_ascii_digit());
        let number = text.parse().ok().filter(|_| plain);
        match number.filter(|number| range.contains(number)) {
            Some(number) => Ok(Some(number)),
            None => {
                let (least, most) = range.into_inner();
                let expected = match most {
                    usize::MAX => format!("a whole number from {least} on"),
                    most => format!("a whole number from {least} to {most}"),
                };
                Err(self.mismatch(name, &expected, &text))
            }
        }
    }

    pub(super) fn rows(&mut self, limit: usize, most: usize) -> Result<Rows, Failure> {
        Ok(Rows {
            limit: self.number("limit", 1..=most)?.unwrap_or(limit),
            offset: self.number("offset", 0..=usize::MAX)?.unwrap_or(0),
        })
    }

    /// From 0 to 1.
    pub(super) fn min_confidence(&mut self) -> Result<Option<f64>, Failure> {
        let Some(text) = self.text("min_confidence")? else {
            return Ok(None);
        };
        let number = text.parse().ok().filter(|it| (0.0..=1.0).contains(it));
        let expected = "a number from 0 to 1";
        number
            .map(Some)
            .ok_or_else(|| self.mismatch("min_confidence", expected, &text))
    }

    pub(super) fn direction(&mut self) -> Result<Direction, Failure> {
        match self.text("direction")?.as_deref() {
            None | Some("both") => Ok(Direction::Both),
            Some("from") => Ok(Direction::From),
            Some("to") => Ok(Direction::To),
            Some(other) => Err(self.mismatch("direction", "from, to or both", other)),
        }
    }

    /// Words with commas between them, under any of its names, the first of which is the one to advertise.
    pub(super) fn list<T>(&mut self, names: &[&'static str]) -> Result<Vec<T>, Failure>
    where
        T: FromStr<Err: Display>,
    {
        let sent = names.iter().find(|name| self.fields.has(name));
        let name = sent.copied().unwrap_or_default();
        let Some(text) = self.short(names, LONGEST_NAME)? else {
            return Ok(Vec::new());
        };
        let words = text.split(',').map(str::trim);
        let read = words.map(|word| {
            let read = word.parse::<T>();
            read.map_err(|cause| Problem::new(name, format!("is not understood: {cause}")).into())
        });
        read.collect()
    }

    /// One of a few words.
    pub(super) fn word<T: Copy>(
        &mut self,
        name: &'static str,
        known: &[T],
        as_str: fn(T) -> &'static str,
    ) -> Result<Option<T>, Failure> {
        let Some(text) = self.text(name)? else {
            return Ok(None);
        };
        match known.iter().find(|it| as_str(**it) == text) {
            Some(found) => Ok(Some(*found)),
            None => {
                let known: Vec<_> = known.iter().map(|it| as_str(*it)).collect();
                let expected = format!("one of {}", known.join(", "));
                Err(self.mismatch(name, &expected, &text))
            }
        }
    }

    pub(super) fn finish(self) -> Result<(), Failure> {
        let Self { fields, known } = self;
        Ok(fields.finish("a parameter here", &known, "")?)
    }

    pub(super) fn refuse(&self, name: &str, problem: impl Into<String>) -> Failure {
        self.fields.problem(name, problem).into()
    }

    fn mismatch(&self, name: &str, expected: &str, got: &str) -> Failure {
        let got: String = got.chars().take(80).collect();
        self.refuse(name, format!("must be {expected}, not `{got}`"))
    }
}

impl<S: Sync> FromRequestParts<S> for Query {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, Failure> {
        Self::read(parts.uri.query().unwrap_or_default())
    }
}

fn decoded(text: &str) -> Result<String, Failure> {
    let spaced = text.replace('+', " ");
    let decoded = percent_decode_str(&spaced).decode_utf8();
    decoded.map(|text| text.into_owned()).map_err(|_| {
        Failure::refused(
            "a parameter in the address cannot be read: expected UTF-8 with percent signs",
        )
    })
}
