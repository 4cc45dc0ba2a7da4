//! Why one schema does not fit another.

use std::fmt;

/// Why not, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mismatch {
    /// Empty at the top, else `user.id`, `items[]`, `[0]`.
    pub path: String,
    /// `gives integer where string is needed`
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

/// One step of a path.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step<'a> {
    Property(&'a str),
    /// Any element.
    Element,
    At(usize),
}

/// Puts a step before a path.
pub(crate) fn before(step: Step<'_>, path: &str) -> String {
    let dot = if path.is_empty() || path.starts_with('[') {
        ""
    } else {
        "."
    };
    match step {
        Step::Property(name) if is_word(name) => format!("{name}{dot}{path}"),
        Step::Property(name) => format!("[{name:?}]{dot}{path}"),
        Step::Element => format!("[]{dot}{path}"),
        Step::At(index) => format!("[{index}]{dot}{path}"),
    }
}

/// Puts a step after a path.
pub(crate) fn after(path: &str, step: Step<'_>) -> String {
    let step = before(step, "");
    match path.is_empty() || step.starts_with('[') {
        true => format!("{path}{step}"),
        false => format!("{path}.{step}"),
    }
}

/// Whether a name can stand in a path as it is.
fn is_word(name: &str) -> bool {
    !name.is_empty()
        && name
            .chars()
            .all(|it| it.is_alphanumeric() || matches!(it, '_' | '-' | '$' | '@'))
}
