//! Which part of a file a caller wants to read.

use std::fmt::{self, Display, Formatter};

use serde::{Serialize, Serializer};

use crate::{ErrorCode, ResultError};

/// The most lines that `tail` can ask for.
pub const MAX_TAIL: u64 = 5_000;

/// The file to read in an archive or a diff, and the part of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct FileSelection {
    /// A name, or a pattern with `*` and `?`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entry: Option<String>,
    #[serde(flatten)]
    pub part: Option<FilePart>,
}

/// The part of a text to read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FilePart {
    Lines(LineRange),
    /// The last lines, as many as this.
    Tail(u64),
    /// The lines that contain this text in upper or lower case, with the lines around them.
    Find(String),
}

/// Lines of a text, counted from 1. Both ends are included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineRange {
    pub first: u64,
    /// Without it, the range reaches to the end of the text.
    pub last: Option<u64>,
}

impl FileSelection {
    /// Reads a selection as callers write it. At most one of `lines`, `tail` and `find` may be given.
    pub fn parse(
        entry: Option<String>,
        lines: Option<&str>,
        tail: Option<&str>,
        find: Option<String>,
    ) -> Result<Self, ResultError> {
        let given = [
            ("lines", lines.is_some()),
            ("tail", tail.is_some()),
            ("find", find.is_some()),
        ];
        let given: Vec<_> = given.iter().filter(|(_, is_given)| *is_given).collect();
        if let [(first, _), (second, _), ..] = given.as_slice() {
            return Err(invalid(format!(
                "`{first}` and `{second}` exclude each other: leave one of them out"
            )));
        }
        if find.as_deref().is_some_and(|text| text.trim().is_empty()) {
            return Err(invalid("`find` is empty: expected a text to look for"));
        }
        let part = match (lines, tail, find) {
            (Some(lines), _, _) => Some(FilePart::Lines(LineRange::parse(lines)?)),
            (_, Some(tail), _) => Some(FilePart::Tail(parse_tail(tail)?)),
            (_, _, Some(find)) => Some(FilePart::Find(find)),
            (None, None, None) => None,
        };
        Ok(Self { entry, part })
    }

    /// Returns whether nothing in particular is asked for.
    pub fn is_whole(&self) -> bool {
        self.entry.is_none() && self.part.is_none()
    }
}

impl LineRange {
    /// Reads `120-180`, `120-` or `120`.
    pub fn parse(text: &str) -> Result<Self, ResultError> {
        let refuse = |why: &str| {
            let text: String = text.chars().take(40).collect();
            invalid(format!(
                "`lines` is `{text}`, {why}: expected a range such as `120-180`, `120-` or `120`"
            ))
        };
        let number = |text: &str| match text.trim().parse::<u64>() {
            Ok(number) if number > 0 => Ok(number),
            Ok(_) => Err(refuse("and lines are counted from 1")),
            Err(_) => Err(refuse("which is not a range of lines")),
        };
        let (first, last) = match text.split_once('-') {
            None => (number(text)?, Some(number(text)?)),
            Some((first, "")) => (number(first)?, None),
            Some((first, last)) => (number(first)?, Some(number(last)?)),
        };
        if last.is_some_and(|last| last < first) {
            return Err(refuse("which ends before it begins"));
        }
        Ok(Self { first, last })
    }

    pub fn contains(&self, line: u64) -> bool {
        line >= self.first && self.last.is_none_or(|last| line <= last)
    }
}

impl Display for LineRange {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.last {
            Some(last) if last == self.first => write!(f, "{last}"),
            Some(last) => write!(f, "{}-{last}", self.first),
            None => write!(f, "{}-", self.first),
        }
    }
}

impl Serialize for LineRange {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

fn parse_tail(text: &str) -> Result<u64, ResultError> {
    match text.parse::<u64>() {
        Ok(count) if (1..=MAX_TAIL).contains(&count) => Ok(count),
        _ => {
            let text: String = text.chars().take(40).collect();
            Err(invalid(format!(
                "`tail` is `{text}`: expected a number of lines from 1 to {MAX_TAIL}"
            )))
        }
    }
}

fn invalid(message: impl Into<String>) -> ResultError {
    ResultError::new(ErrorCode::Validation, message.into())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn selection(
        lines: Option<&str>,
        tail: Option<&str>,
        find: Option<&str>,
    ) -> Result<FileSelection, String> {
        FileSelection::parse(None, lines, tail, find.map(str::to_owned))
            .map_err(|error| error.message)
    }

    #[test]
    fn ranges_are_read_and_written() {
        for (text, first, last) in [
            ("120-180", 120, Some(180)),
            ("7", 7, Some(7)),
            ("7-7", 7, Some(7)),
            ("9-", 9, None),
        ] {
            let range = LineRange::parse(text).unwrap();
            assert_eq!((range.first, range.last), (first, last), "{text}");
            assert_eq!(LineRange::parse(&range.to_string()).unwrap(), range);
        }
    }

    #[test]
    fn mistakes_name_the_input_and_what_was_expected() {
        for (lines, tail, find, expected) in [
            (
                Some("0-5"),
                None,
                None,
                "`lines` is `0-5`, and lines are counted from 1",
            ),
            (
                Some("9-5"),
                None,
                None,
                "`lines` is `9-5`, which ends before it begins",
            ),
            (
                Some("a"),
                None,
                None,
                "`lines` is `a`, which is not a range of lines",
            ),
            (
                Some("-5"),
                None,
                None,
                "`lines` is `-5`, which is not a range of lines",
            ),
            (
                Some("1-2-3"),
                None,
                None,
                "`lines` is `1-2-3`, which is not a range",
            ),
            (
                Some("99999999999999999999"),
                None,
                None,
                "which is not a range",
            ),
            (
                None,
                Some("0"),
                None,
                "`tail` is `0`: expected a number of lines from 1 to 5000",
            ),
            (None, Some("1e9"), None, "`tail` is `1e9`: expected"),
            (None, None, Some(" "), "`find` is empty: expected a text"),
            (
                Some("1"),
                Some("1"),
                None,
                "`lines` and `tail` exclude each other",
            ),
            (
                None,
                Some("1"),
                Some("x"),
                "`tail` and `find` exclude each other",
            ),
        ] {
            let message = selection(lines, tail, find).unwrap_err();
            assert!(message.contains(expected), "{message}");
        }
    }

    #[test]
    fn a_dry_run_shows_what_callers_wrote() {
        let whole = selection(None, None, None).unwrap();
        assert!(whole.is_whole());
        for (selection, expected) in [
            (whole, json!({})),
            (
                selection(Some("3-"), None, None).unwrap(),
                json!({"lines": "3-"}),
            ),
            (
                selection(None, Some("9"), None).unwrap(),
                json!({"tail": 9}),
            ),
            (
                selection(None, None, Some("x")).unwrap(),
                json!({"find": "x"}),
            ),
        ] {
            assert_eq!(serde_json::to_value(selection).unwrap(), expected);
        }
    }
}
