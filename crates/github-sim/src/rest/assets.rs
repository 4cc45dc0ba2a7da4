//! Files of releases: uploaded to another host, downloaded from the storage host.

use http::StatusCode;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::present::{View, user};
use super::request::{RestRequest, path_number};
use super::result::{RestError, RestResult, created, no_content, ok};
use super::route::RepoAccess;
use super::{downloads, media, page};
use crate::world::{Permission, ReleaseAsset, World, rest_time};

const RESOURCE: &str = "ReleaseAsset";

/// Answers a request to the host for uploads, which has one operation.
pub(super) fn upload(world: &mut World, request: &RestRequest<'_>) -> RestResult {
    let segments: Vec<&str> = request.segments.iter().map(String::as_str).collect();
    let ("POST", ["repos", owner, name, "releases", release, "assets"]) =
        (request.method.as_str(), segments.as_slice())
    else {
        return Err(RestError::NotFound);
    };
    let repo = world.visible_repo(request.viewer, owner, name)?;
    let release = path_number(release)?;
    world.authorize(
        request.viewer,
        repo,
        Permission::Write,
        "UploadReleaseAsset",
    )?;
    let name = request
        .param("name")
        .ok_or_else(|| RestError::missing(RESOURCE, "name"))?;
    if request.content_type.is_empty() || request.payload.is_empty() {
        let message = "Bad Content-Length or Content-Type: an asset has a type and is not empty";
        return Err(RestError::Other(
            StatusCode::BAD_REQUEST,
            message.to_owned(),
        ));
    }
    // GitHub replaces what does not belong into a file name.
    let is_usual = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    let name: String = name
        .chars()
        .map(|c| if is_usual(c) { c } else { '.' })
        .collect();
    let is_known = world
        .memory
        .assets_of(repo, release)
        .any(|asset| asset.name == name);
    if is_known {
        return Err(RestError::already_exists(RESOURCE, "name"));
    }
    let created_at = world.clock.now();
    let id = world.add_asset(ReleaseAsset {
        id: 0,
        repo,
        release,
        name,
        label: request.param("label").map(str::to_owned),
        content_type: request.content_type.to_owned(),
        uploader: request.viewer.login.clone(),
        created_at,
        bytes: request.payload.to_vec(),
    });
    let view = View::new(world, repo).ok_or(RestError::NotFound)?;
    let asset = world.memory.asset(repo, id).ok_or(RestError::NotFound)?;
    created(&present(&view, asset))
}

/// Lists the files of a release. A release without files, and a release that does not exist, has the example's.
pub(super) fn list(
    world: &World,
    request: &RestRequest<'_>,
    access: RepoAccess,
    release: &str,
) -> RestResult {
    let view = access.view(world)?;
    let release = path_number(release)?;
    let found: Vec<&ReleaseAsset> = world.memory.assets_of(access.repo, release).collect();
    if found.is_empty() {
        return Err(RestError::Unrouted);
    }
    page::list(request, found, |asset| present(&view, asset))
}

/// Describes a file, or redirects to its bytes if these are asked for.
pub(super) fn one(
    world: &World,
    request: &RestRequest<'_>,
    access: RepoAccess,
    id: &str,
) -> RestResult {
    let view = access.view(world)?;
    let id = path_number(id)?;
    if media::accepts(request, "application/octet-stream") {
        let path = ["assets", &view.repo.owner, &view.repo.name, &id.to_string()];
        return downloads::redirect(world, request, &path);
    }
    let asset = world.memory.asset(access.repo, id);
    ok(&present(&view, asset.ok_or(RestError::Unrouted)?))
}

pub(super) fn delete(
    world: &mut World,
    request: &RestRequest<'_>,
    access: RepoAccess,
    id: &str,
) -> RestResult {
    let id = path_number(id)?;
    if world.memory.asset(access.repo, id).is_none() {
        return Err(RestError::Unrouted);
    }
    world.authorize(
        request.viewer,
        access.repo,
        Permission::Write,
        "DeleteReleaseAsset",
    )?;
    world.memory.assets.retain(|asset| asset.id != id);
    world.record_documented_write();
    no_content()
}

/// Writes what the presenter of releases cannot know: the files, and where this simulator takes uploads.
pub(super) fn complete_release(
    view: &View<'_>,
    request: &RestRequest<'_>,
    release: u64,
    body: &mut Value,
) {
    let assets = view.world.memory.assets_of(view.id, release);
    body["assets"] = assets.map(|asset| present(view, asset)).collect();
    body["upload_url"] = json!(format!(
        "{}/repos/{}/releases/{release}/assets{{?name,label}}",
        request.storage_url,
        view.repo.full_name()
    ));
}

fn present(view: &View<'_>, asset: &ReleaseAsset) -> Value {
    let digest = Sha256::digest(&asset.bytes);
    let digest: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    let release = view
        .repo
        .releases
        .iter()
        .find(|release| release.id == asset.release);
    let tag = release.map_or("untagged", |release| release.tag.as_str());
    json!({
        "url": format!("{}/releases/assets/{}", view.api(), asset.id),
        "browser_download_url": format!("{}/releases/download/{tag}/{}", view.web(), asset.name),
        "id": asset.id,
        "node_id": format!("RA_{}", asset.id),
        "name": asset.name,
        "label": asset.label,
        "state": "uploaded",
        "content_type": asset.content_type,
        "size": asset.bytes.len(),
        "digest": format!("sha256:{digest}"),
        "download_count": 0,
        "created_at": rest_time(asset.created_at),
        "updated_at": rest_time(asset.created_at),
        "uploader": user(view.world, &asset.uploader),
    })
}
