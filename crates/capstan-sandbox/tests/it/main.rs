//! The sandbox through its port, with real workers.

mod basics;
mod lockdown;
mod support;
