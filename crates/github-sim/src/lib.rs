//! An offline, stateful GitHub: a world in memory, spoken to over GraphQL and REST.
//!
//! It knows nothing of its clients and shares no type with them.

pub mod world;
