//! The directory: what names mean, and which skills there are.

use std::sync::{Arc, OnceLock};

use super::meaning::SettledSkills;
use crate::shared::Shared;

pub(crate) struct Directory {
    pub(super) shared: Arc<Shared>,
    /// FoundCapability out when a skill is first asked for.
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
