//! `capstan explain`: shows the inputs and outputs of a capability, or the page of a diagnostic code. Explaining a
//! card starts no engine.

use capstan_catalog::Catalog;
use capstan_core::ResultError;
use capstan_engine::{Explanation, explain, signature};
use serde_json::json;

use super::find::has_other_sources;
use super::{Context, failed};
use crate::args::ExplainArgs;
use crate::error_pages;
use crate::exit::Exit;
use crate::output::wrapped_page;

pub(crate) fn run(context: &Context, args: &ExplainArgs) -> anyhow::Result<Exit> {
    let printer = context.printer();
    if error_pages::is_code(&args.capability) {
        printer.line(wrapped_page(
            error_pages::page(&args.capability)?.trim_end(),
        ));
        return Ok(Exit::Ok);
    }
    if args.ts {
        match find_signature(context, &args.capability)? {
            Ok(text) if context.global.json => {
                printer.json(&json!({"capability_id": args.capability, "typescript": text}))?;
            }
            Ok(text) => printer.line(text),
            Err(error) => return failed(&printer, &error),
        }
        return Ok(Exit::Ok);
    }
    match find(context, &args.capability)? {
        Ok(explanation) if printer.is_for_programs() => printer.json(&explanation)?,
        Ok(explanation) => printer.explanation(&explanation),
        Err(error) => return failed(&printer, &error),
    }
    Ok(Exit::Ok)
}

fn find(context: &Context, name: &str) -> anyhow::Result<Result<Explanation, ResultError>> {
    let catalog = context.catalog()?;
    if is_card(context, &catalog, name)? {
        return Ok(explain(&catalog, name));
    }
    context.with_engine(catalog, async |capstan| capstan.explain(name).await)
}

fn find_signature(context: &Context, name: &str) -> anyhow::Result<Result<String, ResultError>> {
    let catalog = context.catalog()?;
    if is_card(context, &catalog, name)?
        && let Ok(card) = catalog.get(name)
    {
        return Ok(Ok(signature(&card)));
    }
    context.with_engine(catalog, async |capstan| capstan.signature(name).await)
}

/// Returns whether a name means a card, as far as that is known without an engine. A generated card gives way to the
/// user's skills and tools.
fn is_card(context: &Context, catalog: &Catalog, name: &str) -> anyhow::Result<bool> {
    Ok(catalog.contains(name) && (!catalog.is_generated(name) || !has_other_sources(context)?))
}
