//! The REST API, resource by resource, on the demonstration's world.

mod issues;
mod pulls;
mod repositories;
mod support;
