//! `capstan chain`: what people and programs see of it.

mod exit_codes;
mod files;
mod forms;
mod mcp;
mod options;
mod pipe;
mod plan;
mod progress;
mod repository;
mod secrets;
mod steps;
mod terminal;
