//! The command line: what people and programs see of it, and what it sends.

mod catalogue;
mod chain;
mod code;
mod completions;
mod config;
mod doctor;
mod dry_run;
mod exit_codes;
mod files;
pub(crate) mod harness;
mod hosts;
mod inputs;
mod lines;
mod output;
mod pipe;
mod repository;
mod setup;
mod setup_skill;
mod sim;
mod terminal;
mod types;
mod widths;
