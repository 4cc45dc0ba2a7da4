//! Pages: `page` and `per_page`, and the `Link` header that leads on.

use http::StatusCode;
use serde_json::{Value, json};
use url::form_urlencoded;

use super::reply::Reply;
use super::request::RestRequest;
use crate::http::Answer;

const DEFAULT_SIZE: usize = 30;
const LARGEST_SIZE: usize = 100;

/// One page of a list, as a JSON array.
pub(crate) fn list<T>(
    request: &RestRequest<'_>,
    items: Vec<T>,
    present: impl FnMut(T) -> Value,
) -> Reply {
    let (page, link) = cut(request, items);
    let body = Value::Array(page.into_iter().map(present).collect());
    Ok(linked(Answer::json(StatusCode::OK, &body), link))
}

/// One page of a list inside an object that counts the whole: `{"total_count": n, <key>: […]}`.
pub(crate) fn counted<T>(
    request: &RestRequest<'_>,
    key: &str,
    items: Vec<T>,
    present: impl FnMut(T) -> Value,
) -> Reply {
    let total = items.len();
    let (page, link) = cut(request, items);
    let rows: Vec<Value> = page.into_iter().map(present).collect();
    let body = json!({ "total_count": total, key: rows });
    Ok(linked(Answer::json(StatusCode::OK, &body), link))
}

/// The items of the page that is asked for, and the `Link` header if there are other pages.
pub(crate) fn cut<T>(request: &RestRequest<'_>, items: Vec<T>) -> (Vec<T>, Option<String>) {
    let size = request
        .number_param("per_page")
        .unwrap_or(DEFAULT_SIZE)
        .min(LARGEST_SIZE);
    let page = request.number_param("page").unwrap_or(1);
    let last = items.len().div_ceil(size).max(1);
    let link = link_header(request, page, last);
    let from = (page - 1).saturating_mul(size);
    (items.into_iter().skip(from).take(size).collect(), link)
}

pub(crate) fn linked(answer: Answer, link: Option<String>) -> Answer {
    match link {
        Some(link) => answer.with("link", link),
        None => answer,
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
        .map(|(page, rel)| format!("<{}>; rel=\"{rel}\"", url_of(request, page)))
        .collect();
    (!links.is_empty()).then(|| links.join(", "))
}

/// The request's own address with another page number.
fn url_of(request: &RestRequest<'_>, page: usize) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    for (key, value) in &request.query {
        if key != "page" {
            query.append_pair(key, value);
        }
    }
    query.append_pair("page", &page.to_string());
    format!("{}{}?{}", request.base, request.path, query.finish())
}
