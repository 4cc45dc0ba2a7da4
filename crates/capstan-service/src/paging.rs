//! Finds the query of the next page, as the configuration of the service says.

use capstan_core::expr::{Expr, Scope, truthy};
use capstan_http::{next_page_query, query_of};
use serde_json::{Map, Value};
use url::Url;
use url::form_urlencoded::Serializer;

use crate::classify::Head;
use crate::settings::Paging;

impl Paging {
    /// Returns the query that leads from the page at an address to the next one; `None` if it is the last.
    pub(crate) fn next(&self, sent: &Url, head: &Head, body: &Value) -> Option<String> {
        let page = Page { sent, body };
        match self {
            Self::Links => next_page_query(&head.headers),
            Self::Page {
                number,
                size,
                rows,
                more,
            } => {
                let current = page.parameter(number).unwrap_or(1);
                let has_more = page.has_more(more.as_ref(), size.as_deref(), rows.as_ref());
                has_more.then(|| query(number, &(current + 1).to_string()))
            }
            Self::Field {
                parameter,
                field,
                more,
            } => {
                let more = more.as_ref().is_none_or(|more| page.holds(more));
                let next = page.text(field, body).filter(|_| more)?;
                match parameter {
                    // Some services give the cursor, and some the address with the cursor.
                    Some(parameter) if !next.contains('?') => Some(query(parameter, &next)),
                    _ => Some(query_of(&next).to_owned()).filter(|query| !query.is_empty()),
                }
            }
            Self::LastRow {
                parameter,
                field,
                size,
                rows,
                more,
            } => {
                let last = page.rows(rows.as_ref())?.last()?.clone();
                let has_more = page.has_more(more.as_ref(), size.as_deref(), rows.as_ref());
                let cursor = page.text(field, &last).filter(|_| has_more)?;
                Some(query(parameter, &cursor))
            }
        }
    }
}

/// A page that was requested, and its answer.
struct Page<'a> {
    sent: &'a Url,
    body: &'a Value,
}

impl Page<'_> {
    /// Returns whether there is another page. Without a word from the service, a full page has a successor.
    fn has_more(&self, more: Option<&Expr>, size: Option<&str>, rows: Option<&Expr>) -> bool {
        if let Some(more) = more {
            return self.holds(more);
        }
        let rows = self.rows(rows).map_or(0, |rows| rows.len() as u64);
        let size = size.and_then(|size| self.parameter(size));
        rows > 0 && size.is_none_or(|size| rows >= size)
    }

    /// Returns the rows: those at the configured place, the whole answer, or the only list in it.
    fn rows(&self, place: Option<&Expr>) -> Option<Vec<Value>> {
        let found = match place {
            Some(place) => self.eval(place, self.body)?,
            None => match self.body {
                Value::Object(fields) => {
                    let mut lists = fields.values().filter(|value| value.is_array());
                    let first = lists.next()?;
                    lists.next().is_none().then(|| first.clone())?
                }
                other => other.clone(),
            },
        };
        match found {
            Value::Array(rows) => Some(rows),
            _ => None,
        }
    }

    fn parameter(&self, name: &str) -> Option<u64> {
        let mut pairs = self.sent.query_pairs();
        let (_, value) = pairs.find(|(known, _)| known == name)?;
        value.parse().ok()
    }

    fn holds(&self, expr: &Expr) -> bool {
        truthy(self.eval(expr, self.body).as_ref())
    }

    fn text(&self, expr: &Expr, value: &Value) -> Option<String> {
        match self.eval(expr, value)? {
            Value::String(text) => Some(text).filter(|text| !text.is_empty()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        }
    }

    fn eval(&self, expr: &Expr, value: &Value) -> Option<Value> {
        let none = Map::new();
        expr.eval(&Scope::new(value, &none))
    }
}

fn query(name: &str, value: &str) -> String {
    Serializer::new(String::new())
        .append_pair(name, value)
        .finish()
}
