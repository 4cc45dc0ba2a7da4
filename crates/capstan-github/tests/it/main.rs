//! The routes against servers and programs that misbehave in every way we know.

mod connections;
mod gh;
mod misbehaviour;
mod redirects;
mod requests;
mod server;
mod support;
