//! Translates the names that callers know from elsewhere, of capabilities and of inputs, to those of cards.

mod own_login;
mod settled;

pub(crate) use own_login::LoginSource;
pub use settled::{Words, settled_options};
