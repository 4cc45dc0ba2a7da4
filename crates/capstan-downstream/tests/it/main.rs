//! Downstream servers that behave and misbehave: a fake one, an HTTP one, and a public one.

mod bounds;
mod calls;
mod config;
mod deaths;
mod environment;
mod everything;
mod hangs;
mod http;
mod http_server;
mod memory;
mod protocol;
mod store;
mod support;
