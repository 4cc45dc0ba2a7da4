//! Seals secrets with public keys, as libsodium's sealed boxes do. The only place that uses the cryptography.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use crypto_box::PublicKey;
use crypto_box::aead::OsRng;

use capstan_core::{ErrorCode, ResultError};

/// Seals a text so that only the owner of the key can read it. The key and the result are in Base64.
pub(crate) fn seal(secret: &str, key: &str) -> Result<String, ResultError> {
    let bytes = STANDARD.decode(key.trim()).ok();
    let key = bytes.and_then(|bytes| PublicKey::from_slice(&bytes).ok());
    let Some(key) = key else {
        let message = "GitHub's public key is not a key of 32 bytes in Base64, so the secret cannot \
                       be sealed: nothing was sent";
        return Err(ResultError::new(ErrorCode::Server, message));
    };
    let sealed = key
        .seal(&mut OsRng, secret.as_bytes())
        .map_err(|_| ResultError::new(ErrorCode::Unknown, "the secret could not be sealed"))?;
    Ok(STANDARD.encode(sealed))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crypto_box::SecretKey;

    #[test]
    fn only_the_owner_of_the_key_reads_what_was_sealed() {
        let own = SecretKey::generate(&mut OsRng);
        let key = STANDARD.encode(own.public_key().as_bytes());
        for secret in ["", "hunter2", "zwei\nZeilen \u{1f511}"] {
            let sealed = seal(secret, &key).unwrap();
            let bytes = STANDARD.decode(&sealed).unwrap();
            assert_eq!(own.unseal(&bytes).unwrap(), secret.as_bytes());
            let other = SecretKey::generate(&mut OsRng);
            assert!(other.unseal(&bytes).is_err());
            assert_ne!(
                seal(secret, &key).unwrap(),
                sealed,
                "each box has a key of its own"
            );
        }
    }

    #[test]
    fn other_texts_are_no_keys() {
        for key in [
            "",
            "hunter2",
            "AAAA",
            "not base64!",
            &STANDARD.encode([7; 33]),
        ] {
            let error = seal("hunter2", key).unwrap_err();
            assert_eq!(error.code, ErrorCode::Server, "{key}");
            assert!(!error.message.contains("hunter2"));
        }
    }
}
