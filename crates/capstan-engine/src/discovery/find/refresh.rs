//! Refreshes the search index before each search.

use std::collections::HashSet;
use std::time::Duration;

use futures_util::future::join_all;
use indexmap::IndexMap;

use capstan_core::Severity;
use capstan_core::card::Kind;
use capstan_core::port::Embedder;
use capstan_skill::Library;

use super::index_entry::IndexEntry;
use super::persist::IndexIdentity;
use super::request::SearchRequest;
use super::search::built_in;
use super::search_index::{IndexState, SearchIndex};
use crate::discovery::Discovery;
use crate::plans::skill_card;

/// How long to wait for a server's list of tools. A slower server is left out of the search.
const TOOL_LIST_TIMEOUT: Duration = Duration::from_secs(5);

/// With a cheap embedder, fewer changes are not worth saving: indexing them again is fast.
const MIN_CHANGES_TO_SAVE: usize = 1000;

const BUILT_IN: &str = "built in";

impl Discovery {
    /// Returns the index for a request. Generated cards are only indexed with a cheap embedder: they are many, and the
    /// vectors of the other index are saved instead.
    pub(super) fn index_for(&self, request: &SearchRequest) -> &SearchIndex {
        let embedder = self.shared.services.embedder.as_deref();
        if request.with_generated && embedder.is_none_or(Embedder::is_cheap) {
            &self.wide_index
        } else {
            &self.search_index
        }
    }

    /// Refreshes the index. Returns warnings about what could not be indexed.
    pub(super) async fn refresh_index(
        &self,
        request: &SearchRequest,
        embedder: Option<&dyn Embedder>,
    ) -> Vec<String> {
        let search_index = self.index_for(request);
        let is_wide = std::ptr::eq(search_index, &self.wide_index);
        let _refresh_guard = search_index.lock_refresh().await;
        if !is_wide {
            self.load_index(embedder).await;
        }
        let mut warnings = Vec::new();
        let includes = |kind: Kind| request.kind.is_none_or(|requested| requested == kind);
        let has = |group: &str| search_index.read().has_group(group);
        if !has(BUILT_IN) {
            let own = (self.shared.own_cards.all)();
            let built_in = built_in(&self.shared.catalog, own, is_wide);
            warnings.extend(search_index.put_group(BUILT_IN, built_in, embedder).await);
        }
        if includes(Kind::Tool) {
            for (server, entries) in self.tool_entries(request, &mut warnings).await {
                let group = format!("server {server}");
                warnings.extend(search_index.put_group(&group, entries, embedder).await);
            }
        }
        if includes(Kind::Skill) {
            let entries = self.skill_entries(&mut warnings).await;
            warnings.extend(search_index.put_group("skills", entries, embedder).await);
        }
        if includes(Kind::Code) {
            warnings.extend(self.refresh_code(search_index, embedder).await);
        }
        let is_everything = request.kind.is_none() && request.domain.is_none();
        let is_complete = is_everything && warnings.is_empty();
        if !is_wide {
            self.save_index(embedder, is_complete).await;
        }
        warnings
    }

    /// Empties the index if these vectors have another dimension. Returns whether it did.
    pub(super) async fn reset_if_model_changed(
        &self,
        search_index: &SearchIndex,
        vectors: &[Vec<f32>],
    ) -> bool {
        if !search_index.read().is_of_another_model(vectors) {
            return false;
        }
        let _refresh_guard = search_index.lock_refresh().await;
        let mut state = search_index.write();
        let is_new = state.is_of_another_model(vectors);
        if is_new {
            state.reset();
        }
        is_new
    }

    /// Loads the index that another process saved, once.
    async fn load_index(&self, embedder: Option<&dyn Embedder>) {
        if self.search_index.read().was_loaded {
            return;
        }
        let loaded = match (
            &self.shared.services.index,
            self.index_identity(embedder).await,
        ) {
            (Some(cache), identity) => {
                let bytes = cache.load();
                bytes.and_then(|bytes| IndexState::from_bytes(&bytes, &identity))
            }
            (None, _) => None,
        };
        let mut state = self.search_index.write();
        *state = loaded.unwrap_or_default();
        state.was_loaded = true;
    }

    /// Saves the index if building it again would take long or cost money. Entries that were not listed are
    /// removed only if everything was listed.
    async fn save_index(&self, embedder: Option<&dyn Embedder>, is_complete: bool) {
        let is_cheap = embedder.is_none_or(Embedder::is_cheap);
        let enough = if is_cheap { MIN_CHANGES_TO_SAVE } else { 1 };
        // An entry without a vector would count as complete when it is loaded again.
        if self.search_index.read().changes < enough || !self.search_index.read().has_all_vectors()
        {
            return;
        }
        let identity = self.index_identity(embedder).await;
        if let Some(cache) = &self.shared.services.index {
            let bytes = {
                let mut state = self.search_index.write();
                if is_complete {
                    state.remove_unlisted();
                }
                state.changes = 0;
                state.to_bytes(&identity)
            };
            if let Some(bytes) = bytes {
                cache.keep(&bytes);
            }
        }
    }

    async fn index_identity(&self, embedder: Option<&dyn Embedder>) -> IndexIdentity {
        let store = match self.shared.store() {
            Some(store) => store.identity().await.ok().flatten(),
            None => None,
        };
        let viewer = self.shared.viewer();
        IndexIdentity {
            // Without a store there is no code.
            store: store.unwrap_or_default(),
            org: viewer.scope.org.clone(),
            project: viewer.scope.project.clone(),
            user: viewer.user.clone(),
            model: embedder.map_or("", Embedder::model).to_owned(),
        }
    }

    async fn refresh_code(
        &self,
        search_index: &SearchIndex,
        embedder: Option<&dyn Embedder>,
    ) -> Option<String> {
        let store = self.shared.store()?;
        let since = search_index.read().code_at;
        let changed = match store.changed_code(self.shared.viewer(), since).await {
            Ok(changed) => changed,
            Err(error) => return Some(format!("code was not searched: {error}")),
        };
        if changed.now < since {
            // The store was replaced: none of the indexed code is in it.
            let mut state = search_index.write();
            let all: Vec<String> = state.code.drain().map(|(_, key)| key).collect();
            all.iter().for_each(|key| state.remove(key));
        }
        {
            let mut state = search_index.write();
            changed
                .gone
                .iter()
                .for_each(|fqdn| state.remove_code(fqdn.as_str()));
        }
        let own = &self.shared.viewer().scope;
        let mut entries: Vec<_> = changed
            .there
            .into_iter()
            .map(|code| IndexEntry::from_code(own, code))
            .collect();
        {
            let state = search_index.read();
            let settled = entries.into_iter().map(|entry| {
                if state.is_taken(entry.key()) {
                    entry.with_full_name()
                } else {
                    entry
                }
            });
            entries = settled.collect();
        }
        let problem = search_index.put(entries, embedder).await;
        search_index.write().code_at = changed.now;
        problem
    }

    async fn tool_entries(
        &self,
        request: &SearchRequest,
        warnings: &mut Vec<String>,
    ) -> Vec<(String, Vec<IndexEntry>)> {
        let deadline = self.shared.clock.now() + TOOL_LIST_TIMEOUT;
        let servers = self.shared.servers().into_iter().filter(|server| {
            let domain = request.domain.as_ref();
            domain.is_none_or(|domain| domain == server)
        });
        let listed = servers.map(|server| async move {
            let tools = self.shared.tools_of(&server, deadline).await;
            (server, tools)
        });
        let mut entries = Vec::new();
        for (server, tools) in join_all(listed).await {
            match tools {
                Ok(tools) => {
                    let found = tools
                        .iter()
                        .map(|tool| IndexEntry::from_tool(&server, tool));
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

    /// Returns the newest version of each skill. Invalid skills cannot be run, so they are left out and
    /// reported.
    async fn skill_entries(&self, warnings: &mut Vec<String>) -> Vec<IndexEntry> {
        let Some(library) = self.directory.library() else {
            return Vec::new();
        };
        let mut entries = Vec::new();
        for id in library.ids() {
            match self.plans.plan(id).await {
                Some(Ok(plan)) => {
                    let intents = library.newest(id).map(|it| it.intents.clone());
                    let mut entry = IndexEntry::from_card(&skill_card(&plan));
                    entry.document.intents = intents.unwrap_or_default();
                    entries.push(entry);
                }
                Some(Err(error)) => warnings.push(error.message),
                None => {}
            }
        }
        warnings.extend(self.unread_skill_files(library));
        entries
    }

    /// Returns the errors of skill files, and of documents in them, that belong to no named skill: one line
    /// per file.
    fn unread_skill_files(&self, library: &Library) -> Vec<String> {
        let of_skills = library.skills().iter().flat_map(|it| &it.origin.errors);
        let told: HashSet<String> = of_skills.map(ToString::to_string).collect();
        let lock = self.plans.bad_lock().map(ToString::to_string);
        let mut by_file: IndexMap<&str, Vec<String>> = IndexMap::new();
        for error in self.directory.skill_diagnostics() {
            let line = error.to_string();
            let is_told = told.contains(&line) || lock.as_ref() == Some(&line);
            if error.severity == Severity::Error && !is_told {
                by_file.entry(&error.source.name).or_default().push(line);
            }
        }
        let files = by_file.len();
        let mut lines: Vec<String> = by_file
            .into_values()
            .take(MAX_REPORTED_FILES)
            .map(|mut lines| match lines.len() {
                1 => lines.remove(0),
                count => format!("{} ({} more in this file)", lines[0], count - 1),
            })
            .collect();
        if files > MAX_REPORTED_FILES {
            let more = files - MAX_REPORTED_FILES;
            lines.push(format!(
                "{more} more files have no readable skill: `capstan check` lists them all"
            ));
        }
        lines
    }
}

/// The maximum number of skill files whose errors are listed.
const MAX_REPORTED_FILES: usize = 8;
