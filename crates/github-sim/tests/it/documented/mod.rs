//! Operations that have no handler of their own and are answered from GitHub's description.

mod answers;
mod data;
mod downloads;
mod every;
mod media;
mod pages;
mod refusals;
mod secrets;
mod state;
mod uploads;
