//! The findings of the checker, and the table of their codes.

use capstan_core::Severity;

/// A problem in a card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// One of [`CODES`].
    pub code: &'static str,
    /// An error makes a card fail or answer wrongly. A warning is wasteful or untidy. A hint
    /// concerns something that every built-in card has and that a user's card can do without.
    pub severity: Severity,
    /// The place in the card as a JSON pointer. The caller has the text and finds the span.
    pub pointer: String,
    pub message: String,
    pub help: Option<String>,
}

pub(crate) const DOCUMENT: &str = "E050";
pub(crate) const VARIABLE: &str = "E051";
pub(crate) const PATH: &str = "E052";
pub(crate) const TYPE: &str = "E053";
pub(crate) const UNUSED: &str = "E054";
pub(crate) const INPUT: &str = "E055";
pub(crate) const FORM: &str = "E056";
pub(crate) const KEYS: &str = "E057";
pub(crate) const FOLLOW_UP: &str = "E058";
pub(crate) const REQUEST: &str = "E059";
pub(crate) const ROUTE: &str = "E060";
pub(crate) const WORDING: &str = "E061";
pub(crate) const COMBINATION: &str = "E062";

/// Every code with its meaning.
pub const CODES: [(&str, &str); 13] = [
    (
        DOCUMENT,
        "a GraphQL document does not validate against GitHub's schema",
    ),
    (
        VARIABLE,
        "a GraphQL variable has no source, or one of the wrong type",
    ),
    (PATH, "a path reads something that the answer does not have"),
    (
        TYPE,
        "a value's type, values or nullability do not fit where it goes",
    ),
    (UNUSED, "something is requested from GitHub but never used"),
    (INPUT, "an input is unknown, or a route silently ignores it"),
    (
        FORM,
        "a schema, an example, the intents, or the paging of a list is invalid",
    ),
    (
        KEYS,
        "the fields of an output are not those of `output_schema`, in its order",
    ),
    (
        FOLLOW_UP,
        "`next` or `mend` offers a call that cannot be made",
    ),
    (REQUEST, "a request is built incorrectly"),
    (
        ROUTE,
        "the card has no `graphql` route and does not say why",
    ),
    (
        WORDING,
        "a name or a flag of the card is already taken, or matches no input",
    ),
    (
        COMBINATION,
        "`combine` has a part that cannot be called this way",
    ),
];

impl Finding {
    pub(crate) fn new(
        code: &'static str,
        pointer: impl Into<String>,
        message: impl Into<String>,
    ) -> Self {
        Self {
            code,
            severity: Severity::Error,
            pointer: pointer.into(),
            message: message.into(),
            help: None,
        }
    }

    #[must_use]
    pub(crate) fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    #[must_use]
    pub(crate) fn with_severity(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }
}

/// Formats a finding in one line: `[E052] /graphql/output/root: message (help: …)`.
impl std::fmt::Display for Finding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "[{}] {}: {}", self.code, self.pointer, self.message)?;
        match &self.help {
            Some(help) => write!(f, " (help: {help})"),
            None => Ok(()),
        }
    }
}
