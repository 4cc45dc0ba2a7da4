//! Services beside GitHub, called through the engine, against servers on loopback that know nothing of the client.

mod auth;
mod chains;
mod graphql;
mod paging;
mod rest;
mod server;
mod support;
