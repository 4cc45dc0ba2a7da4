//! The `Link` header, which names the next page.

use http::HeaderMap;
use http::header::LINK;

/// Returns the query of the address that a `Link` header gives for the next page.
pub fn next_page_query(headers: &HeaderMap) -> Option<String> {
    let links = headers.get_all(LINK).iter();
    links
        .filter_map(|link| link.to_str().ok())
        .flat_map(|link| link.split(','))
        .find_map(|link| {
            let (address, parameters) = link.split_once('>')?;
            let is_next = |parameter: &str| matches!(parameter.trim(), "rel=\"next\"" | "rel=next");
            let address = address.trim_start().strip_prefix('<')?;
            parameters
                .split(';')
                .any(is_next)
                .then(|| query_of(address).to_owned())
        })
}

/// Returns the query of an address, which may be relative; empty if it has none.
pub fn query_of(address: &str) -> &str {
    let query = address.split_once('?').map_or("", |(_, query)| query);
    query.split('#').next().unwrap_or_default()
}
