//! Callers' words: names of capabilities and inputs that they know from elsewhere become those of cards.

mod own_login;
mod settled;

pub(crate) use settled::Words;
pub use settled::settled_options;
