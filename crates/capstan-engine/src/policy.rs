//! What may be run at all. It holds for everything that is run, also for what code calls.

use capstan_core::card::{Card, Kind, Operation};
use capstan_core::{ErrorCode, ResultError};

use crate::glob;

/// Capabilities are named by their ids, with `*` and `?`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Policy {
    /// Nothing that changes anything.
    pub read_only: bool,
    /// Each list that there is must have a pattern that fits.
    pub allow: Vec<Vec<String>>,
    /// None of these, whatever else is said.
    pub deny: Vec<String>,
}

impl Policy {
    pub(crate) fn check(&self, card: &Card) -> Result<(), ResultError> {
        let id = card.id.as_str();
        let fits = |pattern: &&String| glob::fits(pattern, id);
        let refuse = |why: String| {
            let message = format!("{id} is not allowed here: {why}");
            Err(ResultError::new(ErrorCode::Policy, message))
        };
        if let Some(pattern) = self.deny.iter().find(fits) {
            return refuse(format!("the policy denies `{pattern}`"));
        }
        let allows = |list: &&Vec<String>| list.iter().any(|pattern| fits(&pattern));
        if let Some(list) = self.allow.iter().find(|list| !allows(list)) {
            return refuse(format!("the policy allows only {}", list.join(", ")));
        }
        // Code changes nothing by itself: what it calls is checked when it calls it.
        if self.read_only && card.operation == Operation::Write && card.kind() != Kind::Code {
            return refuse("it changes things, and only reading is allowed".to_owned());
        }
        Ok(())
    }
}
