//! The pages of the documentation: every example runs as printed, every link between pages leads somewhere, and tables
//! are complete.

mod examples;
mod help;
mod links;
mod page;
mod pages;
mod session;
mod tables;

pub(crate) use pages::update;
