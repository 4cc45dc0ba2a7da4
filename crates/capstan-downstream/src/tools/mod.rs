//! The tools of a server: listed, validated and remembered.

mod describe;
mod list;
mod lister;
mod memory;
mod stored;

pub(crate) use list::ToolList;
pub(crate) use lister::{Lister, Listing};
pub(crate) use memory::ToolMemory;
