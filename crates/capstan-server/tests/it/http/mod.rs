//! Tests of the HTTP server from the outside: bytes on a socket.

mod access;
mod client;
mod conditional;
mod connection_limit;
mod errors;
mod hostile;
mod policy;
mod resources;
mod server;
mod shutdown;
