//! The binary itself, run in the workspace's folder as the documentation has it.

use std::path::Path;
use std::process::{Command, Output};
use std::sync::LazyLock;

use serde_json::Value;
use tempfile::TempDir;

use crate::support::{gh_program, workspace};

#[expect(
    clippy::disallowed_methods,
    reason = "the documentation is about the binary"
)]
pub(crate) fn capstan(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_capstan"))
        .args(args)
        .current_dir(workspace())
        .env("CAPSTAN_GH", gh_program())
        .env("XDG_DATA_HOME", remembered())
        .output()
        .unwrap()
}

/// What a test leaves behind is no business of whoever runs it.
pub(crate) fn remembered() -> &'static Path {
    static FOLDER: LazyLock<TempDir> = LazyLock::new(|| tempfile::tempdir().unwrap());
    FOLDER.path()
}

/// What it prints on standard output, as JSON; there is nothing to complain about.
pub(crate) fn capstan_json(args: &[&str]) -> Value {
    let output = capstan(args);
    let value = serde_json::from_slice(&output.stdout);
    assert!(
        value.is_ok() && output.stderr.is_empty(),
        "capstan {}: {output:?}",
        args.join(" ")
    );
    value.unwrap()
}
