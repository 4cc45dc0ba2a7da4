//! Secrets: GitHub takes them only sealed with a public key. Callers give the secret itself.

use crate::description::Object;

/// The field that holds what was sealed.
const SEALED: &str = "encrypted_value";
/// The field that tells with which key.
const KEY: &str = "key_id";
/// The input in which the secret is given.
const INPUT: &str = "value";

/// How a secret is sent.
pub(super) struct SealedSecret {
    pub(super) field: &'static str,
    pub(super) input: &'static str,
    /// The field that whoever seals it fills.
    pub(super) key: &'static str,
}

/// Returns how the secret of a body is sent, if there is one.
pub(super) fn sealed_in(body: &Object) -> Option<SealedSecret> {
    let has = |name: &str| body.fields.contains_key(name);
    let is_sealed = has(SEALED) && has(KEY) && !has(INPUT);
    is_sealed.then_some(SealedSecret {
        field: SEALED,
        input: INPUT,
        key: KEY,
    })
}
