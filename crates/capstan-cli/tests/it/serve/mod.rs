//! `capstan serve`: the API that was promised, through a real socket, across restarts.

mod acceptance;
mod address;
mod drawing;
mod many;
mod restart;
pub(crate) mod server;
mod stop;
mod tools;
