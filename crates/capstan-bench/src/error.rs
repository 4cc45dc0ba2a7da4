//! Errors in the test data.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

#[derive(Debug, Error)]
pub enum BenchError {
    #[error("cannot read `{}`: {error}; the folder needs `tools.jsonl` and `queries.jsonl`", path.display())]
    File { path: PathBuf, error: io::Error },
    #[error("line {line} of `{file}`: {problem}")]
    Line {
        file: String,
        line: usize,
        problem: String,
    },
    #[error("`{source_name}` has no queries to measure with")]
    Empty { source_name: String },
    #[error("the vectors do not fit: {0}")]
    Vector(#[from] capstan_search::VectorError),
}
