//! Operations that have no handler of their own and are answered from GitHub's description.

mod data;
mod every;
