//! Skills: compositions of capabilities, written in YAML. Reads them, checks them like a compiler checks
//! code, and makes the plan by which they are run.
//!
//! It must not run anything: no network, no async runtime, no store.

pub mod graph;
