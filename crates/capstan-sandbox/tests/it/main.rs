//! The sandbox through its port, with real workers.

mod basics;
mod errors;
mod escapes;
mod lockdown;
mod support;
mod workers;
