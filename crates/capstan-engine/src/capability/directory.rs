//! The directory of all names.

use std::sync::{Arc, OnceLock};

use super::meaning::SettledSkills;
use crate::shared::Shared;

/// Knows what names mean and which skills exist. Its methods are in the other files of this module.
pub(crate) struct Directory {
    pub(super) shared: Arc<Shared>,
    /// Computed when a skill is first looked up.
    pub(super) settled: OnceLock<SettledSkills>,
}

impl Directory {
    pub(crate) fn new(shared: Arc<Shared>) -> Self {
        Self {
            shared,
            settled: OnceLock::new(),
        }
    }
}
