//! Who can use an operation.

use capstan_catalog::outline::Audience;

use crate::description::Operation;
use crate::rules::{Rules, lookup};

/// Returns who can use an operation, if not every user can.
pub(super) fn audience_of(operation: &Operation, rules: &Rules) -> Option<Audience> {
    if lookup(&rules.everyone, &operation.id).is_some() {
        return None;
    }
    let begins = |prefix: &str| {
        let rest = operation.path.strip_prefix(prefix);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let fitting = rules.audiences.iter();
    let fitting = fitting.filter(|(prefix, _)| begins(prefix));
    let (_, audience) = fitting.max_by_key(|(prefix, _)| prefix.len())?;
    if *audience == Audience::Organization {
        let text = operation.description.to_lowercase();
        let mut words = rules.owner_words.iter();
        return words
            .any(|words| text.contains(words.as_str()))
            .then_some(*audience);
    }
    Some(*audience)
}
