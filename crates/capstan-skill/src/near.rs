//! Suggested names in words.

/// `: did you mean …?`, where there is something to mean.
pub(crate) fn did_you_mean(near: &[&str]) -> Option<String> {
    let quoted: Vec<_> = near.iter().map(|name| format!("`{name}`")).collect();
    (!quoted.is_empty()).then(|| format!("did you mean {}?", quoted.join(" or ")))
}
