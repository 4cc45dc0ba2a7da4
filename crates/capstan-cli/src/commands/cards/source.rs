//! Reads a description: from a file, or from an address.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use capstan_http::fetch;
use url::Url;

use crate::output::with_spinner;

/// The largest file in bytes. The largest public descriptions have about half of that.
const MAX_BYTES: u64 = 100 << 20;
/// How long fetching may take.
const TIMEOUT: Duration = Duration::from_secs(60);
const ACCEPTED: &str =
    "application/json, application/yaml, application/graphql, text/plain, */*;q=0.5";

/// Returns the text of a description.
pub(super) async fn read(source: &str) -> anyhow::Result<String> {
    let bytes = if source.contains("://") {
        let url = Url::parse(source).with_context(|| format!("`{source}` is not an address"))?;
        let deadline = Instant::now() + TIMEOUT;
        let fetched = with_spinner(true, fetch(&url, ACCEPTED, deadline)).await;
        fetched.context("cannot fetch the description")?.to_vec()
    } else {
        read_file(Path::new(source))?
    };
    let shown = shown(source);
    String::from_utf8(bytes).map_err(|_| anyhow::anyhow!("`{shown}` is not UTF-8 text"))
}

fn read_file(file: &Path) -> anyhow::Result<Vec<u8>> {
    let unreadable = || format!("cannot read `{}`", file.display());
    let metadata = std::fs::metadata(file).with_context(unreadable)?;
    // Reading a pipe or a device might never end.
    if !metadata.is_file() {
        bail!("`{}` is not a file", file.display());
    }
    if metadata.len() > MAX_BYTES {
        bail!(
            "`{}` is too large: expected at most {} MB",
            file.display(),
            MAX_BYTES >> 20
        );
    }
    std::fs::read(file).with_context(unreadable)
}

/// Returns a source as it may be shown and kept: an address without its query, which may be secret.
pub(super) fn shown(source: &str) -> String {
    let plain = source.split_once("://").and_then(|_| {
        let mut url = Url::parse(source).ok()?;
        url.set_query(None);
        url.set_fragment(None);
        Some(url.to_string())
    });
    plain.unwrap_or_else(|| source.to_owned())
}
