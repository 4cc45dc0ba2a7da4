//! One configured server: started when it is needed, and again when it ended.

mod lifecycle;
mod serving;

pub(crate) use serving::{Server, Surroundings};
