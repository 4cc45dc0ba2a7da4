//! Outlines with a secret: where its public key is, and how both are sent.

use indexmap::IndexMap;
use serde_json::{Value, json};

use super::raw::Outline;
use crate::raw::{RawHttpLookup, RawSealedInput};

/// The lookup of the public key.
const KEY: &str = "public_key";
/// What the sealed secret is called.
const SEALED: &str = "sealed";
/// The blank with the sealed secret.
pub(super) const SEALED_BLANK: &str = "{$sealed}";

/// Returns the lookup of the public key, if an input is sealed.
pub(super) fn key_lookup(outline: &Outline) -> IndexMap<String, RawHttpLookup> {
    let lookup = outline.sealed.iter().map(|_| {
        let lookup = RawHttpLookup {
            path: key_path(&outline.call),
            query: IndexMap::new(),
            root: None,
            each: None,
            pick: None,
            require: None,
            missing: None,
            mend: None,
        };
        (KEY.to_owned(), lookup)
    });
    lookup.collect()
}

/// Returns which input is sealed.
pub(super) fn sealed_input(outline: &Outline) -> IndexMap<String, RawSealedInput> {
    let sealed = outline.sealed.iter().map(|input| {
        let sealed = RawSealedInput {
            input: input.clone(),
            key: format!("${KEY}.key"),
        };
        (SEALED.to_owned(), sealed)
    });
    sealed.collect()
}

/// Returns the field of the body that says which key it was.
pub(super) fn key_field(outline: &Outline) -> Option<(String, Value)> {
    let field = || ("key_id".to_owned(), json!(format!("{{${KEY}.key_id}}")));
    outline.sealed.is_some().then(field)
}

/// Returns the path of the public key: beside the secret, or in the collection to which the secret is added.
fn key_path(call: &str) -> String {
    let path = call.split_once(' ').map_or(call, |(_, path)| path);
    let collection = match path.rsplit_once('/') {
        Some((collection, last)) if last.starts_with('{') => collection,
        _ => path,
    };
    format!("{collection}/public-key")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_is_in_the_collection_of_the_secret() {
        for (call, path) in [
            (
                "PUT /repos/{owner}/{repo}/actions/secrets/{secret_name}",
                "/repos/{owner}/{repo}/actions/secrets/public-key",
            ),
            (
                "POST /orgs/{org}/private-registries",
                "/orgs/{org}/private-registries/public-key",
            ),
        ] {
            assert_eq!(key_path(call), path);
        }
    }
}
