//! Pagination: `page`, `per_page` and the `Link` header.

use http::StatusCode;
use serde_json::{Value, json};
use url::form_urlencoded;

use super::request::RestRequest;
use super::result::RestResult;
use crate::http::HttpResponse;

pub(super) const DEFAULT_PAGE_SIZE: usize = 30;
pub(super) const MAX_PAGE_SIZE: usize = 100;

/// Returns one page of a list as a JSON array.
pub(crate) fn list<T>(
    request: &RestRequest<'_>,
    items: Vec<T>,
    present: impl FnMut(T) -> Value,
) -> RestResult {
    let (page, link) = paginate(request, items);
    let body = Value::Array(page.into_iter().map(present).collect());
    Ok(with_link(HttpResponse::json(StatusCode::OK, &body), link))
}

/// Returns one page of a list in an object with the total: `{"total_count": n, <key>: […]}`.
pub(crate) fn counted<T>(
    request: &RestRequest<'_>,
    key: &str,
    items: Vec<T>,
    present: impl FnMut(T) -> Value,
) -> RestResult {
    let total = items.len();
    let (page, link) = paginate(request, items);
    let rows: Vec<Value> = page.into_iter().map(present).collect();
    let body = json!({ "total_count": total, key: rows });
    Ok(with_link(HttpResponse::json(StatusCode::OK, &body), link))
}

/// Returns the items of the requested page, and the `Link` header if there are other pages.
pub(crate) fn paginate<T>(request: &RestRequest<'_>, items: Vec<T>) -> (Vec<T>, Option<String>) {
    let size = request
        .number_param("per_page")
        .unwrap_or(DEFAULT_PAGE_SIZE)
        .min(MAX_PAGE_SIZE);
    let page = request.number_param("page").unwrap_or(1);
    let last = items.len().div_ceil(size).max(1);
    let link = link_header(request, page, last);
    let from = (page - 1).saturating_mul(size);
    (items.into_iter().skip(from).take(size).collect(), link)
}

pub(crate) fn with_link(response: HttpResponse, link: Option<String>) -> HttpResponse {
    match link {
        Some(link) => response.with_header("link", link),
        None => response,
    }
}

fn link_header(request: &RestRequest<'_>, page: usize, last: usize) -> Option<String> {
    let mut links = Vec::new();
    if page > 1 {
        links.push((page - 1, "prev"));
    }
    if page < last {
        links.push((page + 1, "next"));
        links.push((last, "last"));
    }
    if page > 1 {
        links.push((1, "first"));
    }
    let links: Vec<String> = links
        .into_iter()
        .map(|(page, rel)| format!("<{}>; rel=\"{rel}\"", page_url(request, page)))
        .collect();
    (!links.is_empty()).then(|| links.join(", "))
}

/// Returns the address of the request with another page number.
fn page_url(request: &RestRequest<'_>, page: usize) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    for (key, value) in &request.query {
        if key != "page" {
            query.append_pair(key, value);
        }
    }
    query.append_pair("page", &page.to_string());
    format!("{}{}?{}", request.base, request.path, query.finish())
}
