//! Capstan over HTTP: relations, the graph and search as JSON. One file for each resource.

mod answer;
mod api;
mod aside;
mod body;
mod capabilities;
mod condition;
mod crowd;
mod dependencies;
mod door;
mod etag;
mod failure;
mod finish;
mod graph;
mod health;
mod index;
mod listen;
mod path;
mod query;
mod router;
mod search;
mod socket;
mod view;
mod watched;

pub use door::{Entry, NeedsToken};
pub use listen::{ListenError, Listening, listen};
