//! Servers that are reached by streamable HTTP. Only this module of the crate uses HTTP.

mod body;
mod client;
mod events;
mod fault;
mod post;

pub(crate) use client::transport;
pub(crate) use fault::HttpFault;
