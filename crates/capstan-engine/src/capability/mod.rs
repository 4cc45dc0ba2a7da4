//! Capabilities of all kinds: cards, downstream tools, code, skills, and Capstan's own actions. Each is found by its
//! name and run as a card.

mod code;
mod code_names;
mod directory;
mod find_tool;
mod found;
mod implementation;
mod length;
mod meaning;
mod names;
mod tool;

pub(crate) use code::code_card;
pub(crate) use directory::Directory;
pub(crate) use found::{FoundCapability, Lookup, OnlyKind, alias_warning, kind_error, store_error};
pub(crate) use implementation::Implementation;
pub(crate) use length::check_length;
pub(crate) use meaning::{Asker, Meaning, name_taken};
pub(crate) use names::{check_direct_code, check_policy, check_same_requests};
pub(crate) use tool::{split_tool_name, tool_card, tool_id};
