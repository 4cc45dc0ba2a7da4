//! Finds capabilities of every kind by what they do.

use std::time::{Duration, Instant};

use futures_util::FutureExt as _;
use futures_util::future::join_all;

use capstan_catalog::Catalog;
use capstan_core::card::Kind;
use capstan_core::port::Embedder;
use capstan_search::{Document, Found, Method, Query};

use super::careful::Careful;
use super::entry::{Entry, Shown};
use super::finder::{Finder, Held, label_of, meanings_are_missing};
use super::persist::About;
use super::wanted::{Hit, Search, Wanted};
use super::why;
use crate::skill::skill_card;
use crate::{Capstan, local};

/// A server that does not say what it has in this time is left out of a search.
const PATIENCE: Duration = Duration::from_secs(5);

/// Nobody reads further; what fits worse than so many others does not fit.
const MOST: usize = 50;

/// The best matches among what needs no store and no server: cards, and what Capstan does itself. The
/// embedder has its vectors at once, or is done without.
pub fn search_built_in(catalog: &Catalog, embedder: &dyn Embedder, wanted: &Wanted) -> Vec<Hit> {
    let finder = Finder::default();
    let embedder = wanted.intent.as_ref().map(|_| embedder);
    let put = finder.put(built_in(catalog), embedder).now_or_never();
    if put.is_none() {
        let without = finder.put(built_in(catalog), None).now_or_never();
        debug_assert!(without.is_some(), "there is nothing to wait for");
    }
    let texts = finder.read().parts(wanted);
    let vectors = embedder.and_then(|embedder| embedder.embed(&texts).now_or_never());
    let vectors = vectors.and_then(Result::ok).unwrap_or_default();
    finder.read().hits(wanted, &vectors)
}

/// Everything that needs no store and no server.
pub fn list_built_in(catalog: &Catalog) -> Vec<Hit> {
    let shown = built_in(catalog).into_iter().map(|entry| entry.shown);
    shown.map(|shown| hit(&shown, None)).collect()
}

/// The texts by which that is found.
pub fn built_in_documents(catalog: &Catalog) -> Vec<Document> {
    let all = built_in(catalog).into_iter();
    all.map(|entry| entry.document).collect()
}

fn built_in(catalog: &Catalog) -> Vec<Entry> {
    let cards = catalog.candidates();
    let cards = cards.map(|candidate| Entry::of_candidate(&candidate));
    let own = local::cards().map(|card| Entry::of_card(card));
    cards.chain(own).collect()
}

impl Capstan {
    /// The best matches first. The texts tell what could not be searched, and why.
    pub async fn search(&self, wanted: &Wanted) -> (Vec<Hit>, Vec<String>) {
        let Search { hits, warnings } = self.search_all(wanted).await;
        (hits, warnings)
    }

    pub(crate) async fn search_all(&self, wanted: &Wanted) -> Search {
        let careful = self.careful_embedder();
        let embedder = careful.as_ref().map(|it| it as &dyn Embedder);
        let mut warnings = self.refresh_finder(wanted, embedder).await;
        let texts = self.finder.read().parts(wanted);
        let vectors = match embedder {
            Some(embedder) if !texts.is_empty() => match embedder.embed(&texts).await {
                Ok(vectors) => vectors,
                Err(error) => {
                    warnings.push(meanings_are_missing(&error));
                    Vec::new()
                }
            },
            _ => Vec::new(),
        };
        if self.finder.read().is_of_another_model(&vectors) {
            self.finder.write().begin_anew();
            warnings.extend(self.refresh_finder(wanted, embedder).await);
        }
        let hits = self.finder.read().hits(wanted, &vectors);
        warnings.sort();
        warnings.dedup();
        Search { hits, warnings }
    }

    fn careful_embedder(&self) -> Option<Careful<'_>> {
        let embedder = self.parts.embedder.as_deref()?;
        let now = self.clock.now();
        Some(Careful::new(embedder, &self.finder.failure, now))
    }

    /// Everything that can be found is as it is now. Says what could not be looked at.
    async fn refresh_finder(
        &self,
        wanted: &Wanted,
        embedder: Option<&dyn Embedder>,
    ) -> Vec<String> {
        let finder = &self.finder;
        let _alone = finder.alone().await;
        self.load_index(embedder).await;
        let mut warnings = Vec::new();
        let of_kind = |kind: Kind| wanted.kind.is_none_or(|wanted| wanted == kind);
        let has = |group: &str| finder.read().has_group(group);
        if !has(BUILT_IN) {
            let built_in = built_in(self.catalog());
            warnings.extend(finder.put_group(BUILT_IN, built_in, embedder).await);
        }
        if of_kind(Kind::Tool) {
            for (server, entries) in self.tool_entries(wanted, &mut warnings).await {
                let group = format!("server {server}");
                warnings.extend(finder.put_group(&group, entries, embedder).await);
            }
        }
        if of_kind(Kind::Skill) {
            let entries = self.skill_entries(&mut warnings).await;
            warnings.extend(finder.put_group("skills", entries, embedder).await);
        }
        if of_kind(Kind::Code) {
            warnings.extend(self.refresh_code(embedder).await);
        }
        self.keep_index(embedder).await;
        warnings
    }

    /// What was kept by another process, once.
    async fn load_index(&self, embedder: Option<&dyn Embedder>) {
        if self.finder.read().was_loaded {
            return;
        }
        let loaded = match (&self.parts.index, self.index_about(embedder).await) {
            (Some(cache), Some(about)) => {
                let bytes = cache.load();
                bytes.and_then(|bytes| Held::from_bytes(&bytes, &about))
            }
            _ => None,
        };
        let mut held = self.finder.write();
        *held = loaded.unwrap_or_default();
        held.was_loaded = true;
    }

    /// Keeps the index when making it again would take long, or cost something.
    async fn keep_index(&self, embedder: Option<&dyn Embedder>) {
        let is_cheap = embedder.is_none_or(Embedder::is_cheap);
        let enough = match is_cheap {
            true => WORTH_KEEPING,
            false => 1,
        };
        // What has no vector would be taken for done when it is read again.
        if self.finder.read().changes < enough || !self.finder.read().is_whole() {
            return;
        }
        let about = self.index_about(embedder).await;
        if let (Some(cache), Some(about)) = (&self.parts.index, about) {
            let bytes = {
                let mut held = self.finder.write();
                held.tidy();
                held.changes = 0;
                held.to_bytes(&about)
            };
            if let Some(bytes) = bytes {
                cache.keep(&bytes);
            }
        }
    }

    async fn index_about(&self, embedder: Option<&dyn Embedder>) -> Option<About> {
        let store = self.store()?.identity().await.ok()??;
        let viewer = self.viewer();
        Some(About {
            store,
            org: viewer.scope.org.clone(),
            project: viewer.scope.project.clone(),
            user: viewer.user.clone(),
            model: embedder.map_or("", Embedder::model).to_owned(),
        })
    }

    async fn refresh_code(&self, embedder: Option<&dyn Embedder>) -> Option<String> {
        let store = self.store()?;
        let since = self.finder.read().code_at;
        let changed = match store.changed_code(self.viewer(), since).await {
            Ok(changed) => changed,
            Err(error) => return Some(format!("code was not searched: {error}")),
        };
        if changed.now < since {
            // Another store than before: nothing of what is held is in it.
            let mut held = self.finder.write();
            let all: Vec<String> = held.code.drain().map(|(_, key)| key).collect();
            all.iter().for_each(|key| held.remove(key));
        }
        let own = &self.viewer().scope;
        let mut entries: Vec<_> = changed
            .there
            .into_iter()
            .map(|code| Entry::of_code(own, code))
            .collect();
        {
            let held = self.finder.read();
            let settled = entries
                .into_iter()
                .map(|entry| match held.is_taken(entry.key()) {
                    true => entry.by_full_name(),
                    false => entry,
                });
            entries = settled.collect();
        }
        let problem = self.finder.put(entries, embedder).await;
        let mut held = self.finder.write();
        for fqdn in &changed.gone {
            if let Some(key) = held.code.remove(fqdn.as_str()) {
                held.remove(&key);
            }
        }
        held.code_at = changed.now;
        problem
    }

    async fn tool_entries(
        &self,
        wanted: &Wanted,
        warnings: &mut Vec<String>,
    ) -> Vec<(String, Vec<Entry>)> {
        let deadline: Instant = self.clock.now() + PATIENCE;
        let servers = self.servers().into_iter().filter(|server| {
            let domain = wanted.domain.as_ref();
            domain.is_none_or(|domain| domain == server)
        });
        let listed = servers.map(|server| async move {
            let tools = self.tools_of(&server, deadline).await;
            (server, tools)
        });
        let mut entries = Vec::new();
        for (server, tools) in join_all(listed).await {
            match tools {
                Ok(tools) => {
                    let found = tools.iter().map(|tool| Entry::of_tool(&server, tool));
                    let found = found.collect();
                    entries.push((server, found));
                }
                Err(error) => {
                    warnings.push(format!("`{server}` was not searched: {}", error.message));
                }
            }
        }
        entries
    }

    /// The newest of each name. One that is not sound cannot be run, so it is not offered.
    async fn skill_entries(&self, warnings: &mut Vec<String>) -> Vec<Entry> {
        let Some(shelf) = self.parts.skills.as_deref() else {
            return Vec::new();
        };
        let mut entries = Vec::new();
        for id in shelf.library().ids() {
            match self.plan(id).await {
                Some(Ok(plan)) => {
                    let intents = shelf.library().newest(id).map(|it| it.intents.clone());
                    let mut entry = Entry::of_card(&skill_card(&plan));
                    entry.document.intents = intents.unwrap_or_default();
                    entries.push(entry);
                }
                Some(Err(error)) => warnings.push(error.message),
                None => {}
            }
        }
        entries
    }
}

/// Fewer are indexed again in less time than it takes to notice.
const WORTH_KEEPING: usize = 1000;

const BUILT_IN: &str = "built in";

impl Held {
    /// The texts whose vectors a search needs.
    fn parts(&self, wanted: &Wanted) -> Vec<String> {
        match (&self.index, &wanted.intent) {
            (Some(index), Some(intent)) if index.dimension() > 0 => index.parts(intent),
            _ => Vec::new(),
        }
    }

    fn hits(&self, wanted: &Wanted, vectors: &[Vec<f32>]) -> Vec<Hit> {
        let kind = wanted.kind.map(label_of);
        // What is not shown has no label.
        let is_wanted = |key: &str, label: u8| {
            let domain = |domain: &String| key.split('.').next() == Some(domain);
            kind.map_or(label > 0, |kind| kind == label)
                && wanted.domain.as_ref().is_none_or(domain)
        };
        let intent = wanted.intent.as_deref().map(str::trim);
        let Some(intent) = intent.filter(|intent| !intent.is_empty()) else {
            let all = self.shown.values();
            let all = all.filter(|shown| is_wanted(&shown.id, label_of(shown.kind)));
            let mut all: Vec<_> = all.map(|shown| hit(shown, None)).collect();
            all.sort_by(|one, two| (one.kind, &one.id).cmp(&(two.kind, &two.id)));
            return all;
        };
        let Some(index) = &self.index else {
            return Vec::new();
        };
        let query = Query {
            text: intent,
            vectors,
            limit: MOST,
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
        found.collect()
    }
}

fn hit(shown: &Shown, found: Option<Found>) -> Hit {
    let (score, why) = match found {
        Some(found) => (f64::from(found.score), Some(why::in_words(&found.why))),
        None => (0.0, None),
    };
    Hit {
        id: shown.id.clone(),
        description: shown.description.clone(),
        operation: shown.operation,
        kind: shown.kind,
        score,
        why,
        reliability: shown.reliability,
    }
}
