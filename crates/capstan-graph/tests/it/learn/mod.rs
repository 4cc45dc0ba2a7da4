//! What traces teach.

mod examples;
mod laws;
mod traces;
