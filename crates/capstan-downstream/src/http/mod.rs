//! Servers that are reached by streamable HTTP. The one place of this crate that knows of HTTP.

mod body;
mod client;
mod events;
mod fault;
mod post;

pub(crate) use client::transport;
pub(crate) use fault::HttpFault;
