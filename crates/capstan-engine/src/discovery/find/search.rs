//! Searches for capabilities of every kind.

use std::collections::BTreeMap;
use std::sync::Arc;

use capstan_catalog::Catalog;
use capstan_core::card::Card;
use capstan_core::port::Embedder;
use capstan_search::{Document, Method, Query, SearchHit};

use super::circuit_breaker::CircuitBreaker;
use super::index_entry::{IndexEntry, IndexedCapability};
use super::label::{is_requested, label, priors};
use super::own_first::{RankedHit, own_first};
use super::request::{Hit, IntentQuery, MAX_HITS, SearchRequest, SearchResult};
use super::search_index::{IndexState, embedding_warning};
use super::why;
use crate::discovery::Discovery;

/// Lists the cards, except generated ones, and Capstan's own actions.
pub(crate) fn list_built_in(catalog: &Catalog, own: &[Arc<Card>]) -> Vec<Hit> {
    let entries = built_in(catalog, own, false);
    let hits = entries.iter().map(|entry| hit(&entry.capability, None));
    hits.collect()
}

/// Lists the cards and Capstan's own actions that a request includes, by kind and name. Nothing is indexed for it.
pub(crate) fn list_requested(
    catalog: &Catalog,
    own: &[Arc<Card>],
    request: &SearchRequest,
) -> Vec<Hit> {
    let entries = built_in(catalog, own, request.with_generated).into_iter();
    let by_key: BTreeMap<_, _> = entries
        .map(|entry| (entry.document.id, entry.capability))
        .collect();
    requested(by_key.values(), request)
}

/// Returns the search documents of the cards and of Capstan's own actions.
pub(crate) fn built_in_documents(catalog: &Catalog, own: &[Arc<Card>]) -> Vec<Document> {
    let all = built_in(catalog, own, true).into_iter();
    all.map(|entry| entry.document).collect()
}

/// Returns the entries of the cards and of Capstan's own actions. Generated cards are not read unless they are wanted.
pub(super) fn built_in(
    catalog: &Catalog,
    own: &[Arc<Card>],
    with_generated: bool,
) -> Vec<IndexEntry> {
    let generated = with_generated.then(|| catalog.generated_candidates());
    let cards = catalog
        .written_candidates()
        .chain(generated.into_iter().flatten())
        .map(|candidate| IndexEntry::from_candidate(&candidate));
    let own = own.iter().map(|card| IndexEntry::from_card(card));
    cards.chain(own).collect()
}

impl Discovery {
    /// Returns the matches, the best first, and warnings about what could not be searched.
    pub async fn search(&self, request: &SearchRequest) -> (Vec<Hit>, Vec<String>) {
        let SearchResult { hits, warnings } = self.search_all(request).await;
        (hits, warnings)
    }

    pub(crate) async fn search_all(&self, request: &SearchRequest) -> SearchResult {
        let intents: Vec<_> = request.intent.iter().map(IntentQuery::from_text).collect();
        let (mut found, warnings) = self.search_each(&intents, request).await;
        let hits = match found.pop() {
            Some(hits) => hits,
            None => self.index_for(request).read().all(request),
        };
        SearchResult { hits, warnings }
    }

    /// Searches for several intents. The index is refreshed once, and the embedder is called once.
    pub(crate) async fn search_each(
        &self,
        intents: &[IntentQuery],
        among: &SearchRequest,
    ) -> (Vec<Vec<Hit>>, Vec<String>) {
        let search_index = self.index_for(among);
        let breaker = self.embedder();
        let embedder = breaker.as_ref().map(|it| it as &dyn Embedder);
        let mut warnings = self.refresh_index(among, embedder).await;
        let texts: Vec<Vec<String>> = {
            let state = search_index.read();
            let texts = intents.iter().map(|query| state.parts(&query.text));
            texts.collect()
        };
        let all: Vec<String> = texts.iter().flatten().cloned().collect();
        let vectors = match embedder {
            Some(embedder) if !all.is_empty() => match embedder.embed(&all).await {
                Ok(vectors) => vectors,
                Err(error) => {
                    warnings.push(embedding_warning(&error));
                    Vec::new()
                }
            },
            _ => Vec::new(),
        };
        if self.reset_if_model_changed(search_index, &vectors).await {
            warnings.extend(self.refresh_index(among, embedder).await);
        }
        warnings.sort();
        warnings.dedup();
        let state = search_index.read();
        let mut vectors = vectors.into_iter();
        let hits = intents.iter().zip(texts).map(|(intent, texts)| {
            let vectors: Vec<_> = vectors.by_ref().take(texts.len()).collect();
            state.hits(intent, among, &vectors)
        });
        (hits.collect(), warnings)
    }

    pub(crate) fn embedder(&self) -> Option<CircuitBreaker<'_>> {
        let embedder = self.shared.services.embedder.as_deref()?;
        Some(CircuitBreaker::new(
            embedder,
            &self.search_index.failure,
            &*self.shared.clock,
        ))
    }
}

/// Returns the capabilities that a request includes, by kind and name.
fn requested<'a>(
    all: impl Iterator<Item = &'a IndexedCapability>,
    request: &SearchRequest,
) -> Vec<Hit> {
    let all = all.filter(|capability| is_requested(request, &capability.id, label(capability)));
    let mut all: Vec<_> = all.map(|capability| hit(capability, None)).collect();
    all.sort_by(|one, two| (one.kind, &one.id).cmp(&(two.kind, &two.id)));
    all
}

/// The least score of a generated card. There are so many that some resembles anything.
const LEAST_GENERATED: f64 = 0.05;

impl IndexState {
    /// Returns the texts that a search for an intent needs as vectors.
    pub(super) fn parts(&self, intent: &str) -> Vec<String> {
        let index = self.index.as_ref().filter(|index| index.dimension() > 0);
        index.map_or_else(Vec::new, |index| index.parts(intent))
    }

    /// Lists everything that the request includes, by kind and name.
    pub(super) fn all(&self, request: &SearchRequest) -> Vec<Hit> {
        requested(self.capabilities.values(), request)
    }

    /// Returns the matches for an intent: capabilities named in it first, then the best.
    pub(super) fn hits(
        &self,
        query: &IntentQuery,
        among: &SearchRequest,
        vectors: &[Vec<f32>],
    ) -> Vec<Hit> {
        let text = query.text.trim();
        if text.is_empty() {
            return self.all(among);
        }
        let Some(index) = &self.index else {
            return Vec::new();
        };
        let is_requested = |key: &str, label: u8| is_requested(among, key, label);
        let priors = priors(text);
        let index_query = Query {
            text,
            priors: &priors,
            vectors,
            limit: MAX_HITS,
            method: Method::Hybrid,
        };
        let found = index.search(&index_query, &is_requested);
        // Vectors of another dimension belong to another model, which was configured meanwhile.
        let found = found.or_else(|_| {
            index.search(
                &Query {
                    vectors: &[],
                    ..index_query
                },
                &is_requested,
            )
        });
        let found = found.unwrap_or_default().into_iter();
        let found = found.filter_map(|found| {
            let capability = self.capabilities.get(&found.key)?;
            let rank = found.rank;
            let hit = hit(capability, Some(found));
            // A hit without any evidence is left out.
            let why = hit.why.as_deref().unwrap_or_default();
            let is_likely = !hit.is_generated || hit.score >= LEAST_GENERATED;
            (!why.is_empty() && is_likely).then_some(RankedHit { rank, hit })
        });
        let mut hits = own_first(found.collect());
        for key in index.mentioned(&query.original).into_iter().rev() {
            let capability = self.capabilities.get(key);
            let Some(capability) = capability.filter(|it| is_requested(key, label(it))) else {
                continue;
            };
            // If the text is nothing but a name, its document is already first.
            if hits.first().is_none_or(|first| first.id != capability.id) {
                hits.retain(|hit| hit.id != capability.id);
                hits.insert(0, mentioned(capability));
            }
        }
        hits.truncate(MAX_HITS);
        hits
    }
}

fn mentioned(capability: &IndexedCapability) -> Hit {
    Hit {
        score: 1.0,
        why: Some("named in the query".to_owned()),
        ..hit(capability, None)
    }
}

fn hit(capability: &IndexedCapability, found: Option<SearchHit>) -> Hit {
    let (score, why) = match found {
        Some(found) => (f64::from(found.score), Some(why::describe(&found.why))),
        None => (0.0, None),
    };
    Hit {
        id: capability.id.clone(),
        description: capability.description.clone(),
        operation: capability.operation,
        kind: capability.kind,
        is_generated: capability.standing.is_generated,
        fqdn: capability.fqdn.clone(),
        score,
        why,
        reliability: capability.reliability,
    }
}
