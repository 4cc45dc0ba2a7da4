//! The one interface of discovery, with what it holds in memory.

use std::fmt;
use std::sync::{Arc, OnceLock};

use super::find::Finder;
use super::graph::Atlas;
use super::suggest::ProducersByInput;
use crate::capability::Directory;
use crate::plans::SkillPlans;
use crate::resolver::Resolver;
use crate::shared::Shared;

pub struct Discovery {
    pub(super) shared: Arc<Shared>,
    pub(super) directory: Arc<Directory>,
    pub(super) plans: Arc<SkillPlans>,
    pub(super) resolver: Arc<Resolver>,
    pub(super) atlas: Atlas,
    pub(super) finder: Finder,
    producers: OnceLock<ProducersByInput>,
}

impl fmt::Debug for Discovery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Discovery").finish_non_exhaustive()
    }
}

impl Discovery {
    pub(crate) fn new(resolver: Arc<Resolver>) -> Self {
        Self {
            shared: Arc::clone(&resolver.shared),
            directory: Arc::clone(&resolver.directory),
            plans: Arc::clone(&resolver.plans),
            resolver,
            atlas: Atlas::default(),
            finder: Finder::default(),
            producers: OnceLock::new(),
        }
    }

    /// Whether something was learned that can be looked at without waiting.
    pub(crate) fn has_learned(&self) -> bool {
        self.atlas.glance().is_some()
    }

    /// Returns which cards give what others ask for. It is found out when it is first asked.
    pub(super) fn producers(&self) -> &ProducersByInput {
        let catalog = &self.shared.catalog;
        self.producers.get_or_init(|| ProducersByInput::of(catalog))
    }
}
