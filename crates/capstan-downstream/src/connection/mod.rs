//! A server that runs and has shaken hands.

mod running;
mod spec;
mod start;

pub(crate) use running::Connection;
pub(crate) use spec::Spec;
pub(crate) use start::{StartFault, start};
