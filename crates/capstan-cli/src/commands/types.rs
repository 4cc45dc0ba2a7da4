//! `capstan types`: declarations of everything that code can call, for editors and type checkers.

use anyhow::Context as _;
use serde_json::json;

use super::{Context, leave};
use crate::args::TypesArgs;
use crate::exit::Exit;
use crate::output::{note, warn};
use crate::{new_file, wiring};

pub(crate) async fn run(context: &Context, args: &TypesArgs) -> anyhow::Result<Exit> {
    let config = context.config()?;
    let catalog = context.catalog(&config);
    context.start_logging();
    let wired = wiring::wire(&context.global, &config, &context.environment, catalog).await?;
    let redactor = wired.capstan.redactor().clone();
    let (declarations, warnings) = wired.capstan.declarations().await;
    leave(&wired.capstan).await;
    for warning in warnings {
        warn(&warning, &redactor);
    }
    let text = declarations.to_string();
    let printer = context.printer();
    match &args.out {
        Some(file) => {
            new_file::replace(file, &redactor.text(&text))
                .with_context(|| format!("cannot write `{}`", file.display()))?;
            note(&format!("written to {}", file.display()), &redactor);
        }
        None if context.global.json => printer.json(&json!({"declarations": text}))?,
        None => printer.line(text.trim_end()),
    }
    Ok(Exit::Ok)
}
