//! Everything that can be run, wherever it comes from: cards, downstream tools, code, and what
//! Capstan does itself. Each is found by its name and run as a card.

mod code;
mod directory;
mod found;
mod implementation;
mod length;
mod meaning;
mod names;
mod near;
mod tool;
mod tool_of_server;

pub(crate) use code::code_card;
pub(crate) use directory::Directory;
pub(crate) use found::{FoundCapability, Lookup, OnlyKind, broken, deprecated, refused_kind};
pub(crate) use implementation::Implementation;
pub(crate) use length::check_length;
pub(crate) use meaning::{Asker, Meaning, name_taken};
pub(crate) use names::{check_direct_code, check_policy};
pub(crate) use tool::{server_of, tool_card, tool_id};
