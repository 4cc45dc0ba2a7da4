//! The store in SQLite: hands everything that is asked to the threads that have the file open.

mod relations;
mod runs;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use capstan_core::code::{
    Capability, CodeHash, DisplayName, Event, Fqdn, OpenTrace, Record, Relaxation, Timestamp,
    Trace, TraceSummary, Use, Visibility,
};
use capstan_core::port::{
    BoxFuture, Changed, CodeSummary, Exported, Filter, Imported, NewCapability, Resolved, Store,
    StoreError, TraceFilter, Viewer,
};
use capstan_core::run::{Noted, RunTurn};
use rusqlite::Connection;
use serde_json::Value;

use crate::fault::{Fault, Outcome};
use crate::job::{Job, Reply, job, lost};
use crate::place::Place;
use crate::pool::Pool;
use crate::process::OwnProcess;
use crate::{capabilities, change, open_traces, reader, tools, traces, writer};

/// One file, which several processes may use at the same time.
///
/// Nothing is opened before it is needed, and no file is made before something is written.
/// When it is dropped, it waits for what was started.
pub struct SqliteStore {
    place: Place,
    writer: Pool,
    readers: Pool,
    /// Something may be under way to the disk.
    has_written: AtomicBool,
    /// After the threads: it is there until everything that was started is done.
    process: Arc<OwnProcess>,
}

impl SqliteStore {
    /// Opens nothing.
    pub fn new(file: PathBuf) -> Self {
        Self::at(Place::File(file))
    }

    /// A store that is gone when it is dropped.
    pub fn in_memory() -> Self {
        Self::at(Place::Memory)
    }

    fn at(place: Place) -> Self {
        Self {
            writer: Pool::new(place.clone(), 1, writer::run),
            readers: Pool::new(place.clone(), reader::MOST, reader::run),
            has_written: AtomicBool::new(false),
            process: Arc::new(OwnProcess::new(place.clone())),
            place,
        }
    }

    fn write<T: Send + 'static>(
        &self,
        work: impl FnMut(&Connection) -> Outcome<T> + Send + 'static,
    ) -> Answer<'_, T> {
        self.has_written.store(true, Ordering::Relaxed);
        let (job, reply) = job(work, None);
        hand_in(&self.writer, job, reply)
    }

    /// Sees everything that was started before, whether or not its answer was waited for.
    fn read_after_writes<T: Send + 'static>(
        &self,
        nothing: Outcome<T>,
        work: impl FnMut(&Connection) -> Outcome<T> + Send + 'static,
    ) -> Answer<'_, T> {
        // Whoever wrote nothing must not make the file either.
        if !self.has_written.load(Ordering::Relaxed) {
            return self.read(nothing, work);
        }
        let (job, reply) = job(work, Some(nothing));
        hand_in(&self.writer, job, reply)
    }

    /// `nothing` is the answer while there is no file.
    fn read<T: Send + 'static>(
        &self,
        nothing: Outcome<T>,
        work: impl FnMut(&Connection) -> Outcome<T> + Send + 'static,
    ) -> Answer<'_, T> {
        let (job, reply) = job(work, Some(nothing));
        let pool = match self.place {
            Place::File(_) => &self.readers,
            // What is in memory is seen by one connection only.
            Place::Memory => &self.writer,
        };
        hand_in(pool, job, reply)
    }
}

impl std::fmt::Debug for SqliteStore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("SqliteStore").field(&self.place).finish()
    }
}

type Answer<'a, T> = BoxFuture<'a, Result<T, StoreError>>;

/// Starts at once, whether or not the answer is waited for.
fn hand_in<'a, T: Send + 'static>(
    pool: &Pool,
    job: Box<dyn Job>,
    reply: Reply<T>,
) -> Answer<'a, T> {
    let handed_in = pool.submit(job);
    Box::pin(async move {
        handed_in?;
        reply.await.unwrap_or_else(|_| Err(lost()))
    })
}

impl Store for SqliteStore {
    fn register(&self, new: NewCapability) -> Answer<'_, Capability> {
        self.write(move |connection| capabilities::register(connection, &new))
    }

    fn record_use<'a>(&'a self, fqdn: &'a Fqdn, used: Use) -> Answer<'a, ()> {
        let fqdn = fqdn.clone();
        self.write(move |connection| capabilities::record_use(connection, &fqdn, &used))
    }

    fn record_use_of_code<'a>(
        &'a self,
        viewer: &'a Viewer,
        hash: &'a CodeHash,
        used: Use,
    ) -> Answer<'a, Option<Capability>> {
        let (viewer, hash) = (viewer.clone(), hash.clone());
        self.write(move |connection| {
            capabilities::record_use_of_code(connection, &viewer, &hash, &used)
        })
    }

    fn relax_parameters<'a>(&'a self, fqdn: &'a Fqdn, by: Relaxation) -> Answer<'a, ()> {
        let fqdn = fqdn.clone();
        self.write(move |connection| capabilities::relax_parameters(connection, &fqdn, &by))
    }

    fn resolve<'a>(&'a self, viewer: &'a Viewer, name: &'a str) -> Answer<'a, Resolved> {
        let (viewer, name) = (viewer.clone(), name.to_owned());
        self.read(Ok(Resolved::Nothing), move |connection| {
            capabilities::resolve(connection, &viewer, &name)
        })
    }

    fn list<'a>(&'a self, viewer: &'a Viewer, filter: &'a Filter) -> Answer<'a, Vec<Capability>> {
        let (viewer, filter) = (viewer.clone(), filter.clone());
        self.read(Ok(Vec::new()), move |connection| {
            capabilities::list(connection, &viewer, &filter)
        })
    }

    fn summaries<'a>(
        &'a self,
        viewer: &'a Viewer,
        filter: &'a Filter,
    ) -> Answer<'a, Vec<CodeSummary>> {
        let (viewer, filter) = (viewer.clone(), filter.clone());
        self.read(Ok(Vec::new()), move |connection| {
            capabilities::summaries(connection, &viewer, &filter)
        })
    }

    fn changed_code<'a>(
        &'a self,
        viewer: &'a Viewer,
        since: u64,
    ) -> Answer<'a, Changed<CodeSummary, Fqdn>> {
        let viewer = viewer.clone();
        self.read(Ok(unchanged()), move |connection| {
            capabilities::changed(connection, &viewer, since)
        })
    }

    fn identity(&self) -> Answer<'_, Option<String>> {
        self.read(Ok(None), |connection| {
            change::identity(connection).map(Some)
        })
    }

    fn rename<'a>(
        &'a self,
        fqdn: &'a Fqdn,
        name: &'a DisplayName,
        at: Timestamp,
    ) -> Answer<'a, Record> {
        let (fqdn, name) = (fqdn.clone(), name.clone());
        self.write(move |connection| capabilities::rename(connection, &fqdn, &name, at))
    }

    fn add_alias<'a>(
        &'a self,
        fqdn: &'a Fqdn,
        alias: &'a DisplayName,
        at: Timestamp,
    ) -> Answer<'a, Record> {
        let (fqdn, alias) = (fqdn.clone(), alias.clone());
        self.write(move |connection| capabilities::add_alias(connection, &fqdn, &alias, at))
    }

    fn set_visibility<'a>(
        &'a self,
        fqdn: &'a Fqdn,
        visibility: Visibility,
        at: Timestamp,
    ) -> Answer<'a, Record> {
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
    ) -> Answer<'a, Capability> {
        let (from, into) = (from.clone(), into.clone());
        self.write(move |connection| capabilities::merge(connection, &from, &into, at))
    }

    fn delete<'a>(&'a self, fqdn: &'a Fqdn) -> Answer<'a, ()> {
        let fqdn = fqdn.clone();
        self.write(move |connection| capabilities::delete(connection, &fqdn))
    }

    fn history<'a>(&'a self, fqdn: &'a Fqdn) -> Answer<'a, Vec<Event>> {
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
    ) -> Answer<'a, Vec<Imported>> {
        let viewer = viewer.clone();
        self.write(move |connection| capabilities::import(connection, &viewer, &items, at))
    }

    fn add_trace<'a>(&'a self, viewer: &'a Viewer, trace: Trace) -> Answer<'a, ()> {
        let viewer = viewer.clone();
        self.write(move |connection| traces::add(connection, &viewer, &trace))
    }

    fn record_execution<'a>(
        &'a self,
        viewer: &'a Viewer,
        open: OpenTrace,
        turn: Option<RunTurn>,
    ) -> Answer<'a, Noted> {
        let (viewer, process) = (viewer.clone(), Arc::clone(&self.process));
        self.write(move |connection| {
            open_traces::record(connection, &viewer, &open, turn.as_ref(), &process)
        })
    }

    fn traces<'a>(
        &'a self,
        viewer: &'a Viewer,
        filter: &'a TraceFilter,
    ) -> Answer<'a, Vec<TraceSummary>> {
        let (viewer, filter) = (viewer.clone(), filter.clone());
        let process = Arc::clone(&self.process);
        self.read(Ok(Vec::new()), move |connection| {
            let mut all = traces::list(connection, &viewer, &filter)?;
            let open = open_traces::list(connection, &viewer, &filter, &process)?;
            if !open.is_empty() {
                all.extend(open);
                all.sort_by(|one, other| other.id.cmp(&one.id));
                all.truncate(filter.limit.map_or(usize::MAX, |most| most as usize));
            }
            Ok(all)
        })
    }

    fn trace<'a>(&'a self, viewer: &'a Viewer, id: &'a str) -> Answer<'a, Option<Trace>> {
        let (viewer, id) = (viewer.clone(), id.to_owned());
        let process = Arc::clone(&self.process);
        self.read(Ok(None), move |connection| {
            match traces::get(connection, &viewer, &id)? {
                Some(trace) => Ok(Some(trace)),
                None => open_traces::get(connection, &viewer, &id, &process),
            }
        })
    }

    fn prune_traces<'a>(&'a self, viewer: &'a Viewer, keep: u64) -> Answer<'a, u64> {
        let (viewer, process) = (viewer.clone(), Arc::clone(&self.process));
        self.write(move |connection| {
            let mut forgotten = traces::prune(connection, &viewer, keep)?;
            forgotten += open_traces::prune(connection, &viewer, keep, &process)?;
            crate::runs::prune(connection, &viewer, keep)?;
            Ok(forgotten)
        })
    }

    fn known_tools<'a>(
        &'a self,
        server: &'a str,
        configuration: &'a str,
    ) -> Answer<'a, Option<Value>> {
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
    ) -> Answer<'a, ()> {
        let (server, configuration) = (server.to_owned(), configuration.to_owned());
        self.write(move |connection| {
            tools::remember_tools(connection, &server, &configuration, &tools, at)
        })
    }
}

/// What is told while there is no file.
fn unchanged<T, Key>() -> Changed<T, Key> {
    Changed {
        now: 0,
        there: Vec::new(),
        gone: Vec::new(),
    }
}
