//! Why values of one schema do not match another.

use std::fmt;

/// A mismatch with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mismatch {
    /// The path of the part, such as `user.id`, `items[]` or `[0]`; empty for the whole value.
    pub path: String,
    /// The reason, such as `gives integer where string is needed`.
    pub reason: String,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() {
            f.write_str(&self.reason)
        } else {
            write!(f, "{}: {}", self.path, self.reason)
        }
    }
}

impl std::error::Error for Mismatch {}

/// A segment of a path.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PathSegment<'a> {
    Property(&'a str),
    /// Any element of an array.
    Element,
    At(usize),
}

/// Puts a segment in front of a path.
pub(crate) fn prepend_segment(segment: PathSegment<'_>, path: &str) -> String {
    let dot = if path.is_empty() || path.starts_with('[') {
        ""
    } else {
        "."
    };
    match segment {
        PathSegment::Property(name) if is_word(name) => format!("{name}{dot}{path}"),
        PathSegment::Property(name) => format!("[{name:?}]{dot}{path}"),
        PathSegment::Element => format!("[]{dot}{path}"),
        PathSegment::At(index) => format!("[{index}]{dot}{path}"),
    }
}

/// Appends a segment to a path.
pub(crate) fn append_segment(path: &str, segment: PathSegment<'_>) -> String {
    let segment = prepend_segment(segment, "");
    if path.is_empty() || segment.starts_with('[') {
        format!("{path}{segment}")
    } else {
        format!("{path}.{segment}")
    }
}

/// Whether a name needs no quotes in a path.
fn is_word(name: &str) -> bool {
    !name.is_empty()
        && name
            .chars()
            .all(|it| it.is_alphanumeric() || matches!(it, '_' | '-' | '$' | '@'))
}
