//! The SQLite store: passes every request to the threads that have the file open.

mod relations;
mod runs;

use std::path::PathBuf;
use std::sync::Arc;

use capstan_core::code::{
    Capability, CodeHash, DisplayName, Event, Fqdn, OpenTrace, Record, Relaxation, Timestamp,
    Trace, TraceSummary, Use, Visibility,
};
use capstan_core::port::{
    BoxFuture, Changed, CodeFilter, CodeSummary, Exported, Imported, NewCapability, Resolved,
    Store, StoreError, TraceFilter, Viewer,
};
use capstan_core::run::{Noted, RunTurn};
use rusqlite::Connection;
use serde_json::Value;

use crate::fault::{Fault, StoreResult};
use crate::job::{Job, Reply, new_job, thread_stopped};
use crate::location::Location;
use crate::pool::Pool;
use crate::process::OwnProcess;
use crate::{capabilities, changes, open_traces, reader, tools, traces, writer};

/// A store in one file, which several processes may use at the same time.
///
/// Nothing is opened before it is needed, and no file is created before something is written.
/// Dropping the store waits for every operation that was started.
pub struct SqliteStore {
    location: Location,
    writer: Pool,
    readers: Pool,
    /// Declared after the pools: the process lock is held until everything that was started is
    /// done.
    process: Arc<OwnProcess>,
}

impl SqliteStore {
    /// Creates the store without opening anything.
    pub fn new(file: PathBuf) -> Self {
        Self::with_location(Location::File(file))
    }

    /// Creates a store whose content is lost when it is dropped.
    pub fn in_memory() -> Self {
        Self::with_location(Location::Memory)
    }

    fn with_location(location: Location) -> Self {
        Self {
            writer: Pool::new(location.clone(), 1, writer::run),
            readers: Pool::new(location.clone(), reader::MAX_READERS, reader::run),
            process: Arc::new(OwnProcess::new(location.clone())),
            location,
        }
    }

    fn write<T: Send + 'static>(
        &self,
        work: impl FnMut(&Connection) -> StoreResult<T> + Send + 'static,
    ) -> StoreFuture<'_, T> {
        let (job, reply) = new_job(work, None);
        submit(&self.writer, job, reply)
    }

    /// Reads after all writes that were started before, whether or not anyone awaited them.
    fn read_after_writes<T: Send + 'static>(
        &self,
        if_missing: StoreResult<T>,
        work: impl FnMut(&Connection) -> StoreResult<T> + Send + 'static,
    ) -> StoreFuture<'_, T> {
        if !self.writer.is_busy() {
            return self.read(if_missing, work);
        }
        let (job, reply) = new_job(work, Some(if_missing));
        submit(&self.writer, job, reply)
    }

    /// Runs a read. `if_missing` is the answer while there is no file.
    fn read<T: Send + 'static>(
        &self,
        if_missing: StoreResult<T>,
        work: impl FnMut(&Connection) -> StoreResult<T> + Send + 'static,
    ) -> StoreFuture<'_, T> {
        let (job, reply) = new_job(work, Some(if_missing));
        let pool = match self.location {
            Location::File(_) => &self.readers,
            // Only one connection sees a database in memory.
            Location::Memory => &self.writer,
        };
        submit(pool, job, reply)
    }
}

impl std::fmt::Debug for SqliteStore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("SqliteStore").field(&self.location).finish()
    }
}

type StoreFuture<'a, T> = BoxFuture<'a, Result<T, StoreError>>;

/// Submits the job at once, whether or not the returned future is awaited.
fn submit<'a, T: Send + 'static>(
    pool: &Pool,
    job: Box<dyn Job>,
    reply: Reply<T>,
) -> StoreFuture<'a, T> {
    let submitted = pool.submit(job);
    Box::pin(async move {
        submitted?;
        reply.await.unwrap_or_else(|_| Err(thread_stopped()))
    })
}

impl Store for SqliteStore {
    fn register(&self, new: NewCapability) -> StoreFuture<'_, Capability> {
        self.write(move |connection| capabilities::register(connection, &new))
    }

    fn record_use<'a>(&'a self, fqdn: &'a Fqdn, used: Use) -> StoreFuture<'a, ()> {
        let fqdn = fqdn.clone();
        self.write(move |connection| capabilities::record_use(connection, &fqdn, &used))
    }

    fn record_use_of_code<'a>(
        &'a self,
        viewer: &'a Viewer,
        hash: &'a CodeHash,
        used: Use,
    ) -> StoreFuture<'a, Option<Capability>> {
        let (viewer, hash) = (viewer.clone(), hash.clone());
        self.write(move |connection| {
            capabilities::record_use_of_code(connection, &viewer, &hash, &used)
        })
    }

    fn relax_parameters<'a>(&'a self, fqdn: &'a Fqdn, by: Relaxation) -> StoreFuture<'a, ()> {
        let fqdn = fqdn.clone();
        self.write(move |connection| capabilities::relax_parameters(connection, &fqdn, &by))
    }

    fn resolve<'a>(&'a self, viewer: &'a Viewer, name: &'a str) -> StoreFuture<'a, Resolved> {
        let (viewer, name) = (viewer.clone(), name.to_owned());
        self.read(Ok(Resolved::Nothing), move |connection| {
            capabilities::resolve(connection, &viewer, &name)
        })
    }

    fn list<'a>(
        &'a self,
        viewer: &'a Viewer,
        filter: &'a CodeFilter,
    ) -> StoreFuture<'a, Vec<Capability>> {
        let (viewer, filter) = (viewer.clone(), filter.clone());
        self.read(Ok(Vec::new()), move |connection| {
            capabilities::list(connection, &viewer, &filter)
        })
    }

    fn summaries<'a>(
        &'a self,
        viewer: &'a Viewer,
        filter: &'a CodeFilter,
    ) -> StoreFuture<'a, Vec<CodeSummary>> {
        let (viewer, filter) = (viewer.clone(), filter.clone());
        self.read(Ok(Vec::new()), move |connection| {
            capabilities::summaries(connection, &viewer, &filter)
        })
    }

    fn changed_code<'a>(
        &'a self,
        viewer: &'a Viewer,
        since: u64,
    ) -> StoreFuture<'a, Changed<CodeSummary, Fqdn>> {
        let viewer = viewer.clone();
        self.read(Ok(unchanged()), move |connection| {
            capabilities::changed(connection, &viewer, since)
        })
    }

    fn identity(&self) -> StoreFuture<'_, Option<String>> {
        self.read(Ok(None), |connection| {
            changes::store_identity(connection).map(Some)
        })
    }

    fn rename<'a>(
        &'a self,
        fqdn: &'a Fqdn,
        name: &'a DisplayName,
        at: Timestamp,
    ) -> StoreFuture<'a, Record> {
        let (fqdn, name) = (fqdn.clone(), name.clone());
        self.write(move |connection| capabilities::rename(connection, &fqdn, &name, at))
    }

    fn add_alias<'a>(
        &'a self,
        fqdn: &'a Fqdn,
        alias: &'a DisplayName,
        at: Timestamp,
    ) -> StoreFuture<'a, Record> {
        let (fqdn, alias) = (fqdn.clone(), alias.clone());
        self.write(move |connection| capabilities::add_alias(connection, &fqdn, &alias, at))
    }

    fn set_visibility<'a>(
        &'a self,
        fqdn: &'a Fqdn,
        visibility: Visibility,
        at: Timestamp,
    ) -> StoreFuture<'a, Record> {
        let fqdn = fqdn.clone();
        self.write(move |connection| {
            capabilities::set_visibility(connection, &fqdn, visibility, at)
        })
    }

    fn merge<'a>(
        &'a self,
        from: &'a Fqdn,
        into: &'a Fqdn,
        at: Timestamp,
    ) -> StoreFuture<'a, Capability> {
        let (from, into) = (from.clone(), into.clone());
        self.write(move |connection| capabilities::merge(connection, &from, &into, at))
    }

    fn delete<'a>(&'a self, fqdn: &'a Fqdn) -> StoreFuture<'a, ()> {
        let fqdn = fqdn.clone();
        self.write(move |connection| capabilities::delete(connection, &fqdn))
    }

    fn history<'a>(&'a self, fqdn: &'a Fqdn) -> StoreFuture<'a, Vec<Event>> {
        let fqdn = fqdn.clone();
        self.read(Err(Fault::not_found(fqdn.as_str())), move |connection| {
            capabilities::history(connection, &fqdn)
        })
    }

    fn import<'a>(
        &'a self,
        viewer: &'a Viewer,
        items: Vec<Exported>,
        at: Timestamp,
    ) -> StoreFuture<'a, Vec<Imported>> {
        let viewer = viewer.clone();
        self.write(move |connection| capabilities::import(connection, &viewer, &items, at))
    }

    fn add_trace<'a>(&'a self, viewer: &'a Viewer, trace: Trace) -> StoreFuture<'a, ()> {
        let viewer = viewer.clone();
        self.write(move |connection| traces::add(connection, &viewer, &trace, false))
    }

    fn add_trace_later(&self, viewer: &Viewer, trace: Trace, is_learned: bool) {
        let viewer = viewer.clone();
        let work =
            move |connection: &Connection| traces::add(connection, &viewer, &trace, is_learned);
        let (job, _) = new_job(work, None);
        // Nobody waits for the trace, so nobody learns that it was not stored.
        let _ = self.writer.submit_deferred(job);
    }

    fn record_execution<'a>(
        &'a self,
        viewer: &'a Viewer,
        open: OpenTrace,
        turn: Option<RunTurn>,
    ) -> StoreFuture<'a, Noted> {
        let (viewer, process) = (viewer.clone(), Arc::clone(&self.process));
        self.write(move |connection| {
            open_traces::record(connection, &viewer, &open, turn.as_ref(), &process)
        })
    }

    fn traces<'a>(
        &'a self,
        viewer: &'a Viewer,
        filter: &'a TraceFilter,
    ) -> StoreFuture<'a, Vec<TraceSummary>> {
        let (viewer, filter) = (viewer.clone(), filter.clone());
        let process = Arc::clone(&self.process);
        self.read_after_writes(Ok(Vec::new()), move |connection| {
            let mut all = traces::list(connection, &viewer, &filter)?;
            let open = open_traces::list(connection, &viewer, &filter, &process)?;
            if !open.is_empty() {
                all.extend(open);
                all.sort_by(|one, other| other.id.cmp(&one.id));
                all.truncate(filter.limit.map_or(usize::MAX, |limit| limit as usize));
            }
            Ok(all)
        })
    }

    fn trace<'a>(&'a self, viewer: &'a Viewer, id: &'a str) -> StoreFuture<'a, Option<Trace>> {
        let (viewer, id) = (viewer.clone(), id.to_owned());
        let process = Arc::clone(&self.process);
        self.read_after_writes(Ok(None), move |connection| {
            match traces::get(connection, &viewer, &id)? {
                Some(trace) => Ok(Some(trace)),
                None => open_traces::get(connection, &viewer, &id, &process),
            }
        })
    }

    fn prune_traces<'a>(&'a self, viewer: &'a Viewer, keep: u64) -> StoreFuture<'a, u64> {
        let (viewer, process) = (viewer.clone(), Arc::clone(&self.process));
        self.write(move |connection| {
            let mut deleted = traces::prune(connection, &viewer, keep)?;
            deleted += open_traces::prune(connection, &viewer, keep, &process)?;
            crate::runs::prune(connection, &viewer, keep)?;
            Ok(deleted)
        })
    }

    fn known_tools<'a>(
        &'a self,
        server: &'a str,
        configuration: &'a str,
    ) -> StoreFuture<'a, Option<Value>> {
        let (server, configuration) = (server.to_owned(), configuration.to_owned());
        self.read(Ok(None), move |connection| {
            tools::known_tools(connection, &server, &configuration)
        })
    }

    fn remember_tools<'a>(
        &'a self,
        server: &'a str,
        configuration: &'a str,
        tools: Value,
        at: Timestamp,
    ) -> StoreFuture<'a, ()> {
        let (server, configuration) = (server.to_owned(), configuration.to_owned());
        self.write(move |connection| {
            tools::remember_tools(connection, &server, &configuration, &tools, at)
        })
    }
}

/// The answer while there is no file.
fn unchanged<T, Key>() -> Changed<T, Key> {
    Changed {
        now: 0,
        there: Vec::new(),
        gone: Vec::new(),
    }
}
