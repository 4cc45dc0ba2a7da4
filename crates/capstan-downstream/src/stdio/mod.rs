//! Servers that are processes: started, supervised, spoken to in lines, and ended with everything
//! that they started. Only this module of the crate starts processes.

mod group;
mod id_extractor;
mod line_transport;
mod process;
mod spawn;
mod stderr_tail;

pub(crate) use line_transport::LineTransport;
pub(crate) use process::Process;
pub(crate) use spawn::{Program, SpawnError, spawn};
