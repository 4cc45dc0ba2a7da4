//! What a step is given by `inputs`: values as they are, and expressions.
//!
//! A text that begins with `$` is an expression, `$$` at the beginning is a plain `$`.

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
    /// Reads a text.
    pub fn text(text: &str) -> Result<Self, ExprError> {
        if let Some(plain) = text.strip_prefix("$$") {
            return Ok(Given::Literal(format!("${plain}").into()));
        }
        match text.starts_with('$') {
            true => Expr::parse(text).map(Given::Expr),
            false => Ok(Given::Literal(text.into())),
        }
    }

    /// The value; nothing where what an expression names is absent.
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

    /// Every path in it.
    pub fn paths(&self) -> Vec<&Path> {
        match self {
            Given::Literal(_) => Vec::new(),
            Given::Expr(expr) => expr.paths(),
            Given::List(items) => items.iter().flat_map(Given::paths).collect(),
            Given::Object(fields) => fields.iter().flat_map(|(_, it)| it.paths()).collect(),
        }
    }
}
