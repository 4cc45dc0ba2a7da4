//! An in-memory copy of the store's code and relations, refreshed before use.

use std::collections::{HashMap, HashSet};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use futures_util::lock::Mutex;

use capstan_core::ResultError;
use capstan_core::code::{DisplayName, Edge, Fqdn, Node, Scope};
use capstan_core::port::{Changed, CodeSummary};
use capstan_graph::Graph;

use super::declared::{self, SkillSelection};
use crate::capability::store_error;
use crate::discovery::Discovery;

/// The graph in memory. Each refresh reads only what changed in the store.
#[derive(Default)]
pub(crate) struct GraphCache {
    state: RwLock<GraphState>,
    /// Held during a refresh. Concurrent callers wait for it and see its result.
    refreshing: Mutex<()>,
}

#[derive(Default)]
pub(crate) struct GraphState {
    pub(crate) graph: Graph,
    pub(crate) code: HashMap<Fqdn, CodeSummary>,
    names: HashMap<(Scope, DisplayName), Fqdn>,
    edges_revision: u64,
    code_revision: u64,
    has_skills: bool,
    /// Whether names of code have changed meaning since the skills were last read.
    has_new_names: bool,
    /// Whether it was filled at least once.
    pub(crate) is_ready: bool,
}

impl GraphCache {
    pub(crate) fn read(&self) -> RwLockReadGuard<'_, GraphState> {
        self.state.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the graph if it is filled and not being changed. Never waits.
    pub(crate) fn try_read(&self) -> Option<RwLockReadGuard<'_, GraphState>> {
        self.state.try_read().ok().filter(|state| state.is_ready)
    }

    fn write(&self) -> RwLockWriteGuard<'_, GraphState> {
        self.state.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Discovery {
    /// Returns the graph after refreshing it from the store.
    pub(crate) async fn current_graph(&self) -> Result<&GraphCache, ResultError> {
        let graph_cache = &self.graph_cache;
        let _alone = graph_cache.refreshing.lock().await;
        if let Some(store) = self.shared.store() {
            let (code_revision, edges_revision) = {
                let state = graph_cache.read();
                (state.code_revision, state.edges_revision)
            };
            let viewer = self.shared.viewer();
            let code = store.changed_code(viewer, code_revision).await;
            let code = code.map_err(|error| store_error(&error))?;
            let edges = store.changed_edges(viewer, edges_revision).await;
            let edges = edges.map_err(|error| store_error(&error))?;
            let nothing_new = code.now == code_revision && edges.now == edges_revision;
            if !nothing_new || !graph_cache.read().is_ready {
                let mut state = graph_cache.write();
                if code.now < code_revision || edges.now < edges_revision {
                    state.reset();
                }
                state.apply_code(self, code);
                state.apply_edges(&edges);
            }
        }
        self.refresh_skills(graph_cache).await;
        // A writer waits for all readers and blocks new ones, so the lock is taken only if needed.
        if !graph_cache.read().is_ready {
            graph_cache.write().is_ready = true;
        }
        Ok(graph_cache)
    }

    /// Reads the relations that skills declare, once, and again when names of code that they may use change.
    async fn refresh_skills(&self, graph_cache: &GraphCache) {
        let selection = {
            let state = graph_cache.read();
            match (state.has_skills, state.has_new_names) {
                (false, _) => SkillSelection::All,
                (true, true) => SkillSelection::WithCode,
                (true, false) => return,
            }
        };
        let skills = declared::edges_of_skills(self, selection).await;
        let mut state = graph_cache.write();
        for (owner, edges) in skills {
            state.graph.declare(&owner, &edges);
        }
        state.has_skills = true;
        state.has_new_names = false;
    }
}

impl GraphState {
    /// Drops everything from the store: its file was replaced, and its revisions start again.
    fn reset(&mut self) {
        for fqdn in self.code.keys() {
            self.graph.remove_node(&Node::Code(fqdn.clone()));
        }
        self.graph.clear_stored();
        self.code.clear();
        self.names.clear();
        self.has_new_names = true;
    }

    fn apply_code(&mut self, discovery: &Discovery, changed: Changed<CodeSummary, Fqdn>) {
        for fqdn in &changed.gone {
            self.has_new_names |= !self.remove_code(fqdn).is_empty();
            self.graph.remove_node(&Node::Code(fqdn.clone()));
        }
        let mut changed_code = Vec::with_capacity(changed.there.len());
        let mut appeared = HashSet::new();
        for summary in changed.there {
            let fqdn = summary.record.fqdn.clone();
            let before = self.remove_code(&fqdn);
            let record = &summary.record;
            for name in record.aliases.iter().chain([&record.name]) {
                let key = (record.scope.clone(), name.clone());
                self.names.insert(key, fqdn.clone());
                if !before.contains(name) {
                    appeared.insert(name.to_string());
                }
            }
            // Fewer names than before: one of them now belongs to other code.
            self.has_new_names |= record.aliases.len() + 1 < before.len();
            self.code.insert(fqdn.clone(), summary);
            changed_code.push(fqdn);
        }
        self.has_new_names |= !appeared.is_empty();
        self.add_callers(&appeared, &mut changed_code);
        // Code may call code that comes later in the same list.
        for fqdn in changed_code {
            if let Some(summary) = self.code.get(&fqdn) {
                let edges = declared::edges_of_code(discovery, summary, |name| {
                    self.code_named(summary, name)
                });
                self.graph.declare(&Node::Code(fqdn), &edges);
            }
        }
        self.code_revision = changed.now;
    }

    /// Adds the code that calls one of these names: the name may refer to other code now.
    fn add_callers(&self, names: &HashSet<String>, changed_code: &mut Vec<Fqdn>) {
        if names.is_empty() || changed_code.len() == self.code.len() {
            return;
        }
        let known: HashSet<&Fqdn> = changed_code.iter().collect();
        let calls = |summary: &CodeSummary| summary.calls.iter().any(|it| names.contains(it));
        let callers = self.code.iter();
        let callers = callers.filter(|(fqdn, summary)| !known.contains(fqdn) && calls(summary));
        let callers: Vec<Fqdn> = callers.map(|(fqdn, _)| fqdn.clone()).collect();
        changed_code.extend(callers);
    }

    fn apply_edges(&mut self, changed: &Changed<Edge, (String, String)>) {
        for (from, to) in &changed.gone {
            for from in self.possible_nodes(from) {
                for to in self.possible_nodes(to) {
                    self.graph.remove(&from, &to);
                }
            }
        }
        for edge in &changed.there {
            self.graph.put(edge);
        }
        self.edges_revision = changed.now;
    }

    /// Returns both nodes that a name in the store can refer to: it may belong to code that is gone.
    fn possible_nodes(&self, text: &str) -> Vec<Node> {
        let code = Fqdn::parse(text).ok().map(Node::Code);
        code.into_iter()
            .chain([Node::Named(text.to_owned())])
            .collect()
    }

    /// Returns the display name of a node.
    pub(crate) fn label(&self, node: &Node) -> String {
        let summary = node.code().and_then(|fqdn| self.code.get(fqdn));
        summary.map_or_else(|| node.to_string(), |it| it.record.name.to_string())
    }

    /// Returns the code to which a name refers when other code uses it.
    fn code_named(&self, by: &CodeSummary, name: &str) -> Option<Fqdn> {
        let name = DisplayName::parse(name).ok()?;
        self.names.get(&(by.record.scope.clone(), name)).cloned()
    }

    /// Removes code and returns its names.
    fn remove_code(&mut self, fqdn: &Fqdn) -> Vec<DisplayName> {
        let Some(CodeSummary { record, .. }) = self.code.remove(fqdn) else {
            return Vec::new();
        };
        let names: Vec<_> = record.aliases.into_iter().chain([record.name]).collect();
        for name in &names {
            self.names.remove(&(record.scope.clone(), name.clone()));
        }
        names
    }
}
