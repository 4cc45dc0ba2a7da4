//! The address of an embeddings endpoint.

use capstan_http::is_loopback;
use url::Url;

/// The path that is appended to the base address.
const PATH: &str = "embeddings";

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    #[error("`{0}` is not an address such as `https://api.openai.com/v1`")]
    Address(String),
    #[error(
        "`{0}` would send texts and the key unencrypted: use https (plain http is for loopback addresses only)"
    )]
    Unencrypted(Url),
    #[error("`{0}` must not carry a user name, a password, a query or a fragment")]
    Extras(String),
}

/// Returns the address to which requests are sent.
pub(super) fn embeddings_url(base: &str) -> Result<Url, AddressError> {
    let bad = || AddressError::Address(without_secrets(base));
    let mut url = Url::parse(base.trim()).map_err(|_| bad())?;
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
        return Err(bad());
    }
    let extras = !url.username().is_empty()
        || url.password().is_some()
        || url.query().is_some()
        || url.fragment().is_some();
    if extras {
        return Err(AddressError::Extras(without_secrets(base)));
    }
    if url.scheme() == "http" && !is_loopback(&url) {
        return Err(AddressError::Unencrypted(url));
    }
    let whole = url
        .path_segments()
        .is_some_and(|mut parts| parts.next_back() == Some(PATH));
    if !whole {
        let mut parts = url.path_segments_mut().map_err(|()| bad())?;
        parts.pop_if_empty().push(PATH);
    }
    Ok(url)
}

/// Returns an address for an error message, without parts that may be a password or a key.
fn without_secrets(address: &str) -> String {
    let plain = address.split(['?', '#']).next().unwrap_or_default();
    let Some((before, host)) = plain.rsplit_once('@') else {
        return plain.to_owned();
    };
    match before.split_once("://") {
        Some((scheme, _)) => format!("{scheme}://{host}"),
        None => host.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_is_appended_once() {
        for (base, whole) in [
            (
                "https://api.openai.com/v1",
                "https://api.openai.com/v1/embeddings",
            ),
            ("https://h.org/v1/", "https://h.org/v1/embeddings"),
            ("https://h.org/v1/embeddings", "https://h.org/v1/embeddings"),
            (
                "http://localhost:11434",
                "http://localhost:11434/embeddings",
            ),
            ("http://[::1]:1/v1", "http://[::1]:1/v1/embeddings"),
        ] {
            assert_eq!(embeddings_url(base).unwrap().as_str(), whole);
        }
    }

    #[test]
    fn plain_http_is_for_loopback_only() {
        for bad in [
            "http://h.org/v1",
            "http://10.0.0.1",
            "http://localhost.evil.org",
        ] {
            let error = embeddings_url(bad).unwrap_err().to_string();
            assert!(error.contains("plain http is for loopback"), "{error}");
        }
    }

    #[test]
    fn passwords_in_addresses_are_refused_and_not_repeated() {
        for bad in [
            "https://u:sesame@h.org",
            "https://h.org?key=sesame",
            "ftp://x:sesame@h",
            "u:sesame@h.org",
            "//u:sesame@h.org/",
        ] {
            let error = embeddings_url(bad).unwrap_err().to_string();
            assert!(!error.contains("sesame"), "{error}");
        }
    }
}
