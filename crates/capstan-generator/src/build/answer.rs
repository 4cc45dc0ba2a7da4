//! What the answer of an operation is like.

use crate::description::{Kind, Method, Object, Operation, Schema};

/// Fields beside a list that only count its rows.
const COUNTS: [&str; 4] = ["total_count", "total", "count", "incomplete_results"];
/// How many fields an object with a list may have to be a list, if it has no count.
const MAX_FIELDS: usize = 3;

#[derive(Clone, Copy, Debug)]
pub(crate) enum AnswerShape<'a> {
    List(ListShape<'a>),
    Object(&'a Object),
    /// Found or not found.
    YesOrNo,
    /// The address of a file.
    Redirect,
    Text,
    Nothing,
    Any,
}

/// A list, or an object whose purpose is a list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ListShape<'a> {
    pub(crate) items: &'a Schema,
    /// The object in which the list is, and the name of its field.
    pub(crate) inside: Option<(&'a Object, &'a str)>,
}

impl<'a> AnswerShape<'a> {
    pub(crate) fn of(operation: &'a Operation) -> Self {
        let is_read = operation.method == Method::Get;
        if let Some(schema) = operation.json_answer() {
            let says_nothing = schema
                .as_object()
                .is_some_and(|object| object.fields.is_empty() && object.values.is_none());
            return if says_nothing && !is_read {
                Self::Nothing
            } else {
                Self::of_schema(schema)
            };
        }
        if operation.content().is_some() {
            return Self::Text;
        }
        if is_read && operation.has_status(204) {
            Self::YesOrNo
        } else if is_read && operation.has_status(302) {
            Self::Redirect
        } else {
            Self::Nothing
        }
    }

    pub(crate) fn of_schema(schema: &'a Schema) -> Self {
        match &schema.kind {
            Kind::List(items) => Self::List(ListShape {
                items,
                inside: None,
            }),
            Kind::Object(object) if object.fields.is_empty() => Self::Any,
            Kind::Object(object) => match list_in(object) {
                Some(list) => Self::List(list),
                None => Self::Object(object),
            },
            _ => Self::Any,
        }
    }
}

/// Returns the only list of objects in an object, or else its only list, if the object looks like a page of a list.
fn list_in(object: &Object) -> Option<ListShape<'_>> {
    let lists = object
        .fields
        .iter()
        .filter_map(|(name, schema)| Some((name.as_str(), schema.as_list()?)));
    let (of_objects, of_others): (Vec<_>, Vec<_>) =
        lists.partition(|(_, items)| items.as_object().is_some());
    let (name, items) = match (of_objects.as_slice(), of_others.as_slice()) {
        ([only], _) | ([], [only]) => *only,
        _ => return None,
    };
    let is_page = object.fields.contains_key("total_count") || object.fields.len() <= MAX_FIELDS;
    is_page.then_some(ListShape {
        items,
        inside: Some((object, name)),
    })
}

impl<'a> ListShape<'a> {
    /// Returns the name of the field that counts the rows.
    pub(crate) fn total(&self) -> Option<&'a str> {
        let (object, _) = self.inside?;
        let fields = object.fields.iter();
        let mut counts = fields.filter(|(name, schema)| {
            matches!(name.as_str(), "total_count" | "total") && schema.kind == Kind::Integer
        });
        counts.next().map(|(name, _)| name.as_str())
    }

    /// Returns whether there is something beside the list that is worth reading.
    pub(crate) fn has_companions(&self) -> bool {
        self.inside.is_some_and(|(object, list)| {
            let mut others = object.fields.keys().filter(|name| *name != list);
            others.any(|name| !COUNTS.contains(&name.as_str()) && !name.ends_with("url"))
        })
    }
}
