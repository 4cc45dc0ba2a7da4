//! The vocabulary of Capstan as types: capability ids, cards, the result envelope, the error
//! taxonomy, diagnostics, the expression language of cards, and the ports.
//!
//! This crate must not know how anything is done: no network, no async runtime, no file system, no
//! YAML, no GraphQL parser, no SQL, no JavaScript.

mod brief;
pub mod card;
mod chain;
pub mod code;
pub mod date;
mod diagnostic;
mod envelope;
mod error;
pub mod expr;
mod file_part;
pub mod glob;
mod id;
pub mod json;
pub mod port;
mod redact;
mod request;
mod route;
pub mod run;
mod service;
pub mod similar;
mod task;

pub use brief::brief;
pub use chain::{
    ChainMeta, ChainRequest, ChainResultEnvelope, ChainStatus, ChainStep, ChainStepMeta,
    ChainStepResult,
};
pub use diagnostic::{Diagnostic, Label, Position, Severity, Source, Span};
pub use envelope::{
    AttemptMeta, AttemptStatus, CallsMade, Cost, NextCall, Pagination, ResultEnvelope, ResultMeta,
    Timings,
};
pub use error::{ErrorCode, Outcome, ResultError};
pub use file_part::{FilePart, FileSelection, LineRange, MAX_TAIL};
pub use id::{CapabilityId, InvalidId};
pub use redact::{MASK, Redactor, Secret};
pub use request::{
    AnswerFormat, ApiHost, CallRequest, CliAnswer, CliRequest, GraphqlRequest, Method, RawBody,
    RestRequest, RouteRequest,
};
pub use route::{Route, RouteReason};
pub use service::{InvalidServiceName, ServiceName};
pub use task::{CodeRequest, Format, Options, Sort, TaskRequest};
