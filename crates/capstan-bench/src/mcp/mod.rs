//! Measures the cost of one call over MCP: processor time of the server, and time until the response.

mod cost;
mod cpu;
mod server;

pub use cost::{CallCost, measure};
pub use server::{ServerCommand, ServerError};
