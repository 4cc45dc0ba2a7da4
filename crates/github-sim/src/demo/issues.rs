//! The demonstration's issues: what one is, and all of them.

use super::{issues_early, issues_late};
use crate::world::StateReason;

/// One issue as it stands in the tables.
pub(super) struct Topic {
    pub(super) number: u64,
    pub(super) title: &'static str,
    pub(super) body: &'static str,
    pub(super) author: &'static str,
    pub(super) labels: &'static [&'static str],
    pub(super) assignees: &'static [&'static str],
    pub(super) milestone: Option<u64>,
    pub(super) closed: Option<StateReason>,
    /// Author and text.
    pub(super) comments: &'static [(&'static str, &'static str)],
}

/// Most issues leave most of these out.
pub(super) const PLAIN: Topic = Topic {
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

/// Every issue, by number.
pub(super) fn all() -> impl Iterator<Item = &'static Topic> {
    issues_early::TOPICS
        .iter()
        .chain(issues_late::TOPICS.iter())
}
