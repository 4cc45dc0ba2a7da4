//! Many root fields in one GraphQL document: what becomes of each, and of the others when one fails.

mod cuts;
mod errors;
mod log;
mod reads;
mod support;
mod writes;
