//! A folder as an `Embedder`.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::thread::available_parallelism;

use capstan_core::port::{BoxFuture, Embedder};
use capstan_core::{ErrorCode, ResultError};
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use tokio::sync::OnceCell;
use tokio::task::spawn_blocking;

use super::fingerprint::fingerprint;
use super::model::Model;

/// How many texts are embedded together. More are not faster.
const BATCH_SIZE: usize = 8;

/// A sentence-transformers model in a folder. It is read when it is first used. A folder that
/// cannot be used is read again the next time.
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
            Ok(Arc::new(run_blocking(move || Model::read(&folder)).await??))
        };
        self.model.get_or_try_init(read).await
    }

    async fn vectors(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, ResultError> {
        let model = self.read().await?;
        let batches: Vec<_> = texts.chunks(BATCH_SIZE).map(<[String]>::to_vec).collect();
        // If the caller stops waiting, batches that have not started are dropped.
        let made = stream::iter(batches)
            .map(|some| {
                let model = Arc::clone(model);
                run_blocking(move || model.vectors(&some))
            })
            .buffered(threads());
        made.try_concat().await
    }
}

/// Returns the number of threads: all processors but one, which the rest of the program needs.
fn threads() -> usize {
    let processors = available_parallelism().map_or(1, usize::from);
    (processors - 1).max(1)
}

impl Embedder for MiniLm {
    /// Returns the name. The first call reads a small part of the folder.
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

/// Runs work on a thread that may block.
async fn run_blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, ResultError> {
    spawn_blocking(work).await.map_err(|why| {
        ResultError::new(
            ErrorCode::Unknown,
            format!("the model stopped unexpectedly: {why}"),
        )
    })
}
