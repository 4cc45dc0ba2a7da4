//! What search needs: an embedder, and a place for the index of a large catalogue.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;
use capstan_core::port::{BoxFuture, Cache, Clock, Embedder};
use capstan_core::{ErrorCode, ResultError, Secret};
use capstan_embed::{Endpoint, EndpointSettings, MiniLm, StaticModel};

use crate::config::SearchConfig;
use crate::environment::Environment;

/// The key of the endpoint.
pub(super) enum Key {
    /// None is named.
    Unasked,
    Known(Secret),
    /// What is named is not set: everything but meanings works without it.
    Missing {
        variable: String,
    },
}

impl Key {
    pub(super) fn of(config: &SearchConfig, environment: &Environment) -> Self {
        let Some(variable) = config.key_variable.clone() else {
            return Self::Unasked;
        };
        match environment.variable(&variable) {
            Some(value) => Self::Known(Secret::new(value)),
            None => Self::Missing { variable },
        }
    }

    pub(super) fn secret(&self) -> Option<Secret> {
        match self {
            Self::Known(secret) => Some(secret.clone()),
            Self::Unasked | Self::Missing { .. } => None,
        }
    }
}

/// The one that is configured, else the one in the binary. Nothing is read or connected yet.
pub(super) fn embedder(
    config: &SearchConfig,
    key: &Key,
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
    let endpoint = Endpoint::new(settings, Arc::clone(clock));
    let endpoint = endpoint.context("`search.endpoint` is wrong")?;
    Ok(match key {
        Key::Missing { variable } => Arc::new(Keyless {
            endpoint,
            variable: variable.clone(),
        }),
        Key::Unasked | Key::Known(_) => Arc::new(endpoint),
    })
}

/// An endpoint whose key nobody knows. It is not asked.
struct Keyless {
    endpoint: Endpoint,
    variable: String,
}

impl Embedder for Keyless {
    fn model(&self) -> &str {
        self.endpoint.model()
    }

    fn embed<'a>(&'a self, _: &'a [String]) -> BoxFuture<'a, Result<Vec<Vec<f32>>, ResultError>> {
        let message = format!(
            "`search.key_variable` names {}, which is not set: set it, or leave it out",
            self.variable
        );
        Box::pin(async move { Err(ResultError::new(ErrorCode::Auth, message)) })
    }
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
        // There may be no store yet.
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
