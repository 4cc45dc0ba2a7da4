//! Wires what the search needs: the embedding model, and a file for the index of a large catalogue.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;
use capstan_core::port::{BoxFuture, Cache, Clock, Embedder};
use capstan_core::{ErrorCode, ResultError, Secret};
use capstan_embed::{Endpoint, EndpointSettings, MiniLm, StaticModel};

use crate::config::SearchConfig;
use crate::environment::Environment;

/// The API key of the embedding endpoint.
pub(super) enum EndpointKey {
    /// The configuration names no key.
    NotConfigured,
    Known(Secret),
    /// The variable that the configuration names is not set. Only search by meaning needs the key.
    Missing {
        variable: String,
    },
}

impl EndpointKey {
    pub(super) fn from_config(config: &SearchConfig, environment: &Environment) -> Self {
        let Some(variable) = config.key_variable.clone() else {
            return Self::NotConfigured;
        };
        match environment.variable(&variable) {
            Some(value) => Self::Known(Secret::new(value)),
            None => Self::Missing { variable },
        }
    }

    pub(super) fn secret(&self) -> Option<Secret> {
        match self {
            Self::Known(secret) => Some(secret.clone()),
            Self::NotConfigured | Self::Missing { .. } => None,
        }
    }
}

/// Returns the configured embedding model, or the built-in one. Nothing is read or connected yet.
pub(super) fn embedder(
    config: &SearchConfig,
    key: &EndpointKey,
    clock: &Arc<dyn Clock>,
) -> anyhow::Result<Arc<dyn Embedder>> {
    if let Some(folder) = &config.minilm {
        return Ok(Arc::new(MiniLm::new(folder.clone())));
    }
    let Some(base) = &config.endpoint else {
        return Ok(Arc::new(StaticModel::built_in()));
    };
    let settings = EndpointSettings {
        key: key.secret(),
        ..EndpointSettings::new(base, config.model.clone().unwrap_or_default())
    };
    let endpoint =
        Endpoint::new(settings, Arc::clone(clock)).context("`search.endpoint` is invalid")?;
    Ok(match key {
        EndpointKey::Missing { variable } => Arc::new(EndpointWithoutKey {
            endpoint,
            variable: variable.clone(),
        }),
        EndpointKey::NotConfigured | EndpointKey::Known(_) => Arc::new(endpoint),
    })
}

/// An endpoint whose key is missing. It fails without sending a request.
struct EndpointWithoutKey {
    endpoint: Endpoint,
    variable: String,
}

impl Embedder for EndpointWithoutKey {
    fn model(&self) -> &str {
        self.endpoint.model()
    }

    fn embed<'a>(&'a self, _: &'a [String]) -> BoxFuture<'a, Result<Vec<Vec<f32>>, ResultError>> {
        let message = format!(
            "`search.key_variable` names {}, which is not set: set it, or remove `search.key_variable`",
            self.variable
        );
        Box::pin(async move { Err(ResultError::new(ErrorCode::Auth, message)) })
    }
}

/// The file of the search index, beside the store. It is a cache and can be deleted at any time.
pub(super) struct IndexFile(PathBuf);

impl IndexFile {
    pub(super) fn beside(store: &Path) -> Self {
        let mut name = store.as_os_str().to_owned();
        name.push(".search");
        Self(name.into())
    }

    /// Replaces the file atomically. Only the owner may read it, because it has the descriptions of code.
    fn replace(&self, bytes: &[u8]) -> std::io::Result<()> {
        let folder = self.0.parent().unwrap_or(Path::new("."));
        // The folder may not exist before the store does.
        capstan_store::create_parent_folder(&self.0)?;
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
