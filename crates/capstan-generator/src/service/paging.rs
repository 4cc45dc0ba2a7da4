//! How the lists of a service continue. The description does not say it, so the names of parameters and fields decide,
//! for all lists of the service in the same way.

use std::collections::BTreeMap;

use super::answer::shape_of;
use crate::build::{AnswerShape, ListShape};
use crate::description::{Kind, Method, Object, Operation, Place, Schema};

const NUMBERS: [&str; 5] = ["page", "page_number", "pageNumber", "page[number]", "p"];
const SIZES: [&str; 10] = [
    "per_page",
    "page_size",
    "pageSize",
    "limit",
    "perPage",
    "size",
    "page[size]",
    "max_results",
    "maxResults",
    "count",
];
const CURSORS: [&str; 12] = [
    "cursor",
    "page_token",
    "pageToken",
    "next_token",
    "nextToken",
    "after",
    "page[cursor]",
    "page[after]",
    "start_cursor",
    "continuation_token",
    "next_cursor",
    "continuation",
];
/// Parameters that take the id of the last row.
const LAST_ROWS: [&str; 3] = ["starting_after", "after_id", "since_id"];
/// Fields of an answer with the next cursor or address.
const NEXT_FIELDS: [&str; 14] = [
    "next_cursor",
    "nextCursor",
    "next_page_token",
    "nextPageToken",
    "next_token",
    "nextToken",
    "cursor",
    "next",
    "next_page",
    "nextPage",
    "end_cursor",
    "next_url",
    "after",
    "continuation",
];
/// Fields that have such fields in them.
const NEXT_OBJECTS: [&str; 9] = [
    "meta",
    "pagination",
    "paging",
    "links",
    "_links",
    "response_metadata",
    "cursors",
    "page_info",
    "metadata",
];
/// Fields that tell whether there is another page.
const MORE_FIELDS: [&str; 4] = ["has_more", "hasMore", "has_next", "more"];

/// How the lists of a service continue.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ServicePaging {
    Page {
        number: String,
        size: Option<String>,
    },
    LastRow {
        parameter: String,
        field: String,
        size: Option<String>,
        rows: Option<String>,
        more: Option<String>,
    },
    Cursor {
        parameter: String,
        field: String,
    },
    /// In the `Link` header.
    Links {
        size: Option<String>,
    },
}

impl ServicePaging {
    /// Returns how most lists continue.
    pub(super) fn of_most(operations: &[&Operation]) -> Option<Self> {
        let mut counts: BTreeMap<Self, usize> = BTreeMap::new();
        for operation in operations {
            if let Some(paging) = Self::of(operation) {
                *counts.entry(paging).or_default() += 1;
            }
        }
        let most = counts.into_iter().max_by_key(|(_, count)| *count);
        most.map(|(paging, _)| paging)
    }

    /// Returns how the list of an operation continues.
    pub(super) fn of(operation: &Operation) -> Option<Self> {
        if operation.method != Method::Get {
            return None;
        }
        let Ok(AnswerShape::List(list)) = shape_of(operation) else {
            return None;
        };
        let parameter = |names: &[&str]| {
            let mut names = names.iter();
            names
                .find(|name| operation.parameter(Place::Query, name).is_some())
                .map(|name| (*name).to_owned())
        };
        let size = parameter(&SIZES);
        if let (Some(parameter), Some(field)) = (parameter(&LAST_ROWS), identity(list.items)) {
            return Some(Self::LastRow {
                parameter,
                field,
                size,
                rows: list.inside.map(|(_, name)| name.to_owned()),
                more: more_field(list),
            });
        }
        if let (Some(parameter), Some(field)) = (parameter(&CURSORS), next_field(list)) {
            return Some(Self::Cursor { parameter, field });
        }
        if let Some(number) = parameter(&NUMBERS).filter(|name| is_number(operation, name)) {
            return Some(Self::Page { number, size });
        }
        let has_link = operation.content().is_some_and(|answer| answer.has_link);
        has_link.then_some(Self::Links { size })
    }

    /// Returns the parameter for the rows per page that an operation has.
    pub(super) fn size_of(operation: &Operation) -> Option<&'static str> {
        let mut sizes = SIZES.into_iter();
        sizes.find(|name| operation.parameter(Place::Query, name).is_some())
    }

    /// Returns whether an operation continues in this way. Its parameter for the size may differ.
    pub(super) fn fits(&self, operation: &Operation) -> bool {
        let Some(own) = Self::of(operation) else {
            return false;
        };
        match (self, &own) {
            (Self::Page { number, .. }, Self::Page { number: other, .. }) => number == other,
            (
                Self::LastRow {
                    parameter,
                    field,
                    rows,
                    ..
                },
                Self::LastRow {
                    parameter: other,
                    field: other_field,
                    rows: other_rows,
                    ..
                },
            ) => (parameter, field, rows) == (other, other_field, other_rows),
            (Self::Links { .. }, Self::Links { .. }) => true,
            (one, other) => one == other,
        }
    }

    /// Returns whether a parameter turns pages, so that callers do not set it.
    pub(super) fn turns(&self, name: &str) -> bool {
        match self {
            Self::Page { number, .. } => name == number,
            Self::LastRow { parameter, .. } => {
                name == parameter || name == "ending_before" || name == "before_id"
            }
            Self::Cursor { parameter, .. } => name == parameter,
            Self::Links { .. } => NUMBERS.contains(&name) || CURSORS.contains(&name),
        }
    }
}

/// Returns whether a parameter is a number; texts with this name are cursors.
fn is_number(operation: &Operation, name: &str) -> bool {
    let parameter = operation.parameter(Place::Query, name);
    parameter.is_some_and(|it| matches!(it.schema.kind, Kind::Integer | Kind::Number))
}

/// Returns the field of a row that tells which one it is.
fn identity(row: &Schema) -> Option<String> {
    let object = row.as_object()?;
    object.fields.contains_key("id").then(|| "id".to_owned())
}

fn more_field(list: ListShape<'_>) -> Option<String> {
    let (object, _) = list.inside?;
    let mut names = MORE_FIELDS.iter();
    names
        .find(|name| object.fields.contains_key(**name))
        .map(|name| (*name).to_owned())
}

fn next_field(list: ListShape<'_>) -> Option<String> {
    let (object, _) = list.inside?;
    let direct = |object: &Object| {
        let mut names = NEXT_FIELDS.iter();
        let is_text = |name: &&&str| {
            let field = object.fields.get(**name);
            field.is_some_and(|field| field.is_scalar() || field.kind == Kind::Any)
        };
        names.find(is_text).map(|name| (*name).to_owned())
    };
    direct(object).or_else(|| {
        let mut objects = NEXT_OBJECTS.iter();
        objects.find_map(|name| {
            let inner = object.fields.get(*name)?.as_object()?;
            Some(format!("{name}.{}", direct(inner)?))
        })
    })
}
