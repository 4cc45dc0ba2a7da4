//! What may be run at all. It holds for everything that is run, also for what code calls.

use capstan_core::card::{Card, Kind, Operation};
use capstan_core::code::Capability;
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
    /// Whether something may be run. Code has several names; each of them can be denied, and one
    /// that is allowed is enough.
    pub(crate) fn check(&self, card: &Card, code: Option<&Capability>) -> Result<(), ResultError> {
        let id = card.id.as_str();
        let names = code.map(names).unwrap_or_else(|| vec![id]);
        self.check_names(id, &names)?;
        // Code changes nothing by itself: what it calls is checked when it calls it.
        if self.read_only
            && card.operation == Operation::Write
            && !matches!(card.kind(), Kind::Code | Kind::Skill)
        {
            return refuse(id, "it changes things, and only reading is allowed");
        }
        Ok(())
    }

    /// The same, and nothing that changes anything.
    pub(crate) fn reading(&self) -> Self {
        Self {
            read_only: true,
            ..self.clone()
        }
    }

    /// Whether code that comes with the call may be run.
    pub(crate) fn check_direct_code(&self) -> Result<(), ResultError> {
        self.check_names(DIRECT_CODE, &[DIRECT_CODE])
    }

    fn check_names(&self, id: &str, names: &[&str]) -> Result<(), ResultError> {
        let fits = |pattern: &&String| names.iter().any(|name| glob::fits(pattern, name));
        if let Some(pattern) = self.deny.iter().find(fits) {
            return refuse(id, &format!("the policy denies `{pattern}`"));
        }
        let allows = |list: &&Vec<String>| list.iter().any(|pattern| fits(&pattern));
        if let Some(list) = self.allow.iter().find(|list| !allows(list)) {
            return refuse(id, &format!("the policy allows only {}", list.join(", ")));
        }
        Ok(())
    }
}

/// What code that comes with the call is called in a policy.
const DIRECT_CODE: &str = "code.exec";

/// Everything that remembered code can be called by.
fn names(code: &Capability) -> Vec<&str> {
    let aliases = code.record.aliases.iter().map(|alias| alias.as_str());
    let others = [
        code.record.name.as_str(),
        code.record.fqdn.as_str(),
        code.record.action.as_str(),
    ];
    others.into_iter().chain(aliases).collect()
}

fn refuse(id: &str, why: &str) -> Result<(), ResultError> {
    let message = format!("{id} is not allowed here: {why}");
    Err(ResultError::new(ErrorCode::Policy, message))
}
