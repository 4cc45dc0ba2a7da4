//! Outlines of GraphQL schemas that nobody has written rules for, and of hostile ones.

mod inputs;
mod lookups;
mod names;
mod reads;
mod support;
mod writes;
