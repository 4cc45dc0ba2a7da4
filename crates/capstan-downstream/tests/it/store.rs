//! A store that remembers tools, and nothing else.

use std::collections::HashMap;
use std::sync::Mutex;

use capstan_core::code::{
    Capability, CodeHash, DisplayName, Edge, Event, Fqdn, Node, Observation, Observed, OpenTrace,
    Record, Relaxation, Timestamp, Trace, TraceId, TraceSummary, Use, Visibility,
};
use capstan_core::port::{
    Added, BoxFuture, Changed, CodeFilter, CodeSummary, Direction, Exported, Imported, Learned,
    NewCapability, NewEdge, Relations, Resolved, RunFilter, Runs, Sharing, Store, StoreError,
    TraceFilter, Viewer,
};
use capstan_core::run::{NewRun, Noted, RunEnd, RunStep, RunSummary, RunTurn, SkillRun};
use serde_json::Value;

type Answer<'a, T> = BoxFuture<'a, Result<T, StoreError>>;

#[derive(Debug, Default)]
pub(crate) struct MemoryStore {
    tools: Mutex<HashMap<(String, String), Value>>,
}

impl MemoryStore {
    /// How many lists of tools there are.
    pub(crate) fn lists(&self) -> usize {
        self.tools.lock().unwrap().len()
    }
}

fn refused<'a, T: Send + 'a>() -> Answer<'a, T> {
    let error = StoreError::Refused("this store is for tools".to_owned());
    Box::pin(std::future::ready(Err(error)))
}

impl Store for MemoryStore {
    fn known_tools<'a>(
        &'a self,
        server: &'a str,
        configuration: &'a str,
    ) -> Answer<'a, Option<Value>> {
        let key = (server.to_owned(), configuration.to_owned());
        let known = self.tools.lock().unwrap().get(&key).cloned();
        Box::pin(std::future::ready(Ok(known)))
    }

    fn remember_tools<'a>(
        &'a self,
        server: &'a str,
        configuration: &'a str,
        tools: Value,
        _: Timestamp,
    ) -> Answer<'a, ()> {
        let key = (server.to_owned(), configuration.to_owned());
        self.tools.lock().unwrap().insert(key, tools);
        Box::pin(std::future::ready(Ok(())))
    }

    fn register(&self, _: NewCapability) -> Answer<'_, Capability> {
        refused()
    }

    fn record_use<'a>(&'a self, _: &'a Fqdn, _: Use) -> Answer<'a, ()> {
        refused()
    }

    fn record_use_of_code<'a>(
        &'a self,
        _: &'a Viewer,
        _: &'a CodeHash,
        _: Use,
    ) -> Answer<'a, Option<Capability>> {
        refused()
    }

    fn relax_parameters<'a>(&'a self, _: &'a Fqdn, _: Relaxation) -> Answer<'a, ()> {
        refused()
    }

    fn resolve<'a>(&'a self, _: &'a Viewer, _: &'a str) -> Answer<'a, Resolved> {
        refused()
    }

    fn list<'a>(&'a self, _: &'a Viewer, _: &'a CodeFilter) -> Answer<'a, Vec<Capability>> {
        refused()
    }

    fn summaries<'a>(&'a self, _: &'a Viewer, _: &'a CodeFilter) -> Answer<'a, Vec<CodeSummary>> {
        refused()
    }

    fn changed_code<'a>(&'a self, _: &'a Viewer, _: u64) -> Answer<'a, Changed<CodeSummary, Fqdn>> {
        refused()
    }

    fn identity(&self) -> Answer<'_, Option<String>> {
        refused()
    }

    fn rename<'a>(&'a self, _: &'a Fqdn, _: &'a DisplayName, _: Timestamp) -> Answer<'a, Record> {
        refused()
    }

    fn add_alias<'a>(
        &'a self,
        _: &'a Fqdn,
        _: &'a DisplayName,
        _: Timestamp,
    ) -> Answer<'a, Record> {
        refused()
    }

    fn set_visibility<'a>(
        &'a self,
        _: &'a Fqdn,
        _: Visibility,
        _: Timestamp,
    ) -> Answer<'a, Record> {
        refused()
    }

    fn merge<'a>(&'a self, _: &'a Fqdn, _: &'a Fqdn, _: Timestamp) -> Answer<'a, Capability> {
        refused()
    }

    fn delete<'a>(&'a self, _: &'a Fqdn) -> Answer<'a, ()> {
        refused()
    }

    fn history<'a>(&'a self, _: &'a Fqdn) -> Answer<'a, Vec<Event>> {
        refused()
    }

    fn import<'a>(
        &'a self,
        _: &'a Viewer,
        _: Vec<Exported>,
        _: Timestamp,
    ) -> Answer<'a, Vec<Imported>> {
        refused()
    }

    fn record_execution<'a>(
        &'a self,
        _: &'a Viewer,
        _: OpenTrace,
        _: Option<RunTurn>,
    ) -> Answer<'a, Noted> {
        refused()
    }

    fn add_trace_later(&self, _: &Viewer, _: Trace, _: bool) {}

    fn add_trace<'a>(&'a self, _: &'a Viewer, _: Trace) -> Answer<'a, ()> {
        refused()
    }

    fn traces<'a>(&'a self, _: &'a Viewer, _: &'a TraceFilter) -> Answer<'a, Vec<TraceSummary>> {
        refused()
    }

    fn trace<'a>(&'a self, _: &'a Viewer, _: &'a str) -> Answer<'a, Option<Trace>> {
        refused()
    }

    fn prune_traces<'a>(&'a self, _: &'a Viewer, _: u64) -> Answer<'a, u64> {
        refused()
    }
}

impl Runs for MemoryStore {
    fn begin_run<'a>(&'a self, _: &'a Viewer, _: NewRun) -> Answer<'a, ()> {
        refused()
    }

    fn note_steps<'a>(&'a self, _: &'a RunTurn, _: Vec<RunStep>) -> Answer<'a, Noted> {
        refused()
    }

    fn end_run<'a>(&'a self, _: &'a RunTurn, _: RunEnd) -> Answer<'a, ()> {
        refused()
    }

    fn take_over_run<'a>(
        &'a self,
        _: &'a Viewer,
        _: &'a RunTurn,
        _: u64,
        _: Vec<RunStep>,
        _: Timestamp,
    ) -> Answer<'a, Option<RunTurn>> {
        refused()
    }

    fn run<'a>(&'a self, _: &'a Viewer, _: &'a str) -> Answer<'a, Option<SkillRun>> {
        refused()
    }

    fn runs<'a>(&'a self, _: &'a Viewer, _: &'a RunFilter) -> Answer<'a, Vec<RunSummary>> {
        refused()
    }
}

impl Relations for MemoryStore {
    fn add_edge<'a>(&'a self, _: &'a Viewer, _: NewEdge) -> Answer<'a, Added> {
        refused()
    }

    fn observe_edge<'a>(
        &'a self,
        _: &'a Viewer,
        _: &'a Node,
        _: &'a Node,
        _: u64,
        _: Timestamp,
    ) -> Answer<'a, Edge> {
        refused()
    }

    fn edges<'a>(&'a self, _: &'a Viewer, _: &'a Node, _: Direction) -> Answer<'a, Vec<Edge>> {
        refused()
    }

    fn count_edges<'a>(&'a self, _: &'a Viewer, _: &'a Node) -> Answer<'a, u64> {
        refused()
    }

    fn all_edges<'a>(&'a self, _: &'a Viewer, _: Option<f64>) -> Answer<'a, Vec<Edge>> {
        refused()
    }

    fn edge<'a>(
        &'a self,
        _: &'a Viewer,
        _: &'a Node,
        _: &'a Node,
    ) -> Answer<'a, Option<(Edge, Vec<Observed>)>> {
        refused()
    }

    fn remove_edge<'a>(&'a self, _: &'a Viewer, _: &'a Node, _: &'a Node) -> Answer<'a, ()> {
        refused()
    }

    fn forget_learned<'a>(&'a self, _: &'a Viewer, _: Option<&'a Node>) -> Answer<'a, u64> {
        refused()
    }

    fn changed_edges<'a>(
        &'a self,
        _: &'a Viewer,
        _: u64,
    ) -> Answer<'a, Changed<Edge, (String, String)>> {
        refused()
    }

    fn unlearned<'a>(&'a self, _: &'a Viewer, _: u64) -> Answer<'a, Vec<Trace>> {
        refused()
    }

    fn learn<'a>(
        &'a self,
        _: &'a Viewer,
        _: &'a TraceId,
        _: Vec<Observation>,
    ) -> Answer<'a, Learned> {
        refused()
    }

    fn unrelated<'a>(&'a self, _: &'a Viewer, _: u64) -> Answer<'a, Vec<Fqdn>> {
        refused()
    }

    fn sharing<'a>(&'a self, _: &'a Viewer, _: &'a Fqdn, _: u64) -> Answer<'a, Vec<Sharing>> {
        refused()
    }

    fn relate<'a>(
        &'a self,
        _: &'a Viewer,
        _: &'a Fqdn,
        _: Vec<Observation>,
        _: Timestamp,
    ) -> Answer<'a, Learned> {
        refused()
    }
}
