//! Agent Skills over MCP (the extension `io.modelcontextprotocol/skills`, SEP-2640): the main skill, and
//! every sound skill of the engine, each as a folder with a `SKILL.md`.
//!
//! Folders are made of what the engine says. No file is opened because somebody names it.

mod address;
mod body;
mod folder;
mod front;
mod methods;
mod names;
mod own;
mod served;

pub(super) use methods::{EXTENSION, settings};
pub use own::SKILL;
pub(super) use own::{Repository, instructions, prompt, prompts};
pub(super) use served::Skills;
