//! Suggestions of similar names.

/// Returns `did you mean …?`, or `None` if there are no suggestions.
pub(crate) fn did_you_mean(near: &[&str]) -> Option<String> {
    let quoted: Vec<_> = near.iter().map(|name| format!("`{name}`")).collect();
    (!quoted.is_empty()).then(|| format!("did you mean {}?", quoted.join(" or ")))
}
