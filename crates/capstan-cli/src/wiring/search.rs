//! What search needs: an embedder, and a place for the index of a large catalogue.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;
use capstan_core::Secret;
use capstan_core::port::{Cache, Clock, Embedder};
use capstan_embed::{Endpoint, EndpointSettings, MiniLm, StaticModel};

use crate::config::SearchConfig;
use crate::environment::Environment;

/// The one that is configured, else the one in the binary. Nothing is read or connected yet.
pub(super) fn embedder(
    config: &SearchConfig,
    key: Option<Secret>,
    clock: &Arc<dyn Clock>,
) -> anyhow::Result<Arc<dyn Embedder>> {
    if let Some(folder) = &config.minilm {
        return Ok(Arc::new(MiniLm::new(folder.clone())));
    }
    let Some(base) = &config.endpoint else {
        return Ok(Arc::new(StaticModel::built_in()));
    };
    let settings = EndpointSettings {
        key,
        ..EndpointSettings::new(base, config.model.clone().unwrap_or_default())
    };
    let endpoint = Endpoint::new(settings, Arc::clone(clock));
    Ok(Arc::new(endpoint.context("`search.endpoint` is wrong")?))
}

/// The key of the endpoint, if one is named.
pub(super) fn key(
    config: &SearchConfig,
    environment: &Environment,
) -> anyhow::Result<Option<Secret>> {
    let Some(name) = &config.key_variable else {
        return Ok(None);
    };
    let value = environment.variable(name);
    let value = value.with_context(|| {
        format!("`search.key_variable` names {name}, which is not set: set it, or leave it out")
    })?;
    Ok(Some(Secret::new(value)))
}

/// A file beside the store. It can be deleted at any time.
pub(super) struct IndexFile(PathBuf);

impl IndexFile {
    pub(super) fn beside(store: &Path) -> Self {
        let mut name = store.as_os_str().to_owned();
        name.push(".search");
        Self(name.into())
    }

    /// Whoever reads it meanwhile sees the old one or the new one, and nobody but its owner reads it: it
    /// holds what code is for.
    fn replace(&self, bytes: &[u8]) -> std::io::Result<()> {
        let folder = self.0.parent().unwrap_or(Path::new("."));
        let mut temporary = tempfile::NamedTempFile::new_in(folder)?;
        temporary.write_all(bytes)?;
        temporary.persist(&self.0).map_err(|failed| failed.error)?;
        Ok(())
    }
}

impl Cache for IndexFile {
    fn load(&self) -> Option<Vec<u8>> {
        std::fs::read(&self.0).ok()
    }

    fn keep(&self, bytes: &[u8]) {
        if let Err(error) = self.replace(bytes) {
            tracing::debug!(%error, file = %self.0.display(), "the search index was not kept");
        }
    }
}
