//! The GraphQL API, in process.

mod defaults;
mod fixture;
mod invalid;
mod mutations;
mod pagination;
mod permissions;
mod reads;
