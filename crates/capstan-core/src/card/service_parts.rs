//! Parts of REST requests that GitHub's API does not need: lists and objects in the query, forms, and headers.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use crate::expr::{Expr, Template};

/// How a list or an object becomes parameters of a query or fields of a form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ListStyle {
    /// `tag=a&tag=b`
    #[default]
    Repeat,
    /// `tag[]=a&tag[]=b`, and `range[from]=1` for an object
    Brackets,
    /// `tag=a,b`
    Commas,
}

/// A value of the query that may be a list or an object.
#[derive(Clone, Debug, PartialEq)]
pub struct ListParameter {
    pub value: Template,
    pub style: ListStyle,
}

/// What only the requests of services have.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ServiceParts {
    /// Parameters of the query that may be lists or objects.
    pub lists: IndexMap<String, ListParameter>,
    /// Sends the body as a form. Fields that are lists have these styles; others are repeated.
    pub form: Option<IndexMap<String, ListStyle>>,
    pub headers: IndexMap<String, Template>,
}

impl ServiceParts {
    /// Headers that Capstan sets itself, that have secrets, or that belong to the connection, in lower case.
    const OWN_HEADERS: [&str; 12] = [
        "accept-encoding",
        "authorization",
        "connection",
        "content-length",
        "content-type",
        "cookie",
        "host",
        "proxy-authorization",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
    ];

    /// Returns whether a card may set a header.
    pub fn may_set(header: &str) -> bool {
        let is_name = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        let lower = header.to_ascii_lowercase();
        !header.is_empty()
            && header.chars().all(is_name)
            && !lower.starts_with("proxy-")
            && !Self::OWN_HEADERS.contains(&lower.as_str())
    }

    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns all expressions.
    pub fn expressions(&self) -> impl Iterator<Item = &Expr> {
        let lists = self.lists.values().map(|list| &list.value);
        let templates = lists.chain(self.headers.values());
        templates.flat_map(Template::expressions)
    }
}
