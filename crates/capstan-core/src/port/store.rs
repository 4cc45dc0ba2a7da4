//! The port to the store: capabilities made of code, their names and statistics, and traces.
//!
//! A method that changes something starts when it is called, whether or not its answer is awaited,
//! and answers when the change would survive the end of the process. Dropping the store waits for
//! what was started.

use serde_json::Value;

use super::{BoxFuture, Relations, Runs};
use crate::code::{
    Capability, CodeHash, DisplayName, Event, Fqdn, OpenTrace, Record, Relaxation, Scope,
    Timestamp, Trace, TraceId, TraceSummary, Use, Visibility,
};
use crate::run::{Noted, RunTurn};

type Answer<'a, T> = BoxFuture<'a, Result<T, StoreError>>;

pub trait Store: Runs + Relations + Send + Sync {
    /// Stores code that ran successfully: a new record the first time, and a use afterwards.
    /// Simultaneous calls create one record. Code is known if the viewer sees it in their own
    /// scope: their own record, or else the oldest. Records that are private to others do not exist
    /// for the viewer. The trace is stored with the record.
    fn register(&self, new: NewCapability) -> Answer<'_, Capability>;

    /// Counts a use.
    fn record_use<'a>(&'a self, fqdn: &'a Fqdn, used: Use) -> Answer<'a, ()>;

    /// Counts a use of this exact code if it is known, in the sense of `register`. Returns its
    /// record.
    fn record_use_of_code<'a>(
        &'a self,
        viewer: &'a Viewer,
        hash: &'a CodeHash,
        used: Use,
    ) -> Answer<'a, Option<Capability>>;

    /// Relaxes the parameters of code by what a successful run refuted. Simultaneous calls lose
    /// nothing.
    fn relax_parameters<'a>(&'a self, fqdn: &'a Fqdn, by: Relaxation) -> Answer<'a, ()>;

    /// Returns what a name means to a viewer: an id, a FQDN (complete, or without its hash), a name
    /// or an alias. The viewer's own project comes before its organisation, and that before public
    /// code; at the same distance, a name comes before an alias.
    fn resolve<'a>(&'a self, viewer: &'a Viewer, name: &'a str) -> Answer<'a, Resolved>;

    /// Returns what a viewer may see, in the order of the display names.
    fn list<'a>(
        &'a self,
        viewer: &'a Viewer,
        filter: &'a CodeFilter,
    ) -> Answer<'a, Vec<Capability>>;

    /// Returns the same without the long fields.
    fn summaries<'a>(
        &'a self,
        viewer: &'a Viewer,
        filter: &'a CodeFilter,
    ) -> Answer<'a, Vec<CodeSummary>>;

    /// Returns the changes of code since the last call, as far as the viewer may see them. `since`
    /// comes from the last answer; zero means everything.
    fn changed_code<'a>(
        &'a self,
        viewer: &'a Viewer,
        since: u64,
    ) -> Answer<'a, Changed<CodeSummary, Fqdn>>;

    /// Returns an identity that differs from all other stores, even from one that is later created
    /// in the same place. `None` while there is no store.
    fn identity(&self) -> Answer<'_, Option<String>>;

    /// Changes the display name; the old one stays as an alias. A name that another record of the
    /// scope has, as a display name or an alias, is a conflict. An alias of the same record becomes
    /// its name.
    fn rename<'a>(
        &'a self,
        fqdn: &'a Fqdn,
        name: &'a DisplayName,
        at: Timestamp,
    ) -> Answer<'a, Record>;

    /// Adds another name, under the same rule. An existing one changes nothing.
    fn add_alias<'a>(
        &'a self,
        fqdn: &'a Fqdn,
        alias: &'a DisplayName,
        at: Timestamp,
    ) -> Answer<'a, Record>;

    fn set_visibility<'a>(
        &'a self,
        fqdn: &'a Fqdn,
        visibility: Visibility,
        at: Timestamp,
    ) -> Answer<'a, Record>;

    /// Merges two records of one scope with the same calls: statistics are summed, the names of the
    /// first become aliases of the second, its edges move (an edge between the two is dropped,
    /// duplicates are summed), and the first is deleted.
    fn merge<'a>(&'a self, from: &'a Fqdn, into: &'a Fqdn, at: Timestamp)
    -> Answer<'a, Capability>;

    /// Deletes a record with its pattern and its edges.
    fn delete<'a>(&'a self, fqdn: &'a Fqdn) -> Answer<'a, ()>;

    /// Returns the history of a record, oldest first.
    fn history<'a>(&'a self, fqdn: &'a Fqdn) -> Answer<'a, Vec<Event>>;

    /// Imports capabilities into a viewer's scope, all or none. Code that is known, in the sense of
    /// `register`, keeps its record; a name that is taken is a conflict.
    fn import<'a>(
        &'a self,
        viewer: &'a Viewer,
        items: Vec<Exported>,
        at: Timestamp,
    ) -> Answer<'a, Vec<Imported>>;

    /// Records the state of an execution before one of its writes is sent. An acknowledged record
    /// survives the end of the process, however that ends. `turn` is that of the run to which the
    /// write belongs, if any: if it is over, nothing is recorded, and the write must not be sent.
    ///
    /// The record is shown as a trace until `add_trace` or `register` stores the complete one under
    /// the same id. It teaches nothing, and is not part of any statistics.
    fn record_execution<'a>(
        &'a self,
        viewer: &'a Viewer,
        open: OpenTrace,
        turn: Option<RunTurn>,
    ) -> Answer<'a, Noted>;

    /// Stores the trace of an execution. Only the viewer sees it, and only in the same scope.
    fn add_trace<'a>(&'a self, viewer: &'a Viewer, trace: Trace) -> Answer<'a, ()>;

    /// Like `add_trace`, but may store the trace a moment later, together with others, and reports no
    /// failure. A process that is killed may lose it. Later calls of this store see it in any case.
    /// `is_learned` is whether nothing is to be learned from it any more.
    fn add_trace_later(&self, viewer: &Viewer, trace: Trace, is_learned: bool);

    /// Returns the viewer's own traces, newest first.
    fn traces<'a>(
        &'a self,
        viewer: &'a Viewer,
        filter: &'a TraceFilter,
    ) -> Answer<'a, Vec<TraceSummary>>;

    /// Returns one of the viewer's own traces by its id or an unambiguous prefix.
    fn trace<'a>(&'a self, viewer: &'a Viewer, id: &'a str) -> Answer<'a, Option<Trace>>;

    /// Deletes all but the newest of the viewer's own traces, and of their finished runs. Returns
    /// the number of deleted traces.
    fn prune_traces<'a>(&'a self, viewer: &'a Viewer, keep: u64) -> Answer<'a, u64>;

    /// Returns the tools of a downstream server as they were last seen. `configuration` is how it
    /// was started: with another one, the stored tools are stale.
    fn known_tools<'a>(
        &'a self,
        server: &'a str,
        configuration: &'a str,
    ) -> Answer<'a, Option<Value>>;

    fn remember_tools<'a>(
        &'a self,
        server: &'a str,
        configuration: &'a str,
        tools: Value,
        at: Timestamp,
    ) -> Answer<'a, ()>;
}

/// The user of a request, and the scope. They determine what is visible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Viewer {
    pub scope: Scope,
    pub user: String,
}

impl Viewer {
    /// Returns whether a record is visible.
    pub fn sees(&self, record: &Record) -> bool {
        let (own, its) = (&self.scope, &record.scope);
        match record.visibility {
            Visibility::Public => true,
            Visibility::Org => own.org == its.org,
            Visibility::Project => own == its,
            Visibility::Private => own == its && self.user == record.owner,
        }
    }
}

/// Code that ran successfully.
#[derive(Clone, Debug, PartialEq)]
pub struct NewCapability {
    /// The owner and the scope.
    pub by: Viewer,
    pub hash: CodeHash,
    pub code: String,
    /// The purpose, in the author's words.
    pub intent: String,
    pub namespace: String,
    pub parameters: Value,
    /// The capabilities that it calls, in the order of the code.
    pub calls: Vec<String>,
    pub used: Use,
    pub trace: Option<Trace>,
}

/// The fields of a capability that a list or a search shows.
#[derive(Clone, Debug, PartialEq)]
pub struct CodeSummary {
    pub record: Record,
    pub intent: String,
    /// The names of its `args`.
    pub parameters: Vec<String>,
    /// The capabilities that it calls, in the order of the code.
    pub calls: Vec<String>,
}

/// The changes since an earlier moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Changed<T, Key> {
    /// The value of `since` for the next call.
    pub now: u64,
    /// Entries that are new or changed.
    pub there: Vec<T>,
    /// Entries that are gone or no longer visible. They may never have been visible.
    pub gone: Vec<Key>,
}

/// The meaning of a name.
#[derive(Clone, Debug, PartialEq)]
pub enum Resolved {
    Found(Box<Capability>, Via),
    /// Several that the viewer sees, none nearer than the others.
    Several(Alternatives),
    Nothing,
}

pub type Alternatives = Vec<Fqdn>;

/// How it was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Via {
    Name,
    /// By an alias, which is deprecated.
    Alias(String),
    Fqdn,
    Id,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct CodeFilter {
    /// A pattern with `*` and `?` for display name, aliases and FQDN.
    pub glob: Option<String>,
    pub namespace: Option<String>,
    pub visibility: Option<Visibility>,
    /// Only those that call this capability.
    pub calls: Option<String>,
    /// Only those with a name (`true`) or without one (`false`).
    pub named: Option<bool>,
    pub limit: Option<u64>,
    pub offset: u64,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct TraceFilter {
    /// A capability that the trace ran or called.
    pub capability: Option<String>,
    pub ok: Option<bool>,
    pub limit: Option<u64>,
    /// Only traces older than this one.
    pub before: Option<TraceId>,
}

/// A capability in transfer between stores.
#[derive(Clone, Debug, PartialEq)]
pub struct Exported {
    pub name: DisplayName,
    pub aliases: Vec<DisplayName>,
    pub namespace: String,
    pub visibility: Visibility,
    pub hash: CodeHash,
    pub code: String,
    pub intent: String,
    pub parameters: Value,
    pub calls: Vec<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Imported {
    pub fqdn: Fqdn,
    pub name: DisplayName,
    /// Whether it was there before.
    pub known: bool,
}

#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StoreError {
    #[error("Capability name '{name}' already exists in scope {scope}")]
    NameTaken { name: String, scope: Scope },
    /// The named capability is gone, or never existed.
    #[error("Capability not found: {0}")]
    NotFound(String),
    /// The request makes no sense; the text says why.
    #[error("{0}")]
    Refused(String),
    /// The store itself does not work; the text says what to do.
    #[error("the store cannot be used: {0}")]
    Broken(String),
}
