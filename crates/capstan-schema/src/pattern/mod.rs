//! The regular expressions of schemas, limited to what all engines have in common.
//!
//! Back references, lookaround and character properties (`\p{…}`) are not supported. Matching takes time
//! proportional to the length of the text, whatever the expression.

mod matching;
mod node;
mod parse;
mod program;

pub(crate) use matching::matches;
