//! An offline, stateful GitHub: a world in memory, spoken to over GraphQL and REST.
//!
//! It knows nothing of its clients and shares no type with them.
//!
//! ```
//! use github_sim::{Cut, Fault, FaultKind, Sim};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> std::io::Result<()> {
//! // The organisation `acme` with its repository `rocket`; `Sim::new(World::empty())` for a world of one's own.
//! let sim = Sim::demo();
//! // REST at `/` and `/api/v3`, GraphQL at `/graphql` and `/api/graphql`, until the server is dropped.
//! // `serve_unix` does the same on a Unix socket, which is how the real `gh` is pointed at it.
//! let server = sim.serve_tcp(([127, 0, 0, 1], 0).into()).await?;
//! assert!(server.url().starts_with("http://127.0.0.1:"));
//!
//! // The next write over REST is carried out, but its answer never comes.
//! sim.inject(Fault::once(FaultKind::ResetAfter).on_rest().on_writes());
//!
//! // Of a document with many mutations, the first three are carried out; then the server gives up.
//! let then = Cut::Status502;
//! sim.inject(Fault::once(FaultKind::CutAfterWrites { writes: 3, then }));
//!
//! // Seeds and assertions reach the world directly, and every request is on record.
//! assert!(sim.world(|world| world.find_repo("acme", "rocket")).is_some());
//! assert!(sim.requests().is_empty());
//! # Ok(())
//! # }
//! ```
//!
//! Any non-empty token speaks for the world's default viewer, unless the world registers tokens.
//! From outside the process the same is done over `/_sim`: `POST /_sim/faults` takes
//! `{"kind": "status_429", "retry_after": 2, "times": 3, "filter": {"transport": "rest", "operation": "write", "name": "/issues"}}`
//! (or a list of such; `times` is 1 unless given, null means for ever; `after` lets so many matching requests pass;
//! `applied` carries out what the fault refuses), `GET` and `DELETE /_sim/faults` show and clear what is waiting,
//! `GET` and `DELETE /_sim/requests` the request log.

// The presenters' JSON literals are long.
#![recursion_limit = "256"]

mod demo;
pub mod graphql;
mod http;
mod rest;
mod sim;
pub mod world;

pub use http::{Cut, Fault, FaultKind, Filter, Operation, SeenRequest, Server, Transport};
pub use sim::Sim;
