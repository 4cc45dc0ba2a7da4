//! Relations between capabilities as a graph in memory, and what traces teach about them.
//!
//! It must not keep or run anything: no store, no async runtime, no clock.
//!
//! # The graph
//!
//! Nodes are capabilities; there is one edge from each to each other. How sure an edge is follows from its
//! kind and source; what is not surer than [`THRESHOLD`] is not held, and a node without edges is not there.
//! Edges come from the store ([`Graph::put`]) or are declared by a skill, a card or code
//! ([`Graph::declare`]); what is stored hides what is declared. Every answer depends on what the graph holds
//! and never on the order in which that came, to the last bit of a rank.
//!
//! # What a trace teaches
//!
//! [`learn`] looks at one trace, and at calls that were ok alone: failed ones teach nothing.
//!
//! - `contains`: a call was made within another, or by the code that came with the request. Each call counts.
//!   Own actions, and code that stands in a skill, are no nodes: what made them made what they call.
//! - `sequence`: of the calls that were made by the same, each that ended last before others began leads
//!   to each of those. Calls that left together or overlap are one group; a pair of nodes counts once
//!   between two groups, and at most 32 pairs do. Steps of a chain leave together: each leads to those that
//!   refer to it. What a session executed just before leads to what it executes now: to code or a skill
//!   as a whole, to a single call, or to the steps of a chain that refer to nothing.
//! - `dependency`: a value in an input was in the output of a call before it that was made by the same, or
//!   a step of a chain refers to it. The value must tell something: a text of three characters or more that
//!   is no number and no common word (`open`, `true`); a number from 10 up; a smaller one if the input is
//!   called like what was given (`issue_number` like `number`); never what counts or limits (`total`,
//!   `first`). It must be new: in no input of any call that began before it was given, and not in what the
//!   caller gave to code that came with the request; where that was too long to be kept, nobody can tell.
//!   If several gave it, it came from the last. It is told from which place to which, never what it was.
//!
//! What was cut or masked is not looked at; nor is what is nested deeper than 16, or comes after the
//! first 1,000 values of an input or output. A trace teaches at most [`MOST_OBSERVATIONS`].
//!
//! [`related`] compares code that was never seen together: by what it calls, and by its intent.

mod cache;
mod communities;
mod compact;
mod cursor;
mod declared;
mod digest;
mod graph;
mod learn;
mod link;
mod missing;
mod names;
mod neighbors;
mod next;
mod path;
mod plan;
mod rank;
mod related;
mod snapshot;

pub use cursor::{Cursor, InvalidCursor};
pub use graph::Graph;
pub use learn::{MOST_OBSERVATIONS, Maker, Makers, learn, telling_values};
pub use link::{Relation, THRESHOLD};
pub use missing::Missing;
pub use neighbors::{Around, Neighbor};
pub use next::Next;
pub use path::Path;
pub use related::{CodeFacts, related};
pub use snapshot::{Filter, NodeKind, Page, Snapshot, SnapshotNode};
