//! What may be run at all. It holds for everything that is run, also for what code calls.

use capstan_core::card::{Card, Kind, Operation};
use capstan_core::{ErrorCode, ResultError};

/// Capabilities are named in any way in which they can be run, with `*` and `?`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Policy {
    /// Nothing that changes anything.
    pub read_only: bool,
    /// Each list that there is must have a pattern that fits.
    pub allow: Vec<Vec<String>>,
    /// None of these, whatever else is said.
    pub deny: Vec<String>,
}

/// Everything that one capability can be called by, whoever calls it.
pub trait Names {
    /// Whether a pattern of a policy fits one of the names.
    fn fit(&self, pattern: &str) -> bool;

    /// Returns the first part of a composite that a pattern fits, and the pattern. Parts are not run by their names, so
    /// the policy would not see them otherwise.
    fn fitting_part<'p>(&self, patterns: &'p [String]) -> Option<(String, &'p str)>;
}

impl Policy {
    /// Checks whether something may be run. Each of its names can be denied, and one that is allowed is enough.
    pub fn check(&self, card: &Card, names: &dyn Names) -> Result<(), ResultError> {
        let id = card.id.as_str();
        self.check_names(id, names)?;
        if let Some((part, pattern)) = names.fitting_part(&self.deny) {
            let why = format!("the policy denies `{pattern}`, and it is made of `{part}`");
            return refuse(id, &why);
        }
        // Code changes nothing by itself: what it calls is checked when it calls it.
        if self.read_only
            && card.operation == Operation::Write
            && !matches!(card.kind(), Kind::Code | Kind::Skill)
        {
            return refuse(id, "it changes things, and only reading is allowed");
        }
        Ok(())
    }

    /// Checks names alone, of what has no card.
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

    /// Returns the same policy without anything that changes something.
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
