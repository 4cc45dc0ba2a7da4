//! Words that stand for one of a few things.

use capstan_core::Format;
use capstan_core::card::Kind;
use capstan_core::code::{EdgeKind, EdgeSource, Visibility};
use clap::builder::{PossibleValuesParser, TypedValueParser};

/// How a result is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextForm {
    /// As text for an agent.
    View,
    As(Format),
}

impl TextForm {
    /// The form for programs, if it is one.
    pub(crate) fn format(self) -> Option<Format> {
        match self {
            TextForm::View => None,
            TextForm::As(format) => Some(format),
        }
    }
}

pub(crate) fn text_form(text: &str) -> Result<TextForm, String> {
    match text {
        "view" => Ok(TextForm::View),
        "json" => Ok(TextForm::As(Format::Json)),
        "toon" => Ok(TextForm::As(Format::Toon)),
        _ => Err("expected view, json or toon".to_owned()),
    }
}

pub(super) fn format(text: &str) -> Result<Format, String> {
    match text {
        "json" => Ok(Format::Json),
        "toon" => Ok(Format::Toon),
        _ => Err("expected json or toon".to_owned()),
    }
}

pub(super) fn kinds() -> impl TypedValueParser<Value = Kind> {
    let known = |word: &str| Kind::ALL.into_iter().find(|kind| kind.as_str() == word);
    PossibleValuesParser::new(Kind::ALL.map(Kind::as_str))
        .try_map(move |word| known(&word).ok_or("no such kind"))
}

pub(super) fn visibilities() -> impl TypedValueParser<Value = Visibility> {
    PossibleValuesParser::new(Visibility::ALL.map(Visibility::as_str))
        .try_map(|word| word.parse::<Visibility>())
}

pub(super) fn edge_kinds() -> PossibleValuesParser {
    PossibleValuesParser::new(EdgeKind::ALL.map(EdgeKind::as_str))
}

pub(super) fn edge_sources() -> PossibleValuesParser {
    PossibleValuesParser::new(EdgeSource::ALL.map(EdgeSource::as_str))
}

/// A number from 0 to 1.
pub(super) fn share(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|it| (0.0..=1.0).contains(it));
    number.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

/// A number of rows: none at all are never meant.
pub(super) fn rows(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|it| *it > 0);
    number.ok_or_else(|| "expected a whole number from 1 on".to_owned())
}

pub(super) fn directions() -> PossibleValuesParser {
    PossibleValuesParser::new(["from", "to", "both"])
}
