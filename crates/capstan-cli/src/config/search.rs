//! What search finds meanings with.

use std::path::{Path, PathBuf};

use anyhow::bail;
use serde::Deserialize;

/// One of them, or none: then the model in the binary is used.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct SearchConfig {
    /// A folder with a sentence-transformers model, relative to the file.
    pub minilm: Option<PathBuf>,
    /// Where `/embeddings` is, as OpenAI has it.
    pub endpoint: Option<String>,
    /// The model as the endpoint calls it.
    pub model: Option<String>,
    /// The variable that holds the endpoint's key.
    pub key_variable: Option<String>,
}

impl SearchConfig {
    pub(super) fn check(&self, file: &Path) -> anyhow::Result<()> {
        let file = file.display();
        let of_endpoint = [
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
            (_, None) => match of_endpoint.into_iter().find(|(_, given)| *given) {
                Some((name, _)) => bail!(
                    "`search.{name}` in `{file}` says something about `search.endpoint`, which is missing"
                ),
                None => Ok(()),
            },
            _ => Ok(()),
        }
    }

    pub(crate) fn is_built_in(&self) -> bool {
        self.minilm.is_none() && self.endpoint.is_none()
    }
}
