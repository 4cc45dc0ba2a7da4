//! Integration tests: the simulator seen from outside, over HTTP and by the real `gh`.

mod client;
mod faults;
mod gh;
mod graphql;
mod http;
mod rest;
