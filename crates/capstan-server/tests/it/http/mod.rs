//! The HTTP server as its clients meet it: bytes on a socket.

mod client;
mod conditional;
mod crowd;
mod door;
mod hostile;
mod policy;
mod refusals;
mod resources;
mod stop;
mod world;
