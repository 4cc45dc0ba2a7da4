//! Brings what can be found up to date, before each search.

use std::collections::HashSet;
use std::time::Duration;

use futures_util::future::join_all;
use indexmap::IndexMap;

use capstan_core::Severity;
use capstan_core::card::Kind;
use capstan_core::port::Embedder;
use capstan_skill::Library;

use super::entry::IndexEntry;
use super::finder::Held;
use super::persist::TraceSubject;
use super::search::built_in;
use super::wanted::Wanted;
use crate::discovery::Discovery;
use crate::plans::skill_card;

/// A server that does not say what it has in this time is left out of a search.
const PATIENCE: Duration = Duration::from_secs(5);

/// Fewer are indexed again in less time than it takes to notice.
const WORTH_KEEPING: usize = 1000;

const BUILT_IN: &str = "built in";

impl Discovery {
    /// Everything that can be found is as it is now. Says what could not be looked at.
    pub(super) async fn refresh_finder(
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
            let built_in = built_in(&self.shared.catalog, (self.shared.own_cards.all)());
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
        let is_everything = wanted.kind.is_none() && wanted.domain.is_none();
        let is_everything_known = is_everything && warnings.is_empty();
        self.keep_index(embedder, is_everything_known).await;
        warnings
    }

    /// Whether everything has to be indexed anew, because vectors are of another length.
    pub(super) async fn begin_anew_for(&self, vectors: &[Vec<f32>]) -> bool {
        if !self.finder.read().is_of_another_model(vectors) {
            return false;
        }
        let _alone = self.finder.alone().await;
        let mut held = self.finder.write();
        let is_new = held.is_of_another_model(vectors);
        if is_new {
            held.begin_anew();
        }
        is_new
    }

    /// What was kept by another process, once.
    async fn load_index(&self, embedder: Option<&dyn Embedder>) {
        if self.finder.read().was_loaded {
            return;
        }
        let loaded = match (
            &self.shared.services.index,
            self.index_about(embedder).await,
        ) {
            (Some(cache), about) => {
                let bytes = cache.load();
                bytes.and_then(|bytes| Held::from_bytes(&bytes, &about))
            }
            (None, _) => None,
        };
        let mut held = self.finder.write();
        *held = loaded.unwrap_or_default();
        held.was_loaded = true;
    }

    /// Keeps the index when making it again would take long, or cost something. What is in it and was not
    /// listed is forgotten only if everything was.
    async fn keep_index(&self, embedder: Option<&dyn Embedder>, is_everything_known: bool) {
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
        if let Some(cache) = &self.shared.services.index {
            let bytes = {
                let mut held = self.finder.write();
                if is_everything_known {
                    held.tidy();
                }
                held.changes = 0;
                held.to_bytes(&about)
            };
            if let Some(bytes) = bytes {
                cache.keep(&bytes);
            }
        }
    }

    async fn index_about(&self, embedder: Option<&dyn Embedder>) -> TraceSubject {
        let store = match self.shared.store() {
            Some(store) => store.identity().await.ok().flatten(),
            None => None,
        };
        let viewer = self.shared.viewer();
        TraceSubject {
            // As long as there is none, there is no code.
            store: store.unwrap_or_default(),
            org: viewer.scope.org.clone(),
            project: viewer.scope.project.clone(),
            user: viewer.user.clone(),
            model: embedder.map_or("", Embedder::model).to_owned(),
        }
    }

    async fn refresh_code(&self, embedder: Option<&dyn Embedder>) -> Option<String> {
        let store = self.shared.store()?;
        let since = self.finder.read().code_at;
        let changed = match store.changed_code(self.shared.viewer(), since).await {
            Ok(changed) => changed,
            Err(error) => return Some(format!("code was not searched: {error}")),
        };
        if changed.now < since {
            // Another store than before: nothing of what is held is in it.
            let mut held = self.finder.write();
            let all: Vec<String> = held.code.drain().map(|(_, key)| key).collect();
            all.iter().for_each(|key| held.remove(key));
        }
        {
            let mut held = self.finder.write();
            changed
                .gone
                .iter()
                .for_each(|fqdn| held.remove_code(fqdn.as_str()));
        }
        let own = &self.shared.viewer().scope;
        let mut entries: Vec<_> = changed
            .there
            .into_iter()
            .map(|code| IndexEntry::of_code(own, code))
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
        self.finder.write().code_at = changed.now;
        problem
    }

    async fn tool_entries(
        &self,
        wanted: &Wanted,
        warnings: &mut Vec<String>,
    ) -> Vec<(String, Vec<IndexEntry>)> {
        let deadline = self.shared.clock.now() + PATIENCE;
        let servers = self.shared.servers().into_iter().filter(|server| {
            let domain = wanted.domain.as_ref();
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
                    let found = tools.iter().map(|tool| IndexEntry::of_tool(&server, tool));
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
    async fn skill_entries(&self, warnings: &mut Vec<String>) -> Vec<IndexEntry> {
        let Some(library) = self.directory.library() else {
            return Vec::new();
        };
        let mut entries = Vec::new();
        for id in library.ids() {
            match self.plans.plan(id).await {
                Some(Ok(plan)) => {
                    let intents = library.newest(id).map(|it| it.intents.clone());
                    let mut entry = IndexEntry::of_card(&skill_card(&plan));
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

    /// What is wrong with files and with documents in them of which there is no skill to name: one line for
    /// each file.
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
            .take(MOST_FILES)
            .map(|mut lines| match lines.len() {
                1 => lines.remove(0),
                count => format!("{} ({} more in this file)", lines[0], count - 1),
            })
            .collect();
        if files > MOST_FILES {
            let more = files - MOST_FILES;
            lines.push(format!(
                "{more} more files hold no skill that can be read: `capstan check` names them all"
            ));
        }
        lines
    }
}

/// Of how many files it is said what is wrong with them.
const MOST_FILES: usize = 8;
