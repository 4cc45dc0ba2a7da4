//! The host's side of the pipe: starts, keeps and ends workers, and validates what they report.
//!
//! A worker is never trusted: the code that it runs may have taken it over.

mod cache;
mod errors;
mod link;
mod pool;
mod processes;
mod reading;
mod running;
mod sandbox;
mod state;
mod threads;
mod trace;
mod turns;

pub use sandbox::sandbox;
