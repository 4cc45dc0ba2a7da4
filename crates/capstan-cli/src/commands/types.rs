//! `capstan types`: generates TypeScript declarations of everything that code can call.

use anyhow::Context as _;
use serde_json::json;

use super::Context;
use crate::args::TypesArgs;
use crate::atomic_file;
use crate::exit::Exit;
use crate::output::{note, warn};

pub(crate) async fn run(context: &Context, args: &TypesArgs) -> anyhow::Result<Exit> {
    let engine = context.engine().await?;
    let redactor = engine.capstan.redactor().clone();
    let (declarations, warnings) = engine.capstan.declarations().await;
    engine.shut_down().await;
    for warning in warnings {
        warn(&warning, &redactor);
    }
    let text = declarations.to_string();
    let printer = context.printer();
    match &args.out {
        Some(file) => {
            atomic_file::replace(file, &redactor.text(&text))
                .with_context(|| format!("cannot write `{}`", file.display()))?;
            note(&format!("wrote {}", file.display()), &redactor);
        }
        None if context.global.json => printer.json(&json!({"declarations": text}))?,
        None => printer.line(text.trim_end()),
    }
    Ok(Exit::Ok)
}
