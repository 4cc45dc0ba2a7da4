//! The errors of a model's folder.

use std::path::{Path, PathBuf};

use capstan_core::{ErrorCode, ResultError};

#[derive(Debug, thiserror::Error)]
pub(super) enum FolderError {
    #[error(
        "`{0}` does not exist, or is not a folder: name the folder of a sentence-transformers model"
    )]
    NoFolder(PathBuf),
    #[error(
        "`{0}` is missing: the folder of a sentence-transformers model has config.json, tokenizer.json and \
         model.safetensors"
    )]
    NoFile(PathBuf),
    #[error("`{path}` cannot be read: {why}")]
    Unreadable { path: PathBuf, why: std::io::Error },
    #[error("`{path}` cannot be used: {why}")]
    Unusable { path: PathBuf, why: String },
}

impl FolderError {
    pub(super) fn unusable(path: &Path, why: &impl ToString) -> Self {
        let (path, why) = (path.to_owned(), why.to_string());
        Self::Unusable { path, why }
    }
}

impl From<FolderError> for ResultError {
    fn from(error: FolderError) -> Self {
        ResultError::new(ErrorCode::Validation, error.to_string())
    }
}

/// Reads a whole file of the folder.
pub(super) fn read(folder: &Path, name: &str) -> Result<Vec<u8>, FolderError> {
    let path = folder.join(name);
    std::fs::read(&path).map_err(|why| {
        if !folder.is_dir() {
            FolderError::NoFolder(folder.to_owned())
        } else if why.kind() == std::io::ErrorKind::NotFound {
            FolderError::NoFile(path)
        } else {
            FolderError::Unreadable { path, why }
        }
    })
}
