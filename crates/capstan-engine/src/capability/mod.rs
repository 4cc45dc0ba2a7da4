//! Everything that can be run, wherever it comes from: cards, downstream tools, code, and what
//! Capstan does itself. Each is found by its name and run as a card.

mod code;
mod found;
mod implementation;
mod length;
mod meaning;
mod names;
mod near;
mod tool;

pub(crate) use code::code_card;
pub(crate) use found::{Found, Lookup, Only, broken, deprecated};
pub(crate) use implementation::Implementation;
pub(crate) use length::check_length;
pub(crate) use meaning::{Asker, Meaning, SettledSkills, name_taken};
pub(crate) use names::{check_direct_code, check_policy};
pub(crate) use tool::{server_of, tool_card, tool_id};
