//! Measures what one call costs over MCP: processor time of the server, and time until the answer.

mod cost;
mod cpu;
mod server;

pub use cost::{CallCost, measure};
pub use server::{ServerCommand, ServerError};
