//! The rows of an answer: enough of them for several pages, cut into the page that the request asks for.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use url::form_urlencoded;

use super::operation::{DocumentedOperation, Paging};
use crate::rest::page::{DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE, paginate};
use crate::rest::request::RestRequest;

/// How many rows a list has at least, so that `per_page=1` has several pages.
const MIN_ROWS: usize = 3;

/// Cuts the rows of an answer into the requested page and returns the `Link` header, if there are other pages.
pub(super) fn cut(
    operation: &DocumentedOperation,
    answer: &mut Value,
    request: &RestRequest<'_>,
) -> Option<String> {
    let paging = operation.paging?;
    let list = match (&operation.rows, &mut *answer) {
        (Some(name), Value::Object(fields)) => fields.get_mut(name)?,
        (None, Value::Array(_)) => answer,
        _ => return None,
    };
    let Value::Array(rows) = list else {
        return None;
    };
    let rows_of_all = enough(std::mem::take(rows));
    let total = rows_of_all.len();
    let (page, link) = page_of(paging, rows_of_all, request);
    *rows = page;
    if let Value::Object(fields) = answer
        && let Some(count) = fields.get_mut("total_count")
    {
        *count = Value::from(total);
    }
    link
}

/// Repeats the rows with other identities until there are enough. An empty list stays empty.
fn enough(mut rows: Vec<Value>) -> Vec<Value> {
    if rows.is_empty() {
        return rows;
    }
    let known = rows.len();
    for index in known..MIN_ROWS {
        let mut copy = rows[index % known].clone();
        let shift = index / known;
        match &mut copy {
            Value::Object(fields) => {
                for (name, value) in fields {
                    shift_identity(name, value, shift);
                }
            }
            text => shift_identity("name", text, shift),
        }
        rows.push(copy);
    }
    rows
}

fn shift_identity(name: &str, value: &mut Value, shift: usize) {
    match value {
        Value::Number(number) if matches!(name, "id" | "number") => {
            if let Some(old) = number.as_u64() {
                *value = Value::from(old.saturating_add(u64::try_from(shift).unwrap_or(1)));
            }
        }
        Value::String(text)
            if matches!(
                name,
                "id" | "node_id" | "name" | "login" | "slug" | "full_name" | "key" | "ghsa_id"
            ) =>
        {
            text.push_str(&format!("-{}", shift + 1));
        }
        _ => {}
    }
}

fn page_of(
    paging: Paging,
    rows: Vec<Value>,
    request: &RestRequest<'_>,
) -> (Vec<Value>, Option<String>) {
    let size = request
        .number_param("per_page")
        .unwrap_or(DEFAULT_PAGE_SIZE)
        .min(MAX_PAGE_SIZE);
    let has_cursor = request.param("after").is_some() || request.param("before").is_some();
    match paging {
        Paging::PageAndAfter if !has_cursor => paginate(request, rows),
        Paging::Page => paginate(request, rows),
        Paging::After | Paging::PageAndAfter => {
            let total = rows.len();
            let from = match (position(request, "after"), position(request, "before")) {
                (Some(after), _) => after.saturating_add(1),
                (None, Some(before)) => before.saturating_sub(size),
                (None, None) => 0,
            };
            let from = from.min(total);
            let to = match position(request, "before") {
                Some(before) if position(request, "after").is_none() => before.min(total),
                _ => from.saturating_add(size).min(total),
            };
            let mut links = Vec::new();
            if from > 0 {
                links.push(link(request, ("before", &cursor(from)), "prev"));
            }
            if to < total && to > 0 {
                links.push(link(request, ("after", &cursor(to - 1)), "next"));
            }
            let page = rows.into_iter().skip(from).take(to.saturating_sub(from));
            (page.collect(), joined(&links))
        }
        Paging::Cursor => {
            let from = position(request, "cursor").unwrap_or(0).min(rows.len());
            let to = from.saturating_add(size).min(rows.len());
            let next = (to < rows.len()).then(|| link(request, ("cursor", &cursor(to)), "next"));
            let page = rows.into_iter().skip(from).take(to - from);
            (page.collect(), next)
        }
        Paging::SinceId => {
            let since = request.number_param("since").unwrap_or(0);
            let id_of = |row: &Value| {
                let id = row["id"].as_u64().unwrap_or_default();
                usize::try_from(id).unwrap_or(usize::MAX)
            };
            let mut rows: Vec<Value> = rows.into_iter().filter(|row| id_of(row) > since).collect();
            let has_more = rows.len() > size;
            rows.truncate(size);
            let next = rows.last().filter(|_| has_more).map(|row| {
                let last = id_of(row).to_string();
                link(request, ("since", &last), "next")
            });
            (rows, next)
        }
    }
}

/// An opaque cursor for the row with this index.
fn cursor(index: usize) -> String {
    STANDARD.encode(format!("cursor:{index}"))
}

/// Returns the index of the row in a cursor of the request; `None` for other texts.
fn position(request: &RestRequest<'_>, name: &str) -> Option<usize> {
    let bytes = STANDARD.decode(request.param(name)?).ok()?;
    let text = String::from_utf8(bytes).ok()?;
    text.strip_prefix("cursor:")?.parse().ok()
}

fn joined(links: &[String]) -> Option<String> {
    (!links.is_empty()).then(|| links.join(", "))
}

/// Returns the address of the request with another position.
fn link(request: &RestRequest<'_>, (name, value): (&str, &str), rel: &str) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    for (key, value) in &request.query {
        if !matches!(
            key.as_str(),
            "page" | "after" | "before" | "cursor" | "since"
        ) {
            query.append_pair(key, value);
        }
    }
    query.append_pair(name, value);
    format!(
        "<{}{}?{}>; rel=\"{rel}\"",
        request.base,
        request.path,
        query.finish()
    )
}
