//! The tools of downstream servers.

use serde_json::json;

use super::*;

pub(crate) async fn are_remembered(backend: &Backend) {
    let store = backend.open();
    let tools = json!([{"name": "read", "inputSchema": {"type": "object"}}]);
    store
        .remember_tools("files", "npx files", tools.clone(), 1)
        .await
        .unwrap();
    let other = backend.open();
    assert_eq!(
        other.known_tools("files", "npx files").await,
        Ok(Some(tools))
    );
    assert_eq!(other.known_tools("other", "npx files").await, Ok(None));

    store
        .remember_tools("files", "npx files", json!([]), 2)
        .await
        .unwrap();
    assert_eq!(
        other.known_tools("files", "npx files").await,
        Ok(Some(json!([])))
    );
}

pub(crate) async fn another_configuration_makes_them_stale(backend: &Backend) {
    let store = backend.open();
    store
        .remember_tools("files", "old", json!([1]), 1)
        .await
        .unwrap();
    assert_eq!(store.known_tools("files", "new").await, Ok(None));
    store
        .remember_tools("files", "new", json!([2]), 2)
        .await
        .unwrap();
    assert_eq!(store.known_tools("files", "old").await, Ok(None));
    assert_eq!(
        store.known_tools("files", "new").await,
        Ok(Some(json!([2])))
    );
}
