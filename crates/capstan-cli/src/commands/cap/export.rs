//! `capstan cap export`: capabilities to take elsewhere, on standard output or in a file.

use std::path::Path;

use anyhow::{Context as _, bail};
use capstan_core::ResultEnvelope;
use serde_json::{Value, json};

use crate::args::CapExportArgs;
use crate::commands::own::Own;
use crate::exit::Exit;
use crate::new_file;

pub(super) async fn run(own: &Own, args: &CapExportArgs) -> anyhow::Result<Exit> {
    if let Some(file) = args.output.as_deref().filter(|_| !args.force) {
        refuse_existing(file)?;
    }
    let mut envelope = own
        .run("cap.export", [("glob", args.glob.clone().into())])
        .await;
    let Some(document) = exported(&envelope) else {
        return Ok(own.tell_plainly(&envelope));
    };
    let Some(file) = &args.output else {
        // The document itself, so that it can be imported as it stands.
        own.printer.pretty_json(document)?;
        return Ok(Exit::Ok);
    };
    let count = document["capabilities"].as_array().map_or(0, Vec::len);
    let text = serde_json::to_string_pretty(document)? + "\n";
    let written = if args.force {
        new_file::replace(file, &text)
    } else {
        new_file::create(file, &text)
    };
    written.with_context(|| format!("cannot write `{}`", file.display()))?;
    envelope.data = Some(json!({"file": file, "capabilities": count}));
    Ok(own.tell_plainly(&envelope))
}

fn exported(envelope: &ResultEnvelope) -> Option<&Value> {
    envelope.data.as_ref().filter(|_| envelope.ok)
}

/// Before anything is started; whoever makes the file meanwhile keeps it too.
fn refuse_existing(file: &Path) -> anyhow::Result<()> {
    if file.exists() {
        bail!("`{}` exists: --force replaces it", file.display());
    }
    Ok(())
}
