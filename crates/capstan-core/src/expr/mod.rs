//! The small expression language of cards: paths, filters, comparisons. Parsed once, pure, total.
//!
//! ```text
//! labels.nodes[].name              a path; `[]` maps over an array, `[-1]` picks an element
//! $issue.id                        a path into a named value
//! state | lower                    a filter
//! author.login | default("ghost")
//! not draft and state == "open"    a predicate
//! ```
//!
//! A bare path starts at the current value (the input when a request is built, the answer when
//! it is normalized); `$name` starts at a named value. What is not there is absent, never an error.

mod eval;
mod filter;
mod lexer;
mod parser;
mod template;

pub use eval::{Scope, truthy};
pub use filter::Filter;
pub use template::{Template, ValueTemplate};

use serde_json::Value;

/// A parsed expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    Literal(Value),
    Path(Path),
    Filtered(Box<Expr>, Filter),
    Not(Box<Expr>),
    And(Box<Expr>, Box<Expr>),
    Or(Box<Expr>, Box<Expr>),
    Compare(Comparison, Box<Expr>, Box<Expr>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    /// The left value is an element of the right array.
    In,
    /// Every element of the left array is an element of the right array.
    SubsetOf,
}

/// Where a value is found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    pub root: Root,
    pub segments: Vec<Segment>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Root {
    /// The current value.
    This,
    /// A named value.
    Variable(String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Segment {
    Key(String),
    /// `[]`: every element; the rest of the path applies to each.
    Each,
    /// `[0]` from the front, `[-1]` from the back.
    Index(i64),
}

/// Why a text is not an expression, and where in it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ExprError {
    pub message: String,
    /// Byte offset in the expression's text.
    pub offset: usize,
}

impl Expr {
    pub fn parse(text: &str) -> Result<Self, ExprError> {
        parser::parse(text)
    }

    /// Every path in the expression, in the order they are written. Paths inside `where`, `sort`,
    /// `map` and `sum` start at an element and are left out.
    pub fn paths(&self) -> Vec<&Path> {
        match self {
            Expr::Literal(_) => Vec::new(),
            Expr::Path(path) => vec![path],
            Expr::Filtered(inner, filter) => {
                let mut paths = inner.paths();
                paths.extend(filter.outer_argument().into_iter().flat_map(Expr::paths));
                paths
            }
            Expr::Not(inner) => inner.paths(),
            Expr::And(left, right) | Expr::Or(left, right) | Expr::Compare(_, left, right) => {
                let mut paths = left.paths();
                paths.extend(right.paths());
                paths
            }
        }
    }

    /// Whether the named value is used anywhere in the expression, filters included.
    pub fn mentions(&self, name: &str) -> bool {
        match self {
            Expr::Literal(_) => false,
            Expr::Path(path) => matches!(&path.root, Root::Variable(root) if root == name),
            Expr::Not(inner) => inner.mentions(name),
            Expr::Filtered(inner, filter) => {
                inner.mentions(name) || filter.arguments().iter().any(|it| it.mentions(name))
            }
            Expr::And(left, right) | Expr::Or(left, right) | Expr::Compare(_, left, right) => {
                left.mentions(name) || right.mentions(name)
            }
        }
    }
}

impl std::fmt::Display for Path {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut first = true;
        if let Root::Variable(name) = &self.root {
            write!(f, "${name}")?;
            first = false;
        }
        for segment in &self.segments {
            match segment {
                Segment::Key(key) if first => f.write_str(key)?,
                Segment::Key(key) => write!(f, ".{key}")?,
                Segment::Each => f.write_str("[]")?,
                Segment::Index(index) => write!(f, "[{index}]")?,
            }
            first = false;
        }
        if first { f.write_str(".") } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests;
