//! The tools of a server: listed, checked, and kept for the next time.

mod describe;
mod kept;
mod list;
mod lister;
mod memory;

pub(crate) use list::Listed;
pub(crate) use lister::{Lister, Listing};
pub(crate) use memory::Memory;
