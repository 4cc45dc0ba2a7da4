//! The policy: what may be run. It applies to every call, also to calls by code.

use capstan_core::card::{Card, Kind, Operation};
use capstan_core::{ErrorCode, ResultError};

/// Patterns name capabilities in any way in which they can be run, with `*` and `?`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Policy {
    /// Allow no writes.
    pub read_only: bool,
    /// A capability must match a pattern of each list.
    pub allow: Vec<Vec<String>>,
    /// A capability must match none of these.
    pub deny: Vec<String>,
}

/// All names by which a capability can be called.
pub trait Names {
    /// Whether a pattern matches one of the names.
    fn fit(&self, pattern: &str) -> bool;

    /// Returns the first part of a composite that a pattern matches, and the pattern. Parts are not run by name, so they
    /// need this check.
    fn fitting_part<'p>(&self, patterns: &'p [String]) -> Option<(String, &'p str)>;
}

impl Policy {
    /// Checks whether a capability may be run. It is denied if any of its names is denied, and allowed if any is allowed.
    pub fn check(&self, card: &Card, names: &dyn Names) -> Result<(), ResultError> {
        let id = card.id.as_str();
        self.check_names(id, names)?;
        if let Some((part, pattern)) = names.fitting_part(&self.deny) {
            let why = format!("the policy denies `{pattern}`, and it contains `{part}`");
            return refuse(id, &why);
        }
        // Code and skills are checked when they call something.
        if self.read_only
            && card.operation == Operation::Write
            && !matches!(card.kind(), Kind::Code | Kind::Skill)
        {
            return refuse(id, "it writes, and only reads are allowed");
        }
        Ok(())
    }

    /// Checks names only, for what has no card.
    pub fn check_names(&self, id: &str, names: &dyn Names) -> Result<(), ResultError> {
        if let Some(pattern) = self.deny.iter().find(|pattern| names.fit(pattern)) {
            return refuse(id, &format!("the policy denies `{pattern}`"));
        }
        let allows = |list: &&Vec<String>| list.iter().any(|pattern| names.fit(pattern));
        if let Some(list) = self.allow.iter().find(|list| !allows(list)) {
            return refuse(id, &format!("the policy allows only {}", list.join(", ")));
        }
        Ok(())
    }

    /// Returns the same policy, read-only.
    #[must_use]
    pub fn reading(&self) -> Self {
        Self {
            read_only: true,
            ..self.clone()
        }
    }
}

fn refuse(id: &str, why: &str) -> Result<(), ResultError> {
    let message = format!("{id} is not allowed here: {why}");
    Err(ResultError::new(ErrorCode::Policy, message))
}
