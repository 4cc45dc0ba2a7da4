//! An offline, stateful GitHub simulator: an in-memory world served over GraphQL and REST.
//!
//! It knows nothing about its clients and shares no types with them.
//!
//! ```
//! use github_sim::{Cut, Fault, FaultKind, Sim};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> std::io::Result<()> {
//! // The organisation `acme` with its repository `rocket`. `Sim::new(World::empty())` starts from an empty world.
//! let sim = Sim::demo();
//! // Serves REST at `/` and `/api/v3`, GraphQL at `/graphql` and `/api/graphql`, until the server is dropped.
//! // `serve_unix` does the same on a Unix socket; the real `gh` can be configured to use one.
//! let server = sim.serve_tcp(([127, 0, 0, 1], 0).into()).await?;
//! assert!(server.url().starts_with("http://127.0.0.1:"));
//!
//! // The next REST write is applied, but its response never arrives.
//! sim.inject(Fault::once(FaultKind::ResetAfter).on_rest().on_writes());
//!
//! // The first three mutations of the next GraphQL write are applied; then the server answers 502.
//! let then = Cut::Status502;
//! sim.inject(Fault::once(FaultKind::CutAfterWrites { writes: 3, then }));
//!
//! // Tests seed and inspect the world directly, and every request is logged.
//! assert!(sim.world(|world| world.find_repo("acme", "rocket")).is_some());
//! assert!(sim.requests().is_empty());
//! # Ok(())
//! # }
//! ```
//!
//! REST operations that the world does not model are answered with GitHub's own examples, adapted to the request and
//! marked with the header `X-Sim-Answer: example`. Mutations that nobody modelled, and objects that are asked for by name
//! and that nobody modelled, are made up from the schema and the request: `X-Sim-Answer: schema`.
//! `Server::storage_url` is the second origin, where downloads lead and uploads go. `World::memory` holds what clients
//! put there, sealed secrets, and settings of downloads.
//!
//! Any non-empty token authenticates as the world's default viewer, unless the world registers tokens.
//! Other processes inject faults and read the log over `/_sim`. `POST /_sim/faults` takes
//! `{"kind": "status_429", "retry_after": 2, "times": 3, "filter": {"transport": "rest", "operation": "write", "name": "/issues"}}`
//! or an array of such objects. `times` defaults to 1, and null means every matching request; `after` is the number of
//! matching requests to let pass first; `applied` applies the request although the fault refuses it.
//! `GET` and `DELETE /_sim/faults` list and clear the pending faults, `GET` and `DELETE /_sim/requests` the log, and
//! `PUT /_sim/downloads` makes long logs and zip bombs.

// The `json!` literals in `rest::present` are long.
#![recursion_limit = "256"]

mod demo;
mod downloads;
pub mod graphql;
mod http;
mod rest;
mod sim;
pub mod world;

pub use http::{Cut, Fault, FaultKind, Filter, Operation, SeenRequest, Server, Transport};
pub use sim::Sim;
