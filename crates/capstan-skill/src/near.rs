//! "Did you mean": the names that are most like one that is not there.

/// The most like first; nothing that is not like it at all.
pub(crate) fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut near: Vec<_> = known
        .map(|known| (strsim::damerau_levenshtein(name, known), known))
        .filter(|(distance, known)| *distance <= known.len().max(name.len()) / 3)
        .collect();
    near.sort();
    near.dedup();
    near.truncate(3);
    near.into_iter().map(|(_, known)| known).collect()
}

/// `: did you mean …?`, where there is something to mean.
pub(crate) fn did_you_mean(near: &[&str]) -> Option<String> {
    let quoted: Vec<_> = near.iter().map(|name| format!("`{name}`")).collect();
    (!quoted.is_empty()).then(|| format!("did you mean {}?", quoted.join(" or ")))
}
