//! Public keys for secrets, and the secrets that were encrypted for them.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::{Method, StatusCode};
use serde_json::{Value, json};

use super::operation::DocumentedOperation;
use crate::rest::request::RestRequest;
use crate::rest::result::{RestError, RestResult, ok};
use crate::world::{SECRETS_KEY_ID, SECRETS_PUBLIC_KEY, SealedSecret, World};

/// A sealed box has a public key and a checksum before the text.
const MIN_SEALED_BYTES: usize = 48;

/// Answers a request for a public key, and keeps a sealed value; `None` if the example is the answer.
pub(super) fn respond(
    world: &mut World,
    request: &RestRequest<'_>,
    operation: &DocumentedOperation,
) -> Option<RestResult> {
    if operation.path.ends_with("/public-key") && *request.method != Method::POST {
        let mut body = operation.answer.as_ref()?.value.clone();
        body["key_id"] = json!(SECRETS_KEY_ID);
        body["key"] = json!(STANDARD.encode(SECRETS_PUBLIC_KEY));
        return Some(ok(&body));
    }
    let sealed = request.body.get("encrypted_value")?.as_str()?;
    let knows_values = operation
        .body
        .as_ref()?
        .properties
        .contains_key("encrypted_value");
    if !knows_values {
        return None;
    }
    let key = request.body.get("key_id").and_then(Value::as_str);
    if key.is_some_and(|key| key != SECRETS_KEY_ID) {
        let message = "The key_id does not match the public key of this resource.";
        return Some(refused(message));
    }
    let length = STANDARD.decode(sealed).map(|bytes| bytes.len());
    if !length.is_ok_and(|length| length >= MIN_SEALED_BYTES) {
        return Some(refused(
            "The encrypted_value is not a sealed box in Base64.",
        ));
    }
    world.memory.sealed_secrets.push(SealedSecret {
        path: format!("/{}", request.segments.join("/")),
        encrypted_value: sealed.to_owned(),
    });
    None
}

fn refused(message: &str) -> RestResult {
    Err(RestError::Other(
        StatusCode::UNPROCESSABLE_ENTITY,
        message.to_owned(),
    ))
}
