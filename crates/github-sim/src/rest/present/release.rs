//! Releases.

use serde_json::{Value, json};

use super::account;
use super::view::{View, optional_time};
use crate::world::{NodeKind, Release, rest_time};

impl View<'_> {
    pub(crate) fn release(&self, release: &Release) -> Value {
        let api = format!("{}/releases/{}", self.api(), release.id);
        json!({
            "url": api,
            "assets_url": format!("{api}/assets"),
            "upload_url": format!("https://uploads.github.com/repos/{}/releases/{}/assets{{?name,label}}", self.repo.full_name(), release.id),
            "html_url": format!("{}/releases/tag/{}", self.web(), release.tag),
            "id": release.id,
            "author": account::user(self.world, &release.author),
            "node_id": self.node_id(NodeKind::Release, release.id),
            "tag_name": release.tag,
            "target_commitish": release.target,
            "name": release.name,
            "draft": release.draft,
            "immutable": false,
            "prerelease": release.prerelease,
            "created_at": rest_time(release.created_at),
            "updated_at": rest_time(release.created_at),
            "published_at": optional_time(release.published_at),
            "assets": [],
            "tarball_url": format!("{}/tarball/{}", self.api(), release.tag),
            "zipball_url": format!("{}/zipball/{}", self.api(), release.tag),
            "body": release.body,
        })
    }
}
