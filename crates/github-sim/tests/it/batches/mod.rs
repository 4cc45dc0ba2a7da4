//! Many root fields in one GraphQL document: what becomes of each, and of the others when one fails.

mod reads;
mod support;
mod writes;
