//! Signed addresses with an expiry date.

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use sha2::{Digest as _, Sha256};
use url::form_urlencoded;

/// The simulator has no secrets; the signature only has to change with the path and the expiry date.
const KEY: &str = "github-sim storage";

/// Why an address is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AddressError {
    Signature,
    Expired,
}

/// Returns the address of a path that is valid until `expires`, in seconds since 1970.
pub(crate) fn sign(origin: &str, segments: &[&str], expires: i64) -> String {
    let path: String = segments
        .iter()
        .map(|segment| format!("/{}", utf8_percent_encode(segment, NON_ALPHANUMERIC)))
        .collect();
    let signature = signature(&path, &expires.to_string());
    format!("{origin}{path}?expires={expires}&signature={signature}")
}

/// Checks the query of a signed address. `path` is as it was sent; `now` is in seconds since 1970.
pub(crate) fn verify(path: &str, query: &str, now: i64) -> Result<(), AddressError> {
    let value = |wanted: &str| {
        form_urlencoded::parse(query.as_bytes())
            .find(|(name, _)| name == wanted)
            .map(|(_, value)| value.into_owned())
            .unwrap_or_default()
    };
    let expires = value("expires");
    if signature(path, &expires) != value("signature") {
        return Err(AddressError::Signature);
    }
    match expires.parse::<i64>() {
        Ok(expires) if now < expires => Ok(()),
        _ => Err(AddressError::Expired),
    }
}

fn signature(path: &str, expires: &str) -> String {
    let digest = Sha256::digest(format!("{KEY}\n{path}\n{expires}"));
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_bound_to_its_path_and_expires() {
        let url = sign("http://x", &["logs", "a b", "../c"], 100);
        let (path, query) = url["http://x".len()..].split_once('?').unwrap();
        assert_eq!(path, "/logs/a%20b/%2E%2E%2Fc");
        assert_eq!(verify(path, query, 99), Ok(()));
        assert_eq!(verify(path, query, 100), Err(AddressError::Expired));
        assert_eq!(
            verify("/logs/other", query, 99),
            Err(AddressError::Signature)
        );
        let later = query.replace("expires=100", "expires=999");
        assert_eq!(verify(path, &later, 99), Err(AddressError::Signature));
    }
}
