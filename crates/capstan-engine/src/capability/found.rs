//! The result of looking up a name, and the rules for a lookup.

use std::sync::Arc;

use capstan_core::card::Card;
use capstan_core::code::DisplayName;
use capstan_core::port::StoreError;
use capstan_core::{ErrorCode, ResultError};

use super::{Asker, Implementation, Meaning};

/// A capability that was found by its name.
#[derive(Clone, Debug)]
pub(crate) struct FoundCapability {
    pub(crate) card: Arc<Card>,
    pub(crate) implementation: Implementation,
    /// Warnings for the caller, such as the use of an alias.
    pub(crate) warnings: Vec<String>,
}

/// The kind of capability that a name must mean, if the caller knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OnlyKind {
    Card,
    Tool,
    Code,
}

/// The rules for looking up a name.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Lookup {
    pub(crate) asker: Asker,
    pub(crate) only: Option<OnlyKind>,
}

impl From<Arc<Card>> for FoundCapability {
    fn from(card: Arc<Card>) -> Self {
        Self {
            card,
            implementation: Implementation::Card,
            warnings: Vec::new(),
        }
    }
}

/// Returns the error for a name that means something of another kind than the caller asks for; `None` if the kind
/// fits.
pub(crate) fn kind_error(name: &str, only: OnlyKind, meaning: &Meaning<'_>) -> Option<ResultError> {
    let is = match (only, meaning) {
        (OnlyKind::Card, Meaning::Card) | (OnlyKind::Tool, Meaning::Tool { .. }) => return None,
        (OnlyKind::Code, Meaning::Code) => return None,
        (_, Meaning::Card) => "a card",
        (_, Meaning::Action(_)) => "an action of Capstan itself",
        (_, Meaning::Tool { .. }) => "a tool",
        (_, Meaning::Skill | Meaning::FolderSkill) => "a skill",
        (_, Meaning::Code) => "neither",
    };
    let asked = match only {
        OnlyKind::Card => "card",
        OnlyKind::Tool => "tool of a configured server",
        OnlyKind::Code => "remembered code",
    };
    let message = match meaning {
        Meaning::Code => format!("there is no {asked} `{name}`"),
        _ => format!("`{name}` is {is}: use `capstan run {name}`"),
    };
    Some(ResultError::new(ErrorCode::NotFound, message))
}

/// Returns the warning for the use of an alias.
pub(crate) fn alias_warning(alias: &str, name: &DisplayName) -> String {
    format!(
        "[WARN] Deprecated: Using alias \"{alias}\" for capability \"{name}\". Update your code."
    )
}

/// Converts an error of the store to one for the caller.
pub(crate) fn store_error(error: &StoreError) -> ResultError {
    let code = match error {
        StoreError::NameTaken { .. } => ErrorCode::Conflict,
        StoreError::NotFound(_) => ErrorCode::NotFound,
        StoreError::Refused(_) => ErrorCode::Validation,
        StoreError::Broken(_) => ErrorCode::Unknown,
    };
    ResultError::new(code, error.to_string())
}
