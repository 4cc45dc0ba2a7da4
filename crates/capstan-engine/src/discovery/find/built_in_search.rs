//! Searches cards and Capstan's own actions, which need no store and no server.

use std::fmt;
use std::sync::Arc;

use futures_util::FutureExt as _;

use capstan_catalog::Catalog;
use capstan_core::card::Card;
use capstan_core::port::Embedder;

use super::request::{Hit, IntentQuery, SearchRequest};
use super::search::built_in;
use super::search_index::SearchIndex;

/// An index of cards and of Capstan's own actions.
pub struct BuiltInSearch<'a> {
    search_index: SearchIndex,
    embedder: &'a dyn Embedder,
}

impl fmt::Debug for BuiltInSearch<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BuiltInSearch").finish_non_exhaustive()
    }
}

impl<'a> BuiltInSearch<'a> {
    /// Indexes everything. If the embedder does not answer at once, searches go by words alone.
    pub(crate) fn new(
        catalog: &Catalog,
        own: &[Arc<Card>],
        embedder: &'a dyn Embedder,
        with_generated: bool,
    ) -> Self {
        let search_index = SearchIndex::default();
        let entries = || built_in(catalog, own, with_generated);
        let put = search_index.put(entries(), Some(embedder)).now_or_never();
        if put.is_none() {
            let without = search_index.put(entries(), None).now_or_never();
            debug_assert!(without.is_some(), "there is nothing to wait for");
        }
        Self {
            search_index,
            embedder,
        }
    }

    /// Returns the best matches, or everything if the request has no intent.
    pub fn search(&self, request: &SearchRequest) -> Vec<Hit> {
        let Some(intent) = &request.intent else {
            return self.search_index.read().all(request);
        };
        let texts = self.search_index.read().parts(intent);
        let vectors = self.embedder.embed(&texts).now_or_never();
        let vectors = vectors.and_then(Result::ok).unwrap_or_default();
        let state = self.search_index.read();
        state.hits(&IntentQuery::from_text(intent), request, &vectors)
    }
}
