//! The base address of an API, and addresses below it. What is sent there is encrypted or stays on this machine.

use url::Url;

use crate::is_loopback;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BaseUrlError {
    #[error("`{0}` is not an address that starts with `https://`")]
    Address(String),
    #[error(
        "`{0}` would send the token unencrypted: use https (plain http is for loopback addresses only)"
    )]
    Unencrypted(Url),
    #[error("`{0}` must not carry a user name, a password, a query or a fragment")]
    Extras(String),
}

/// Why a path does not lead to an address below a base address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathError {
    NotAPath,
    /// It is a whole address of something else.
    Elsewhere,
}

/// Parses the base address of an API. A token that is sent to it is encrypted or stays on this machine.
pub fn parse_base_url(text: &str) -> Result<Url, BaseUrlError> {
    let url = Url::parse(text).map_err(|_| BaseUrlError::Address(without_secrets(text)))?;
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
        return Err(BaseUrlError::Address(without_secrets(text)));
    }
    let extras = !url.username().is_empty()
        || url.password().is_some()
        || url.query().is_some()
        || url.fragment().is_some();
    if extras {
        return Err(BaseUrlError::Extras(without_secrets(text)));
    }
    if url.scheme() == "http" && !is_loopback(&url) {
        return Err(BaseUrlError::Unencrypted(url));
    }
    Ok(url)
}

/// Returns the address of a path below a base address. Paths contain user input, so dots or slashes in it must not lead
/// elsewhere. A whole address is fine if it is below the base.
pub fn address_below(base: &Url, path: &str) -> Result<Url, PathError> {
    let prefix = base.as_str().trim_end_matches('/');
    let path = match path.split_once("://") {
        Some((scheme, _)) if !scheme.contains(['/', '?']) => {
            let below = path.strip_prefix(prefix);
            below
                .filter(|path| path.starts_with('/'))
                .ok_or(PathError::Elsewhere)?
        }
        _ => path,
    };
    let plain = path.split(['?', '#']).next().unwrap_or_default();
    let dotted = plain.split('/').any(|segment| {
        let segment = segment.to_ascii_lowercase().replace("%2e", ".");
        segment == "." || segment == ".."
    });
    if !path.starts_with('/') || path.starts_with("//") || dotted || path.contains('\\') {
        return Err(PathError::NotAPath);
    }
    Url::parse(&format!("{prefix}{path}"))
        .ok()
        .filter(|url| url.origin() == base.origin())
        .ok_or(PathError::NotAPath)
}

/// Returns an address for an error message, without parts that may be a password or a token.
fn without_secrets(address: &str) -> String {
    let plain = address.split(['?', '#']).next().unwrap_or_default();
    match (plain.find("://"), plain.rfind('@')) {
        (Some(scheme), Some(at)) if scheme < at => {
            format!("{}{}", &plain[..scheme + 3], &plain[at + 1..])
        }
        _ => plain.to_owned(),
    }
}
