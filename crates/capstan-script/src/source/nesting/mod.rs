//! Refuses nesting that would exhaust the stack of a parser that recurses, before it is parsed.

mod check;
#[cfg(test)]
mod tests;
mod tokens;

pub(crate) use check::check;
