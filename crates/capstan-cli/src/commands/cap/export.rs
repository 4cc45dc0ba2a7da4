//! `capstan cap export`: exports remembered code as JSON, to standard output or to a file.

use std::path::Path;

use anyhow::{Context as _, bail};
use capstan_core::ResultEnvelope;
use serde_json::{Value, json};

use crate::args::CapExportArgs;
use crate::atomic_file;
use crate::commands::system_runner::SystemRunner;
use crate::exit::Exit;

pub(super) async fn run(runner: &SystemRunner, args: &CapExportArgs) -> anyhow::Result<Exit> {
    if let Some(file) = &args.output
        && !args.force
    {
        refuse_existing(file)?;
    }
    let mut envelope = runner
        .run("cap.export", [("glob", args.glob.clone().into())])
        .await;
    let Some(document) = exported(&envelope) else {
        return Ok(runner.print(&envelope));
    };
    let Some(file) = &args.output else {
        // The document without its envelope, so that it can be imported as it is.
        runner.printer.pretty_json(document)?;
        return Ok(Exit::Ok);
    };
    let count = document["capabilities"].as_array().map_or(0, Vec::len);
    let text = serde_json::to_string_pretty(document)? + "\n";
    let written = if args.force {
        atomic_file::replace(file, &text)
    } else {
        atomic_file::create(file, &text)
    };
    written.with_context(|| format!("cannot write `{}`", file.display()))?;
    envelope.data = Some(json!({"file": file, "capabilities": count}));
    Ok(runner.print(&envelope))
}

/// Returns the exported document, or `None` if the export failed.
fn exported(envelope: &ResultEnvelope) -> Option<&Value> {
    if envelope.ok {
        envelope.data.as_ref()
    } else {
        None
    }
}

/// Fails early if the file exists. A file that is created later is not replaced either: see
/// [`atomic_file::create`].
fn refuse_existing(file: &Path) -> anyhow::Result<()> {
    if file.exists() {
        bail!("`{}` exists: use --force to replace it", file.display());
    }
    Ok(())
}
