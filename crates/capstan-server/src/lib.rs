//! Serves Capstan over the Model Context Protocol (MCP) and over HTTP.
//!
//! This crate must not know how capabilities are run: it has no routes, no HTTP client and no card
//! files. Only `mcp` uses the MCP library, and only `http` uses the HTTP server library.

pub mod http;
mod learner;
pub mod mcp;
