//! Secrets: what a client encrypts for the public key can be decrypted with the private one.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use crypto_box::aead::OsRng;
use crypto_box::{PublicKey, SecretKey};
use github_sim::world::SECRETS_PRIVATE_KEY;
use serde_json::json;

use crate::client::Host;

#[tokio::test]
async fn a_sealed_secret_can_be_opened_with_the_private_key() {
    let host = Host::demo().await;
    for folder in [
        "/repos/acme/rocket/actions/secrets",
        "/repos/acme/rocket/codespaces/secrets",
        "/repos/acme/rocket/dependabot/secrets",
        "/repos/acme/rocket/environments/production/secrets",
        "/orgs/acme/actions/secrets",
        "/orgs/acme/dependabot/secrets",
        "/user/codespaces/secrets",
    ] {
        let key = host.get(&format!("{folder}/public-key")).await.json();
        let bytes = STANDARD.decode(key["key"].as_str().unwrap()).unwrap();
        let public = PublicKey::from_slice(&bytes).unwrap();
        let sealed = public.seal(&mut OsRng, b"hunter2").unwrap();
        let body = json!({
            "encrypted_value": STANDARD.encode(sealed),
            "key_id": key["key_id"],
            "visibility": "all",
        });
        let path = format!("{folder}/TOKEN");
        assert_eq!(
            host.call("PUT", &path, body.clone()).await.status,
            201,
            "{path}"
        );
        assert_eq!(host.call("PUT", &path, body).await.status, 204, "{path}");

        let kept = host
            .sim
            .world(|world| world.memory.sealed_secrets.last().cloned());
        let kept = kept.unwrap();
        assert_eq!(kept.path, path);
        let sealed = STANDARD.decode(kept.encrypted_value).unwrap();
        let opened = SecretKey::from(SECRETS_PRIVATE_KEY)
            .unseal(&sealed)
            .unwrap();
        assert_eq!(opened, b"hunter2");
        let shown = host.get(&path).await.json();
        assert_eq!(shown["name"], "TOKEN");
        assert!(shown["encrypted_value"].is_null());
    }
}

#[tokio::test]
async fn a_value_that_was_not_sealed_for_the_key_is_refused() {
    let host = Host::demo().await;
    let path = "/repos/acme/rocket/actions/secrets/TOKEN";
    let key = host
        .get("/repos/acme/rocket/actions/secrets/public-key")
        .await
        .json();
    for (value, id) in [
        (STANDARD.encode("hunter2"), key["key_id"].clone()),
        ("hunter2".to_owned(), key["key_id"].clone()),
        ("A".repeat(64), json!("other")),
    ] {
        let body = json!({ "encrypted_value": value, "key_id": id });
        assert_eq!(host.call("PUT", path, body).await.status, 422);
    }
    assert!(
        host.sim
            .world(|world| world.memory.sealed_secrets.is_empty())
    );
}
