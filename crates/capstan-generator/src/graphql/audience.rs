//! Who can use a root field.

use capstan_catalog::outline::Audience;

use super::rules::GraphqlRules;

/// Returns who can use a root field, if not every user can. The longest beginning of the id counts.
pub(super) fn audience_of(id: &str, rules: &GraphqlRules) -> Option<Audience> {
    let fitting = rules.audiences.iter().filter(|(start, _)| {
        let rest = id.strip_prefix(start.as_str());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    });
    let longest = fitting.max_by_key(|(start, _)| start.len());
    longest.map(|(_, audience)| *audience)
}
