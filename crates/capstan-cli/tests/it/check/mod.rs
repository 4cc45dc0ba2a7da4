//! `capstan check`: what it finds, how it says so, and what it leaves alone.

mod answers;
mod cards;
mod excerpts;
mod fixtures;
mod pages;
mod paths;
mod schema;
