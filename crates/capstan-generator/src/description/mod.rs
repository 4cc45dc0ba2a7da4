//! The description of an API, read into types. Everything behind this module is checked and has no references.

mod document;
mod merge;
mod operation;
mod read_operation;
mod read_schema;
mod schema;

pub use document::Document;
pub(crate) use operation::{
    Answer, Body, Method, Operation, Parameter, Place, ValueStyle, is_json,
};
pub(crate) use read_operation::FORM;
pub(crate) use schema::{Kind, Object, Schema};
