//! `capstan explain`: what a capability needs and gives, or what a diagnostic's code means. For a
//! card nothing is started.

use capstan_core::ResultError;
use capstan_engine::{Explanation, explain, signature};
use serde_json::json;

use super::dispatch::block_on;
use super::{Context, failed, leave};
use crate::args::ExplainArgs;
use crate::config::Config;
use crate::error_pages;
use crate::exit::Exit;
use crate::output::wrapped_page;
use crate::wiring;

pub(crate) fn run(context: &Context, args: &ExplainArgs) -> anyhow::Result<Exit> {
    let printer = context.printer();
    if error_pages::is_code(&args.capability) {
        printer.line(wrapped_page(
            error_pages::page(&args.capability)?.trim_end(),
        ));
        return Ok(Exit::Ok);
    }
    let config = context.config()?;
    if args.ts {
        match find_signature(context, &config, &args.capability)? {
            Ok(text) if context.global.json => {
                printer.json(&json!({"capability_id": args.capability, "typescript": text}))?;
            }
            Ok(text) => printer.line(text),
            Err(error) => return failed(&printer, &error),
        }
        return Ok(Exit::Ok);
    }
    match find(context, &config, &args.capability)? {
        Ok(explanation) if printer.is_machine() => printer.json(&explanation)?,
        Ok(explanation) => printer.explanation(&explanation),
        Err(error) => return failed(&printer, &error),
    }
    Ok(Exit::Ok)
}

fn find(
    context: &Context,
    config: &Config,
    name: &str,
) -> anyhow::Result<Result<Explanation, ResultError>> {
    let catalog = context.catalog(config);
    if catalog.contains(name) {
        return Ok(explain(&catalog, name));
    }
    context.start_logging();
    block_on(async {
        let wired = wiring::wire(&context.global, config, &context.environment, catalog).await?;
        let found = wired.capstan.explain(name).await;
        leave(&wired.capstan).await;
        Ok(found)
    })
}

fn find_signature(
    context: &Context,
    config: &Config,
    name: &str,
) -> anyhow::Result<Result<String, ResultError>> {
    let catalog = context.catalog(config);
    if let Ok(card) = catalog.get(name) {
        return Ok(Ok(signature(&card)));
    }
    context.start_logging();
    block_on(async {
        let wired = wiring::wire(&context.global, config, &context.environment, catalog).await?;
        let found = wired.capstan.signature(name).await;
        leave(&wired.capstan).await;
        Ok(found)
    })
}
