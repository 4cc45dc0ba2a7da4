//! What was found by a name, and how names are looked up.

use std::sync::Arc;

use capstan_core::card::Card;
use capstan_core::code::DisplayName;
use capstan_core::port::StoreError;
use capstan_core::{ErrorCode, ResultError};

use super::{Asker, Implementation, Meaning};

/// Something that can be run.
#[derive(Clone, Debug)]
pub(crate) struct FoundCapability {
    pub(crate) card: Arc<Card>,
    pub(crate) implementation: Implementation,
    /// What its caller should hear.
    pub(crate) warnings: Vec<String>,
}

/// What a name is to mean, where its caller knows what kind of thing it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OnlyKind {
    Card,
    Tool,
    Code,
}

/// How names are looked up.
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

/// The error of a name that means something of another kind than its caller asks for.
pub(crate) fn refused_kind(
    name: &str,
    only: OnlyKind,
    meaning: &Meaning<'_>,
) -> Option<ResultError> {
    let is = match (only, meaning) {
        (OnlyKind::Card, Meaning::Card) | (OnlyKind::Tool, Meaning::Tool { .. }) => return None,
        (OnlyKind::Code, Meaning::Code) => return None,
        (_, Meaning::Card) => "a card",
        (_, Meaning::Action(_)) => "something that Capstan does itself",
        (_, Meaning::Tool { .. }) => "a tool",
        (_, Meaning::Skill | Meaning::FoundSkill) => "a skill",
        (_, Meaning::Code) => "neither",
    };
    let asked = match only {
        OnlyKind::Card => "card",
        OnlyKind::Tool => "tool of a configured server",
        OnlyKind::Code => "remembered code",
    };
    let message = match meaning {
        Meaning::Code => format!("there is no {asked} `{name}`"),
        _ => format!("`{name}` is no {asked}: it is {is}; say `capstan run {name}`"),
    };
    Some(ResultError::new(ErrorCode::NotFound, message))
}

/// What whoever uses an alias is told.
pub(crate) fn deprecated(alias: &str, name: &DisplayName) -> String {
    format!(
        "[WARN] Deprecated: Using alias \"{alias}\" for capability \"{name}\". Update your code."
    )
}

/// What the caller is told when the store does not do what it should.
pub(crate) fn broken(error: &StoreError) -> ResultError {
    let code = match error {
        StoreError::NameTaken { .. } => ErrorCode::Conflict,
        StoreError::NotFound(_) => ErrorCode::NotFound,
        StoreError::Refused(_) => ErrorCode::Validation,
        StoreError::Broken(_) => ErrorCode::Unknown,
    };
    ResultError::new(code, error.to_string())
}
