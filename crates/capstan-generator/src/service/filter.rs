//! Which operations of a description are imported.

use capstan_core::glob;

use crate::description::Operation;

/// Chooses operations. An empty list of patterns or tags chooses all.
#[derive(Clone, Debug, Default)]
pub struct OperationFilter {
    /// Patterns for ids, with or without the name of the service, for paths, or for what the description calls the
    /// operation.
    pub only: Vec<String>,
    pub tags: Vec<String>,
}

impl OperationFilter {
    /// Returns whether an operation is chosen that has this id.
    pub(super) fn has(&self, id: &str, operation: &Operation) -> bool {
        let has_tag = |wanted: &String| {
            let mut tags = operation.tags.iter();
            tags.any(|tag| tag.eq_ignore_ascii_case(wanted))
        };
        let is_tagged = self.tags.is_empty() || self.tags.iter().any(has_tag);
        is_tagged && self.has_name(id, &[&operation.path, &operation.id])
    }

    /// Returns whether the patterns choose an operation that has this id and these other names.
    pub(super) fn has_name(&self, id: &str, others: &[&str]) -> bool {
        let short = id.split_once('.').map_or(id, |(_, rest)| rest);
        let fits = |pattern: &String| {
            let mut names = [id, short].into_iter().chain(others.iter().copied());
            names.any(|name| glob::fits(pattern, name))
        };
        self.only.is_empty() || self.only.iter().any(fits)
    }
}
