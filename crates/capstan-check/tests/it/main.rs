//! The checker over the built-in cards, and every rule over a card that breaks it.

mod builtin;
mod rules;
mod support;
