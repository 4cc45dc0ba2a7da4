//! GraphQL documents with many root fields, and the effect of one failing field on the others.

mod cuts;
mod errors;
mod log;
mod reads;
mod support;
mod writes;
