//! The embedding model of the search in the configuration.

use std::path::{Path, PathBuf};

use anyhow::bail;
use serde::Deserialize;

/// Either a local model or an endpoint. If neither is set, the built-in model is used.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct SearchConfig {
    /// A folder with a sentence-transformers model, relative to the file.
    pub minilm: Option<PathBuf>,
    /// The base URL of an API like that of OpenAI, to which `/embeddings` is appended.
    pub endpoint: Option<String>,
    /// The name of the model at the endpoint.
    pub model: Option<String>,
    /// The environment variable that has the key of the endpoint.
    pub key_variable: Option<String>,
}

impl SearchConfig {
    /// Fails if the settings contradict each other, or if one is missing.
    pub(super) fn check(&self, file: &Path) -> anyhow::Result<()> {
        let file = file.display();
        let endpoint_settings = [
            ("model", self.model.is_some()),
            ("key_variable", self.key_variable.is_some()),
        ];
        match (&self.minilm, &self.endpoint) {
            (Some(_), Some(_)) => bail!(
                "`search.minilm` and `search.endpoint` in `{file}` exclude each other: choose one"
            ),
            (_, Some(_)) if self.model.is_none() => bail!(
                "`search.model` is missing in `{file}`: name the model of `search.endpoint`, such as text-embedding-3-small"
            ),
            (_, None) => match endpoint_settings.into_iter().find(|(_, given)| *given) {
                Some((name, _)) => {
                    bail!("`search.{name}` in `{file}` needs `search.endpoint`, which is missing")
                }
                None => Ok(()),
            },
            _ => Ok(()),
        }
    }

    /// Whether the built-in model is used.
    pub(crate) fn is_built_in(&self) -> bool {
        self.minilm.is_none() && self.endpoint.is_none()
    }
}
