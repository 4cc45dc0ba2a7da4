//! Values of `inputs` and `outputs`, which may contain expressions.
//!
//! A text that begins with `$` is an expression; `$$` at the beginning is a plain `$`.

use capstan_core::expr::{Expr, ExprError, Path, Scope};
use serde_json::{Map, Value};

#[derive(Clone, Debug, PartialEq)]
pub enum Given {
    Literal(Value),
    Expr(Expr),
    List(Vec<Given>),
    Object(Vec<(String, Given)>),
}

impl Given {
    /// Parses a text: an expression if it begins with a single `$`, otherwise a literal.
    pub fn parse(text: &str) -> Result<Self, ExprError> {
        if let Some(plain) = text.strip_prefix("$$") {
            return Ok(Given::Literal(format!("${plain}").into()));
        }
        if text.starts_with('$') {
            Expr::parse(text).map(Given::Expr)
        } else {
            Ok(Given::Literal(text.into()))
        }
    }

    /// Returns the value; `None` if an expression refers to something absent.
    pub fn eval(&self, scope: &Scope<'_>) -> Option<Value> {
        match self {
            Given::Literal(value) => Some(value.clone()),
            Given::Expr(expr) => expr.eval(scope),
            Given::List(items) => {
                let items = items
                    .iter()
                    .map(|item| item.eval(scope).unwrap_or_default());
                Some(items.collect())
            }
            Given::Object(fields) => {
                let fields = fields
                    .iter()
                    .filter_map(|(name, given)| Some((name.clone(), given.eval(scope)?)));
                Some(Value::Object(fields.collect::<Map<_, _>>()))
            }
        }
    }

    /// Returns every path in the expressions.
    pub fn paths(&self) -> Vec<&Path> {
        match self {
            Given::Literal(_) => Vec::new(),
            Given::Expr(expr) => expr.paths(),
            Given::List(items) => items.iter().flat_map(Given::paths).collect(),
            Given::Object(fields) => fields.iter().flat_map(|(_, it)| it.paths()).collect(),
        }
    }
}
