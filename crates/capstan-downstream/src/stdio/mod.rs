//! Servers that are processes: started, watched, spoken to in lines, and ended with everything that
//! they started. The one place of this crate that starts processes.

mod group;
mod lines;
mod process;
mod skim;
mod spawn;
mod tail;

pub(crate) use lines::Lines;
pub(crate) use process::Process;
pub(crate) use spawn::{Program, SpawnError, spawn};
