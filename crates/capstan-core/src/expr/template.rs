//! Texts and whole JSON values with `{expression}` blanks, for paths, arguments and bodies.

use indexmap::IndexMap;
use serde_json::Value;

use super::filter::shown;
use super::{Expr, ExprError, Scope};

/// A text with blanks: `/repos/{owner}/{repo}`. `{{` and `}}` are literal braces. In a path, the slashes of a value in
/// `{+name}` stay slashes.
#[derive(Clone, Debug, PartialEq)]
pub struct Template {
    parts: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq)]
enum Part {
    Text(String),
    Blank { expr: Expr, keeps_slashes: bool },
}

impl Template {
    pub fn parse(text: &str) -> Result<Self, ExprError> {
        let mut parts = Vec::new();
        let mut plain = String::new();
        let mut rest = text;
        while let Some(at) = rest.find(['{', '}']) {
            let offset = text.len() - rest.len() + at;
            plain.push_str(&rest[..at]);
            let brace = &rest[at..];
            if brace.starts_with("{{") || brace.starts_with("}}") {
                plain.push_str(&brace[..1]);
                rest = &brace[2..];
            } else if brace.starts_with('{') {
                let close = closing_brace(brace).ok_or_else(|| ExprError {
                    message: "this `{` is never closed; write `{{` for a brace".to_owned(),
                    offset,
                })?;
                let inner = &brace[1..close];
                let plus = usize::from(inner.starts_with('+'));
                let expr = Expr::parse(&inner[plus..]).map_err(|error| ExprError {
                    message: error.message,
                    offset: offset + 1 + plus + error.offset,
                })?;
                if !plain.is_empty() {
                    parts.push(Part::Text(std::mem::take(&mut plain)));
                }
                parts.push(Part::Blank {
                    expr,
                    keeps_slashes: plus == 1,
                });
                rest = &brace[close + 1..];
            } else {
                return Err(ExprError {
                    message: "this `}` closes nothing; write `}}` for a brace".to_owned(),
                    offset,
                });
            }
        }
        plain.push_str(rest);
        if !plain.is_empty() {
            parts.push(Part::Text(plain));
        }
        Ok(Self { parts })
    }

    /// Returns a template without blanks.
    pub fn literal(text: impl Into<String>) -> Self {
        Self {
            parts: vec![Part::Text(text.into())],
        }
    }

    /// Returns a template that is one blank.
    pub fn blank(expr: Expr) -> Self {
        Self {
            parts: vec![Part::Blank {
                expr,
                keeps_slashes: false,
            }],
        }
    }

    /// Returns the text with `blank` in place of every blank.
    pub fn outline(&self, blank: &str) -> String {
        let parts = self.parts.iter().map(|part| match part {
            Part::Text(plain) => plain.as_str(),
            Part::Blank { .. } => blank,
        });
        parts.collect()
    }

    /// Returns the text with every blank filled in; `None` if a blank has no value. Each filled-in
    /// value passes through `encode`; the text around it does not. Where slashes are kept, each part
    /// between them passes by itself.
    pub fn render_with(
        &self,
        scope: &Scope<'_>,
        encode: impl Fn(&str) -> String,
    ) -> Option<String> {
        let mut text = String::new();
        for part in &self.parts {
            match part {
                Part::Text(plain) => text.push_str(plain),
                Part::Blank {
                    expr,
                    keeps_slashes,
                } => {
                    let value = shown(&expr.eval(scope)?)?;
                    if *keeps_slashes {
                        let segments = value.trim_start_matches('/').split('/');
                        let encoded: Vec<_> = segments.map(&encode).collect();
                        text.push_str(&encoded.join("/"));
                    } else {
                        text.push_str(&encode(&value));
                    }
                }
            }
        }
        Some(text)
    }

    pub fn render(&self, scope: &Scope<'_>) -> Option<String> {
        self.render_with(scope, str::to_owned)
    }

    /// Returns the value. A template that is a single blank keeps the type of its value; any other
    /// renders as text.
    pub fn value(&self, scope: &Scope<'_>) -> Option<Value> {
        match self.parts.as_slice() {
            [Part::Blank { expr, .. }] => expr.eval(scope),
            _ => self.render(scope).map(Value::String),
        }
    }

    /// Returns whether the text starts with a blank.
    pub fn starts_with_blank(&self) -> bool {
        matches!(self.parts.first(), Some(Part::Blank { .. }))
    }

    /// Returns whether a blank uses the named value.
    pub fn mentions(&self, name: &str) -> bool {
        self.expressions().any(|expr| expr.mentions(name))
    }

    pub fn expressions(&self) -> impl Iterator<Item = &Expr> {
        self.parts.iter().filter_map(|part| match part {
            Part::Blank { expr, .. } => Some(expr),
            Part::Text(_) => None,
        })
    }
}

/// Returns the end of a blank. Braces inside text literals do not count.
fn closing_brace(text: &str) -> Option<usize> {
    let mut quoted = false;
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            '"' if !escaped => quoted = !quoted,
            '}' if !quoted => return Some(at),
            _ => {}
        }
        escaped = c == '\\' && !escaped;
    }
    None
}

/// A JSON value whose texts are templates. Parts without a value are left out.
#[derive(Clone, Debug, PartialEq)]
pub enum ValueTemplate {
    Literal(Value),
    Template(Template),
    Object(IndexMap<String, ValueTemplate>),
    Array(Vec<ValueTemplate>),
}

impl ValueTemplate {
    /// Parses a value. An error has the JSON pointer of its place.
    pub fn parse(value: &Value) -> Result<Self, (String, ExprError)> {
        match value {
            Value::String(text) => Template::parse(text)
                .map(ValueTemplate::Template)
                .map_err(|error| (String::new(), error)),
            Value::Object(fields) => {
                let mut object = IndexMap::with_capacity(fields.len());
                for (key, field) in fields {
                    let field = Self::parse(field)
                        .map_err(|(pointer, error)| (format!("/{key}{pointer}"), error))?;
                    object.insert(key.clone(), field);
                }
                Ok(ValueTemplate::Object(object))
            }
            Value::Array(items) => {
                let mut array = Vec::with_capacity(items.len());
                for (index, item) in items.iter().enumerate() {
                    let item = Self::parse(item)
                        .map_err(|(pointer, error)| (format!("/{index}{pointer}"), error))?;
                    array.push(item);
                }
                Ok(ValueTemplate::Array(array))
            }
            other => Ok(ValueTemplate::Literal(other.clone())),
        }
    }

    pub fn render(&self, scope: &Scope<'_>) -> Option<Value> {
        match self {
            ValueTemplate::Literal(value) => Some(value.clone()),
            ValueTemplate::Template(template) => template.value(scope),
            ValueTemplate::Object(fields) => Some(
                fields
                    .iter()
                    .filter_map(|(key, field)| Some((key.clone(), field.render(scope)?)))
                    .collect(),
            ),
            ValueTemplate::Array(items) => {
                Some(items.iter().filter_map(|item| item.render(scope)).collect())
            }
        }
    }

    pub fn expressions(&self) -> Vec<&Expr> {
        match self {
            ValueTemplate::Literal(_) => Vec::new(),
            ValueTemplate::Template(template) => template.expressions().collect(),
            ValueTemplate::Object(fields) => fields
                .values()
                .flat_map(ValueTemplate::expressions)
                .collect(),
            ValueTemplate::Array(items) => {
                items.iter().flat_map(ValueTemplate::expressions).collect()
            }
        }
    }
}
