//! One configured server: started when it is needed, and again after it ended.

mod lifecycle;
mod serving;

pub(crate) use serving::{Server, SharedServices};
