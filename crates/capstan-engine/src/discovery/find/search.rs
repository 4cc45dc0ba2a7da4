//! Finds capabilities of every kind by what they do.

use std::sync::Arc;

use futures_util::FutureExt as _;

use capstan_catalog::Catalog;
use capstan_core::card::Card;
use capstan_core::port::Embedder;
use capstan_search::{Document, Method, Query, SearchHit};

use super::careful::Careful;
use super::entry::{IndexEntry, Shown};
use super::finder::{Finder, Held, label_of, meanings_are_missing};
use super::wanted::{Asked, Hit, MOST_FOUND, Search, Wanted};
use super::why;
use crate::discovery::Discovery;

/// The best matches among what needs no store and no server: cards, and what Capstan does itself. The
/// embedder has its vectors at once, or is done without.
pub(crate) fn search_built_in(
    catalog: &Catalog,
    own: &[Arc<Card>],
    embedder: &dyn Embedder,
    wanted: &Wanted,
) -> Vec<Hit> {
    let finder = Finder::default();
    let embedder = wanted.intent.as_ref().map(|_| embedder);
    let put = finder.put(built_in(catalog, own), embedder).now_or_never();
    if put.is_none() {
        let without = finder.put(built_in(catalog, own), None).now_or_never();
        debug_assert!(without.is_some(), "there is nothing to wait for");
    }
    let intent = wanted.intent.as_deref().unwrap_or_default();
    let texts = finder.read().parts(intent);
    let vectors = embedder.and_then(|embedder| embedder.embed(&texts).now_or_never());
    let vectors = vectors.and_then(Result::ok).unwrap_or_default();
    let held = finder.read();
    match &wanted.intent {
        Some(intent) => held.hits(&Asked::plainly(intent), wanted, &vectors),
        None => held.all(wanted),
    }
}

/// Everything that needs no store and no server.
pub(crate) fn list_built_in(catalog: &Catalog, own: &[Arc<Card>]) -> Vec<Hit> {
    let shown = built_in(catalog, own).into_iter().map(|entry| entry.shown);
    shown.map(|shown| hit(&shown, None)).collect()
}

/// The texts by which that is found.
pub(crate) fn built_in_documents(catalog: &Catalog, own: &[Arc<Card>]) -> Vec<Document> {
    let all = built_in(catalog, own).into_iter();
    all.map(|entry| entry.document).collect()
}

pub(super) fn built_in(catalog: &Catalog, own: &[Arc<Card>]) -> Vec<IndexEntry> {
    let cards = catalog.candidates();
    let cards = cards.map(|candidate| IndexEntry::of_candidate(&candidate));
    let own = own.iter().map(|card| IndexEntry::of_card(card));
    cards.chain(own).collect()
}

impl Discovery {
    /// The best matches first. The texts tell what could not be searched, and why.
    pub async fn search(&self, wanted: &Wanted) -> (Vec<Hit>, Vec<String>) {
        let Search { hits, warnings } = self.search_all(wanted).await;
        (hits, warnings)
    }

    pub(crate) async fn search_all(&self, wanted: &Wanted) -> Search {
        let intents: Vec<_> = wanted.intent.iter().map(Asked::plainly).collect();
        let (mut found, warnings) = self.search_each(&intents, wanted).await;
        let hits = match found.pop() {
            Some(hits) => hits,
            None => self.finder.read().all(wanted),
        };
        Search { hits, warnings }
    }

    /// What fits each of several intents, among what is wanted: everything is brought up to date once, and an
    /// embedder is asked once.
    pub(crate) async fn search_each(
        &self,
        intents: &[Asked],
        among: &Wanted,
    ) -> (Vec<Vec<Hit>>, Vec<String>) {
        let careful = self.careful_embedder();
        let embedder = careful.as_ref().map(|it| it as &dyn Embedder);
        let mut warnings = self.refresh_finder(among, embedder).await;
        let texts: Vec<Vec<String>> = {
            let held = self.finder.read();
            let texts = intents.iter().map(|asked| held.parts(&asked.text));
            texts.collect()
        };
        let all: Vec<String> = texts.iter().flatten().cloned().collect();
        let vectors = match embedder {
            Some(embedder) if !all.is_empty() => match embedder.embed(&all).await {
                Ok(vectors) => vectors,
                Err(error) => {
                    warnings.push(meanings_are_missing(&error));
                    Vec::new()
                }
            },
            _ => Vec::new(),
        };
        if self.begin_anew_for(&vectors).await {
            warnings.extend(self.refresh_finder(among, embedder).await);
        }
        warnings.sort();
        warnings.dedup();
        let held = self.finder.read();
        let mut vectors = vectors.into_iter();
        let hits = intents.iter().zip(texts).map(|(intent, texts)| {
            let vectors: Vec<_> = vectors.by_ref().take(texts.len()).collect();
            held.hits(intent, among, &vectors)
        });
        (hits.collect(), warnings)
    }

    pub(crate) fn careful_embedder(&self) -> Option<Careful<'_>> {
        let embedder = self.shared.services.embedder.as_deref()?;
        Some(Careful::new(
            embedder,
            &self.finder.failure,
            &*self.shared.clock,
        ))
    }
}

impl Held {
    /// The texts whose vectors a search needs.
    fn parts(&self, intent: &str) -> Vec<String> {
        let index = self.index.as_ref().filter(|index| index.dimension() > 0);
        index.map_or_else(Vec::new, |index| index.parts(intent))
    }

    /// Everything that is wanted, by kind and name.
    fn all(&self, wanted: &Wanted) -> Vec<Hit> {
        let all = self.shown.values();
        let all = all.filter(|shown| is_wanted(wanted, &shown.id, label_of(shown.kind)));
        let mut all: Vec<_> = all.map(|shown| hit(shown, None)).collect();
        all.sort_by(|one, two| (one.kind, &one.id).cmp(&(two.kind, &two.id)));
        all
    }

    /// What fits an intent: what it names first, then the best.
    fn hits(&self, asked: &Asked, among: &Wanted, vectors: &[Vec<f32>]) -> Vec<Hit> {
        let text = asked.text.trim();
        if text.is_empty() {
            return self.all(among);
        }
        let Some(index) = &self.index else {
            return Vec::new();
        };
        let is_wanted = |key: &str, label: u8| is_wanted(among, key, label);
        let query = Query {
            text,
            vectors,
            limit: MOST_FOUND,
            method: Method::Hybrid,
        };
        let found = index.search(&query, &is_wanted);
        // Vectors of another length are those of another model, which came in between.
        let found = found.or_else(|_| {
            index.search(
                &Query {
                    vectors: &[],
                    ..query
                },
                &is_wanted,
            )
        });
        let found = found.unwrap_or_default().into_iter();
        let found = found.filter_map(|found| {
            let shown = self.shown.get(&found.key)?;
            let hit = hit(shown, Some(found));
            // Of what nothing can be said for, nothing is said.
            let why = hit.why.as_deref().unwrap_or_default();
            (!why.is_empty()).then_some(hit)
        });
        let mut hits: Vec<Hit> = found.collect();
        for key in index.mentioned(&asked.said).into_iter().rev() {
            let shown = self.shown.get(key);
            let Some(shown) = shown.filter(|it| is_wanted(key, label_of(it.kind))) else {
                continue;
            };
            // A text that is nothing but a name has its document first already.
            if hits.first().is_none_or(|first| first.id != shown.id) {
                hits.retain(|hit| hit.id != shown.id);
                hits.insert(0, mentioned(shown));
            }
        }
        hits.truncate(MOST_FOUND);
        hits
    }
}

/// What is not shown has no label.
fn is_wanted(wanted: &Wanted, key: &str, label: u8) -> bool {
    let domain = |domain: &String| key.split('.').next() == Some(domain);
    wanted
        .kind
        .map_or(label > 0, |kind| label_of(kind) == label)
        && wanted.domain.as_ref().is_none_or(domain)
}

fn mentioned(shown: &Shown) -> Hit {
    Hit {
        score: 1.0,
        why: Some("its name is said".to_owned()),
        ..hit(shown, None)
    }
}

fn hit(shown: &Shown, found: Option<SearchHit>) -> Hit {
    let (score, why) = match found {
        Some(found) => (f64::from(found.score), Some(why::in_words(&found.why))),
        None => (0.0, None),
    };
    Hit {
        id: shown.id.clone(),
        description: shown.description.clone(),
        operation: shown.operation,
        kind: shown.kind,
        fqdn: shown.fqdn.clone(),
        score,
        why,
        reliability: shown.reliability,
    }
}
