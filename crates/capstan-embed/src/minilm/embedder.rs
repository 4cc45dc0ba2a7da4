//! A folder behind the port.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use capstan_core::port::{BoxFuture, Embedder};
use capstan_core::{ErrorCode, ResultError};
use tokio::sync::OnceCell;
use tokio::task::spawn_blocking;

use super::fingerprint::fingerprint;
use super::model::Model;

/// Texts that are worked on at once: enough to be quick.
const MOST_TEXTS: usize = 32;

/// A sentence-transformers model in a folder. Nothing is read before it is used; a folder that cannot be
/// used is looked at again the next time.
#[derive(Debug)]
pub struct MiniLm {
    folder: PathBuf,
    name: OnceLock<String>,
    model: OnceCell<Arc<Model>>,
}

impl MiniLm {
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self {
            folder: folder.into(),
            name: OnceLock::new(),
            model: OnceCell::new(),
        }
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    async fn read(&self) -> Result<&Arc<Model>, ResultError> {
        let read = || async {
            let folder = self.folder.clone();
            Ok(Arc::new(off_the_way(move || Model::read(&folder)).await??))
        };
        self.model.get_or_try_init(read).await
    }

    async fn vectors(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, ResultError> {
        let model = self.read().await?;
        let mut vectors = Vec::with_capacity(texts.len());
        for some in texts.chunks(MOST_TEXTS) {
            // One batch at a time: who stops waiting stops the work after it.
            let (model, some) = (Arc::clone(model), some.to_vec());
            vectors.extend(off_the_way(move || model.vectors(&some)).await?);
        }
        Ok(vectors)
    }
}

impl Embedder for MiniLm {
    /// Reads a small part of the folder the first time.
    fn model(&self) -> &str {
        if self.name.get().is_none()
            && let Some(fingerprint) = fingerprint(&self.folder)
        {
            return self.name.get_or_init(|| format!("minilm-{fingerprint}"));
        }
        self.name.get().map_or("minilm", String::as_str)
    }

    fn embed<'a>(
        &'a self,
        texts: &'a [String],
    ) -> BoxFuture<'a, Result<Vec<Vec<f32>>, ResultError>> {
        Box::pin(self.vectors(texts))
    }
}

/// On a thread that may be kept busy.
async fn off_the_way<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, ResultError> {
    spawn_blocking(work).await.map_err(|why| {
        ResultError::new(
            ErrorCode::Unknown,
            format!("the model stopped unexpectedly: {why}"),
        )
    })
}
