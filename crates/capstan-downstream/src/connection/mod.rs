//! A running server that has completed its handshake.

mod running;
mod spec;
mod start;

pub(crate) use running::Connection;
pub(crate) use spec::ServerSpec;
pub(crate) use start::{StartFault, start};
