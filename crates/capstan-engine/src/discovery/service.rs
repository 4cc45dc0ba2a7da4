//! The interface of discovery, with its in-memory indexes.

use std::fmt;
use std::sync::{Arc, OnceLock};

use super::find::SearchIndex;
use super::graph::GraphCache;
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
    pub(super) graph_cache: GraphCache,
    pub(super) search_index: SearchIndex,
    /// The index that has the generated cards too. Suggestions and everything else that chooses by itself use the other
    /// one, so that a thousand cards that nobody chose do not change what words mean there.
    pub(super) wide_index: SearchIndex,
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
            graph_cache: GraphCache::default(),
            search_index: SearchIndex::default(),
            wide_index: SearchIndex::default(),
            producers: OnceLock::new(),
        }
    }

    /// Returns whether the graph is loaded and can be read without waiting.
    pub(crate) fn has_learned(&self) -> bool {
        self.graph_cache.try_read().is_some()
    }

    /// Returns which cards produce the inputs of others. Computed on first use.
    pub(super) fn producers(&self) -> &ProducersByInput {
        let catalog = &self.shared.catalog;
        self.producers
            .get_or_init(|| ProducersByInput::from_catalog(catalog))
    }
}
