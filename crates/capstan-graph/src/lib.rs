//! Relations between capabilities as a graph in memory, and what traces teach about them.
//!
//! It must not store or run anything: no store, no async runtime, no clock.
//!
//! # The graph
//!
//! Nodes are capabilities; there is at most one edge per ordered pair. The kind and the source of an edge
//! determine its confidence. The graph holds only edges whose confidence exceeds [`THRESHOLD`], and no node
//! without edges. Edges come from the store ([`Graph::put`]) or are declared by a skill, a card or code
//! ([`Graph::declare`]); stored edges hide declared ones. Every answer depends on the content of the graph
//! and never on the order of changes, to the last bit of a rank.
//!
//! # What a trace teaches
//!
//! [`learn`] looks at one trace, and only at successful calls: failed ones teach nothing.
//!
//! - `contains`: a call was made within another, or by the code that came with the request. Each call counts.
//!   Own actions, and code inside a skill, are not nodes: their maker is also the maker of what they call.
//! - `sequence`: among calls with the same maker, each call that ended last before others began leads to each
//!   of those. Calls that were sent together or overlap form one group; a pair of nodes counts once between
//!   two groups, and at most 32 pairs count. Steps of a chain are sent together: each leads to those that
//!   refer to it. What a session executed just before leads to what it executes now: to code or a skill
//!   as a whole, to a single call, or to the steps of a chain that refer to nothing.
//! - `dependency`: a value in an input was in the output of an earlier call with the same maker, or a step of
//!   a chain refers to it. The value must be distinctive: a text of three characters or more that is neither
//!   a number nor a common word (`open`, `true`); a number from 10 up; or a smaller one if the name of the
//!   input agrees with that of the value (`issue_number` with `number`). Numbers that count or limit
//!   (`total`, `first`) are never distinctive. The value must be new: in no input of any call that began
//!   before it was given, and not in the input of the code that came with the request; if that input was too
//!   long to be kept, nothing is learned. If several calls gave the value, it came from the last. The
//!   observation names the two places, never the value.
//!
//! Values that were truncated or masked are ignored; so are values nested deeper than 16, and those after the
//! first 1,000 of an input or output. A trace teaches at most [`MAX_OBSERVATIONS`].
//!
//! [`related`] compares code that was never observed together: by its calls and by its intent.

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
pub use learn::{MAX_OBSERVATIONS, Maker, Makers, distinctive_values, learn, may_teach};
pub use link::{Relation, THRESHOLD};
pub use missing::Missing;
pub use neighbors::{Around, Neighbor};
pub use next::Next;
pub use path::Path;
pub use related::{CodeFacts, related};
pub use snapshot::{Filter, NodeKind, Page, Snapshot, SnapshotNode};
