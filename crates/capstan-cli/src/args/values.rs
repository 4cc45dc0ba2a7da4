//! Parsers for the values of flags.

use capstan_core::Format;
use capstan_core::card::Kind;
use capstan_core::code::{EdgeKind, EdgeSource, Visibility};
use clap::builder::{PossibleValuesParser, TypedValueParser};

/// The format of a result on standard output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OutputFormat {
    /// Short text for an agent.
    View,
    /// Data for a program.
    Data(Format),
}

impl OutputFormat {
    /// Returns the format for programs, or `None` for [`OutputFormat::View`].
    pub(crate) fn data_format(self) -> Option<Format> {
        match self {
            OutputFormat::View => None,
            OutputFormat::Data(format) => Some(format),
        }
    }
}

/// Parses the value of `--format` of commands that can print the short text for agents.
pub(crate) fn parse_output_format(text: &str) -> Result<OutputFormat, String> {
    match text {
        "view" => Ok(OutputFormat::View),
        "json" => Ok(OutputFormat::Data(Format::Json)),
        "toon" => Ok(OutputFormat::Data(Format::Toon)),
        _ => Err("expected view, json or toon".to_owned()),
    }
}

/// Parses the value of `--format` of commands that print data only.
pub(super) fn parse_format(text: &str) -> Result<Format, String> {
    match text {
        "json" => Ok(Format::Json),
        "toon" => Ok(Format::Toon),
        _ => Err("expected json or toon".to_owned()),
    }
}

pub(super) fn kind_parser() -> impl TypedValueParser<Value = Kind> {
    let known = |word: &str| Kind::ALL.into_iter().find(|kind| kind.as_str() == word);
    PossibleValuesParser::new(Kind::ALL.map(Kind::as_str))
        .try_map(move |word| known(&word).ok_or("no such kind"))
}

pub(super) fn visibility_parser() -> impl TypedValueParser<Value = Visibility> {
    PossibleValuesParser::new(Visibility::ALL.map(Visibility::as_str))
        .try_map(|word| word.parse::<Visibility>())
}

pub(super) fn edge_kind_parser() -> PossibleValuesParser {
    PossibleValuesParser::new(EdgeKind::ALL.map(EdgeKind::as_str))
}

pub(super) fn edge_source_parser() -> PossibleValuesParser {
    PossibleValuesParser::new(EdgeSource::ALL.map(EdgeSource::as_str))
}

/// Parses a number from 0 to 1.
pub(super) fn parse_fraction(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|it| (0.0..=1.0).contains(it));
    number.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

/// Parses a number of results, which is at least 1.
pub(super) fn parse_result_limit(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|it| *it > 0);
    number.ok_or_else(|| "expected a whole number of at least 1".to_owned())
}

pub(super) fn direction_parser() -> PossibleValuesParser {
    PossibleValuesParser::new(["from", "to", "both"])
}
