//! Agent Skills over MCP (the extension `io.modelcontextprotocol/skills`, SEP-2640): the main skill, and
//! every valid skill of the engine, each as a folder with a `SKILL.md`.
//!
//! The folders are generated from what the engine knows. A URI in a request never opens a file.

mod body;
mod folder;
mod frontmatter;
mod library;
mod main_skill;
mod methods;
mod names;
mod uri;

pub(super) use library::SkillLibrary;
pub use main_skill::MAIN_SKILL;
pub(super) use main_skill::{InstructionsRepository, instructions, prompt, prompts};
pub(super) use methods::{EXTENSION, settings};
