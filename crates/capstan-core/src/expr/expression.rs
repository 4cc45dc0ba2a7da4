//! A parsed expression.

use serde_json::Value;

use super::parser;
use super::{ExprError, Filter, Path, Root};

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

impl Expr {
    pub fn parse(text: &str) -> Result<Self, ExprError> {
        parser::parse(text)
    }

    /// Returns every path in the expression, in the order of the text. Paths inside `where`,
    /// `sort`, `map` and `sum` start at an element and are left out.
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

    /// Returns whether the named value is used anywhere in the expression, including filters.
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
