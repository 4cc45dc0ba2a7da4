//! `capstan serve`: the API that was promised, through a real socket, across restarts.

mod acceptance;
mod address;
mod many;
mod restart;
mod server;
mod tools;
