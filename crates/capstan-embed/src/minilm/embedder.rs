//! A folder behind the port.

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

/// Texts that are worked on together: more are not quicker.
const MOST_TEXTS: usize = 8;

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
        let batches: Vec<_> = texts.chunks(MOST_TEXTS).map(<[String]>::to_vec).collect();
        // Who stops waiting stops what has not begun.
        let made = stream::iter(batches)
            .map(|some| {
                let model = Arc::clone(model);
                off_the_way(move || model.vectors(&some))
            })
            .buffered(threads());
        made.try_concat().await
    }
}

/// All processors but one, which the rest of us needs.
fn threads() -> usize {
    let processors = available_parallelism().map_or(1, usize::from);
    (processors - 1).max(1)
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
