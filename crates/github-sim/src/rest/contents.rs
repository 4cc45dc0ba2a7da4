//! Text files on the default branch.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;

use super::result::{RestError, RestResult, ok};
use super::route::RepoAccess;
use crate::world::World;

pub(super) fn one(world: &World, access: RepoAccess, path: &str) -> RestResult {
    let view = access.view(world)?;
    let text = view.repo.files.get(path).ok_or(RestError::NotFound)?;
    let branch = &view.repo.default_branch;
    ok(&json!({
        "type": "file",
        "encoding": "base64",
        "size": text.len(),
        "name": path.rsplit('/').next(),
        "path": path,
        "content": STANDARD.encode(text),
        "url": format!("{}/contents/{path}?ref={branch}", view.api()),
        "html_url": format!("{}/blob/{branch}/{path}", view.web()),
    }))
}
