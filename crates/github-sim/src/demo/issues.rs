//! The issues of the demonstration.

use super::{issues_early, issues_late};
use crate::world::StateReason;

/// An issue of the demonstration.
pub(super) struct DemoIssue {
    pub(super) number: u64,
    pub(super) title: &'static str,
    pub(super) body: &'static str,
    pub(super) author: &'static str,
    pub(super) labels: &'static [&'static str],
    pub(super) assignees: &'static [&'static str],
    pub(super) milestone: Option<u64>,
    pub(super) closed: Option<StateReason>,
    /// Comments: author and text.
    pub(super) comments: &'static [(&'static str, &'static str)],
}

/// Default values for the tables.
pub(super) const DEFAULT_ISSUE: DemoIssue = DemoIssue {
    number: 0,
    title: "",
    body: "",
    author: "maya-chen",
    labels: &[],
    assignees: &[],
    milestone: None,
    closed: None,
    comments: &[],
};

/// Returns all issues, ordered by number.
pub(super) fn all() -> impl Iterator<Item = &'static DemoIssue> {
    issues_early::ISSUES
        .iter()
        .chain(issues_late::ISSUES.iter())
}
