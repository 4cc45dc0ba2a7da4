//! Regular expressions of schemas, as far as they are read: what they have in common with all engines.
//!
//! Not read are references back, looking around, and properties of characters (`\p{…}`). Texts are
//! matched in time that grows with their length alone, whatever the expression.

mod matching;
mod node;
mod parse;
mod program;

pub(crate) use matching::matches;
