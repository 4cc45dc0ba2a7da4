//! The port to what is remembered: capabilities made of code, their names and statistics, traces.
//!
//! A method that changes something starts when it is called, whether or not its answer is waited
//! for, and answers when the change would survive the end of the process. Dropping the store waits
//! for what was started.

use serde_json::Value;

use super::{BoxFuture, Relations, Runs};
use crate::code::{
    Capability, CodeHash, DisplayName, Event, Fqdn, OpenTrace, Record, Relaxation, Scope,
    Timestamp, Trace, TraceId, TraceSummary, Use, Visibility,
};
use crate::run::{Noted, RunTurn};

type Answer<'a, T> = BoxFuture<'a, Result<T, StoreError>>;

pub trait Store: Runs + Relations + Send + Sync {
    /// Remembers code that ran with success: the first time by a new record, afterwards by counting.
    /// However many do it at once, there is one. Code is known that the viewer sees in the own scope:
    /// the own record of it, else the oldest; what is private to others does not exist. The trace is
    /// kept as that of the record.
    fn register(&self, new: NewCapability) -> Answer<'_, Capability>;

    /// Counts a use.
    fn record_use<'a>(&'a self, fqdn: &'a Fqdn, used: Use) -> Answer<'a, ()>;

    /// Counts a use of this very code if it is known, in the sense of `register`; says as what.
    fn record_use_of_code<'a>(
        &'a self,
        viewer: &'a Viewer,
        hash: &'a CodeHash,
        used: Use,
    ) -> Answer<'a, Option<Capability>>;

    /// Relaxes the parameters of code by what a good run refuted of them. However many do it at once,
    /// nothing of it is lost.
    fn relax_parameters<'a>(&'a self, fqdn: &'a Fqdn, by: Relaxation) -> Answer<'a, ()>;

    /// What a name means to somebody: an id, a FQDN (whole, or without its hash), a name or an
    /// alias. What is of the viewer's own project comes before what is of its organisation, before
    /// what is public; of equally near ones a name comes before an alias.
    fn resolve<'a>(&'a self, viewer: &'a Viewer, name: &'a str) -> Answer<'a, Resolved>;

    /// What somebody may see, in the order of the display names.
    fn list<'a>(&'a self, viewer: &'a Viewer, filter: &'a Filter) -> Answer<'a, Vec<Capability>>;

    /// The same, without what is long.
    fn summaries<'a>(
        &'a self,
        viewer: &'a Viewer,
        filter: &'a Filter,
    ) -> Answer<'a, Vec<CodeSummary>>;

    /// What became of code since somebody last asked, as far as they may see it. `since` is what the
    /// last answer said, zero for everything.
    fn changed_code<'a>(
        &'a self,
        viewer: &'a Viewer,
        since: u64,
    ) -> Answer<'a, Changed<CodeSummary, Fqdn>>;

    /// What tells this store from all others, also from one that was later made in the same place.
    /// Nothing while there is none.
    fn identity(&self) -> Answer<'_, Option<String>>;

    /// Changes the display name; the old one stays as an alias. A name of the scope that is taken,
    /// by a display name or by an alias of another record, is a conflict. An alias of the record's
    /// own becomes its name.
    fn rename<'a>(
        &'a self,
        fqdn: &'a Fqdn,
        name: &'a DisplayName,
        at: Timestamp,
    ) -> Answer<'a, Record>;

    /// Adds another name, under the same rule. One that it has already changes nothing.
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

    /// Joins two records of one scope that call the same things: statistics are summed, the names
    /// of the first become aliases of the second, edges move with it (an edge between the two is
    /// dropped, doubled ones are summed), and the first is gone.
    fn merge<'a>(&'a self, from: &'a Fqdn, into: &'a Fqdn, at: Timestamp)
    -> Answer<'a, Capability>;

    /// Forgets a record, with its pattern and its edges.
    fn delete<'a>(&'a self, fqdn: &'a Fqdn) -> Answer<'a, ()>;

    /// What happened to a record, oldest first.
    fn history<'a>(&'a self, fqdn: &'a Fqdn) -> Answer<'a, Vec<Event>>;

    /// Takes over capabilities from elsewhere into somebody's scope, all or none. Code that is known,
    /// in the sense of `register`, keeps its record; a name that is taken is a conflict.
    fn import<'a>(
        &'a self,
        viewer: &'a Viewer,
        items: Vec<Exported>,
        at: Timestamp,
    ) -> Answer<'a, Vec<Imported>>;

    /// Records how far an execution is, before a write of it leaves: what is answered survives the end
    /// of the process, however that ends. `turn` is that of the run that the write belongs to, if any:
    /// where it is over, nothing is recorded, and the write must not leave.
    ///
    /// What was recorded is shown as a trace until `add_trace` or `register` keep the whole one under the
    /// same id. Nothing is learned from it, and it is in no statistics.
    fn record_execution<'a>(
        &'a self,
        viewer: &'a Viewer,
        open: OpenTrace,
        turn: Option<RunTurn>,
    ) -> Answer<'a, Noted>;

    /// Keeps what somebody executed. Nobody else sees it, and they see it in the same scope only.
    fn add_trace<'a>(&'a self, viewer: &'a Viewer, trace: Trace) -> Answer<'a, ()>;

    /// Somebody's own, newest first.
    fn traces<'a>(
        &'a self,
        viewer: &'a Viewer,
        filter: &'a TraceFilter,
    ) -> Answer<'a, Vec<TraceSummary>>;

    /// One of somebody's own by its id, or by an unambiguous beginning of it.
    fn trace<'a>(&'a self, viewer: &'a Viewer, id: &'a str) -> Answer<'a, Option<Trace>>;

    /// Forgets all but the newest of somebody's own; likewise of the runs that are over. Says how many
    /// traces it were.
    fn prune_traces<'a>(&'a self, viewer: &'a Viewer, keep: u64) -> Answer<'a, u64>;

    /// The tools of a downstream server as they were last seen. `configuration` is what it was
    /// started with: another one makes what is known stale.
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

/// Who asks. What they see depends on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Viewer {
    pub scope: Scope,
    pub user: String,
}

impl Viewer {
    /// Whether a record may be seen.
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

/// Code that ran with success.
#[derive(Clone, Debug, PartialEq)]
pub struct NewCapability {
    /// Whose it is, and in which scope.
    pub by: Viewer,
    pub hash: CodeHash,
    pub code: String,
    /// What it was written for, in the words of whoever wrote it.
    pub intent: String,
    pub namespace: String,
    pub parameters: Value,
    /// The capabilities that it calls, in the order in which they stand in it.
    pub calls: Vec<String>,
    pub used: Use,
    pub trace: Option<Trace>,
}

/// What a list or a search shows of a capability.
#[derive(Clone, Debug, PartialEq)]
pub struct CodeSummary {
    pub record: Record,
    pub intent: String,
    /// What its `args` are called.
    pub parameters: Vec<String>,
    /// What it calls, in the order in which it stands in it.
    pub calls: Vec<String>,
}

/// What is different since an earlier moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Changed<T, Key> {
    /// To ask with the next time.
    pub now: u64,
    /// New, or not as it was.
    pub there: Vec<T>,
    /// No more there, or not to be seen any more. It may never have been seen.
    pub gone: Vec<Key>,
}

/// What a name turned out to be.
#[derive(Clone, Debug, PartialEq)]
pub enum Resolved {
    Found(Box<Capability>, Via),
    /// Several that the viewer sees, none of them nearer than the others.
    Several(Alternatives),
    Nothing,
}

pub type Alternatives = Vec<Fqdn>;

/// By what it was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Via {
    Name,
    /// Deprecated; this is the alias that was used.
    Alias(String),
    Fqdn,
    Id,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filter {
    /// `*` and `?`, against display name, aliases and FQDN.
    pub glob: Option<String>,
    pub namespace: Option<String>,
    pub visibility: Option<Visibility>,
    /// Only those that call this capability.
    pub calls: Option<String>,
    /// Only those that were given a name (`true`), or none (`false`).
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
    /// Only older ones.
    pub before: Option<TraceId>,
}

/// A capability on its way between stores.
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
    /// It was there before.
    pub known: bool,
}

#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StoreError {
    #[error("Capability name '{name}' already exists in scope {scope}")]
    NameTaken { name: String, scope: Scope },
    /// What was named is gone, or was never there.
    #[error("Capability not found: {0}")]
    NotFound(String),
    /// It would make no sense; in words.
    #[error("{0}")]
    Refused(String),
    /// The store itself does not work; in words that say what to do.
    #[error("the store cannot be used: {0}")]
    Broken(String),
}
