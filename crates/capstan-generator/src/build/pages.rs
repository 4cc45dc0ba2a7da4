//! How a list continues: which parameters and headers turn its pages.

use capstan_catalog::outline::Pages;

use crate::description::{Kind, Method, Operation, Place};

/// Returns how the list of an operation continues, if it has pages.
pub(super) fn pages_of(operation: &Operation) -> Option<Pages> {
    if operation.method != Method::Get {
        return None;
    }
    let has = |name: &str| operation.parameter(Place::Query, name).is_some();
    let since = operation.parameter(Place::Query, "since");
    let is_since_id = since.is_some_and(|since| since.schema.kind == Kind::Integer);
    let has_link = || operation.content().is_some_and(|answer| answer.has_link);
    if has("page") {
        Some(Pages::Page)
    } else if has("after") && (has("per_page") || has("before") || has("first")) {
        Some(Pages::Cursor)
    } else if has("cursor") {
        Some(Pages::CursorParam)
    } else if is_since_id {
        Some(Pages::Since)
    } else if has_link() {
        Some(Pages::Link)
    } else {
        None
    }
}

/// Returns whether a parameter turns pages, so that callers do not set it themselves.
pub(super) fn turns_pages(pages: Pages, name: &str) -> bool {
    match name {
        "page" | "per_page" | "before" | "after" | "cursor" => true,
        "first" | "last" => true,
        "since" => pages == Pages::Since,
        _ => false,
    }
}
