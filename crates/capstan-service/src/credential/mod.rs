//! The secret of a service: found when it is first needed, and kept in memory only.

mod client_credentials;
mod command;
mod place;
mod store;

pub(crate) use store::{CredentialStore, Issued};
