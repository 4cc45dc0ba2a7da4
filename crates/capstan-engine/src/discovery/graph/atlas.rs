//! What the store knows of code and relations, held in memory and brought up to date before it is used.

use std::collections::{HashMap, HashSet};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use futures_util::lock::Mutex;

use capstan_core::ResultError;
use capstan_core::code::{DisplayName, Edge, Fqdn, Node, Scope};
use capstan_core::port::{Changed, CodeSummary};
use capstan_graph::Graph;

use super::declared::{self, Asked};
use crate::capability::store_error;
use crate::discovery::Discovery;

/// A copy that is brought up to date by differences.
#[derive(Default)]
pub(crate) struct Atlas {
    held: RwLock<Held>,
    /// One refreshes at a time; who comes meanwhile waits for it and sees what it saw.
    refreshing: Mutex<()>,
}

#[derive(Default)]
pub(crate) struct Held {
    pub(crate) graph: Graph,
    pub(crate) code: HashMap<Fqdn, CodeSummary>,
    names: HashMap<(Scope, DisplayName), Fqdn>,
    edges_at: u64,
    code_at: u64,
    has_skills: bool,
    /// Names of code mean something else than when skills were asked what they contain.
    has_new_names: bool,
    /// It was filled at least once.
    pub(crate) is_ready: bool,
}

impl Atlas {
    pub(crate) fn read(&self) -> RwLockReadGuard<'_, Held> {
        self.held.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is held, if nobody is changing it: for those who must not wait.
    pub(crate) fn glance(&self) -> Option<RwLockReadGuard<'_, Held>> {
        self.held.try_read().ok().filter(|held| held.is_ready)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Held> {
        self.held.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Discovery {
    /// What is held, as the store has it now.
    pub(crate) async fn atlas(&self) -> Result<&Atlas, ResultError> {
        let atlas = &self.atlas;
        let _alone = atlas.refreshing.lock().await;
        if let Some(store) = self.shared.store() {
            let (code_at, edges_at) = {
                let held = atlas.read();
                (held.code_at, held.edges_at)
            };
            let viewer = self.shared.viewer();
            let code = store.changed_code(viewer, code_at).await;
            let code = code.map_err(|error| store_error(&error))?;
            let edges = store.changed_edges(viewer, edges_at).await;
            let edges = edges.map_err(|error| store_error(&error))?;
            let nothing_new = code.now == code_at && edges.now == edges_at;
            if !nothing_new || !atlas.read().is_ready {
                let mut held = atlas.write();
                if code.now < code_at || edges.now < edges_at {
                    held.begin_anew();
                }
                held.apply_code(self, code);
                held.apply_edges(&edges);
            }
        }
        self.ask_skills(atlas).await;
        // Whoever wants to write waits for all who read, and others for them.
        if !atlas.read().is_ready {
            atlas.write().is_ready = true;
        }
        Ok(atlas)
    }

    /// Skills are asked what they contain once, and again when the names of code change that they may mean.
    async fn ask_skills(&self, atlas: &Atlas) {
        let asked = {
            let held = atlas.read();
            match (held.has_skills, held.has_new_names) {
                (false, _) => Asked::All,
                (true, true) => Asked::OfCode,
                (true, false) => return,
            }
        };
        let skills = declared::of_skills(self, asked).await;
        let mut held = atlas.write();
        for (owner, edges) in skills {
            held.graph.declare(&owner, &edges);
        }
        held.has_skills = true;
        held.has_new_names = false;
    }
}

impl Held {
    /// The store is another than before: its file was removed, and counts its changes from the beginning.
    fn begin_anew(&mut self) {
        for fqdn in self.code.keys() {
            self.graph.remove_node(&Node::Code(fqdn.clone()));
        }
        self.graph.forget_stored();
        self.code.clear();
        self.names.clear();
        self.has_new_names = true;
    }

    fn apply_code(&mut self, discovery: &Discovery, changed: Changed<CodeSummary, Fqdn>) {
        for fqdn in &changed.gone {
            self.has_new_names |= !self.forget(fqdn).is_empty();
            self.graph.remove_node(&Node::Code(fqdn.clone()));
        }
        let mut fresh = Vec::with_capacity(changed.there.len());
        let mut appeared = HashSet::new();
        for summary in changed.there {
            let fqdn = summary.record.fqdn.clone();
            let before = self.forget(&fqdn);
            let record = &summary.record;
            for name in record.aliases.iter().chain([&record.name]) {
                let key = (record.scope.clone(), name.clone());
                self.names.insert(key, fqdn.clone());
                if !before.contains(name) {
                    appeared.insert(name.to_string());
                }
            }
            // Fewer than before: one went to other code.
            self.has_new_names |= record.aliases.len() + 1 < before.len();
            self.code.insert(fqdn.clone(), summary);
            fresh.push(fqdn);
        }
        self.has_new_names |= !appeared.is_empty();
        self.add_callers(&appeared, &mut fresh);
        // What code calls may be code that is told later in the same list.
        for fqdn in fresh {
            if let Some(summary) = self.code.get(&fqdn) {
                let edges = declared::of_code(discovery, summary, |name| self.named(summary, name));
                self.graph.declare(&Node::Code(fqdn), &edges);
            }
        }
        self.code_at = changed.now;
    }

    /// Code that calls a name means whatever has it now.
    fn add_callers(&self, names: &HashSet<String>, fresh: &mut Vec<Fqdn>) {
        if names.is_empty() || fresh.len() == self.code.len() {
            return;
        }
        let known: HashSet<&Fqdn> = fresh.iter().collect();
        let calls = |summary: &CodeSummary| summary.calls.iter().any(|it| names.contains(it));
        let callers = self.code.iter();
        let callers = callers.filter(|(fqdn, summary)| !known.contains(fqdn) && calls(summary));
        let callers: Vec<Fqdn> = callers.map(|(fqdn, _)| fqdn.clone()).collect();
        fresh.extend(callers);
    }

    fn apply_edges(&mut self, changed: &Changed<Edge, (String, String)>) {
        for (from, to) in &changed.gone {
            for from in self.nodes_called(from) {
                for to in self.nodes_called(to) {
                    self.graph.remove(&from, &to);
                }
            }
        }
        for edge in &changed.there {
            self.graph.put(edge);
        }
        self.edges_at = changed.now;
    }

    /// Both that a name in the store can mean: it may have been that of code that is gone.
    fn nodes_called(&self, text: &str) -> Vec<Node> {
        let code = Fqdn::parse(text).ok().map(Node::Code);
        code.into_iter()
            .chain([Node::Named(text.to_owned())])
            .collect()
    }

    /// What people call it.
    pub(crate) fn label(&self, node: &Node) -> String {
        let summary = node.code().and_then(|fqdn| self.code.get(fqdn));
        summary.map_or_else(|| node.to_string(), |it| it.record.name.to_string())
    }

    /// The code that other code means by a name.
    fn named(&self, by: &CodeSummary, name: &str) -> Option<Fqdn> {
        let name = DisplayName::parse(name).ok()?;
        self.names.get(&(by.record.scope.clone(), name)).cloned()
    }

    /// Says what it was called.
    fn forget(&mut self, fqdn: &Fqdn) -> Vec<DisplayName> {
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
