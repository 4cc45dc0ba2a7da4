//! `capstan explain`: what a capability needs and gives, or what a diagnostic's code means.

use capstan_engine::{Explanation, Parameter, explain};
use indexmap::IndexMap;

use super::{Context, failed};
use crate::args::ExplainArgs;
use crate::error_pages;
use crate::exit::Exit;
use crate::output::{BOLD, DIM, NAME, Printer};

pub(crate) fn run(context: &Context, args: &ExplainArgs) -> anyhow::Result<Exit> {
    let printer = context.printer();
    if error_pages::is_code(&args.capability) {
        printer.line(error_pages::page(&args.capability)?.trim_end());
        return Ok(Exit::Ok);
    }
    let config = context.config()?;
    match explain(&context.catalog(&config), &args.capability) {
        Ok(explanation) if printer.is_machine() => printer.json(&explanation)?,
        Ok(explanation) => print(&printer, &explanation),
        Err(error) => return failed(&printer, &error),
    }
    Ok(Exit::Ok)
}

pub(crate) fn print(printer: &Printer, explanation: &Explanation) {
    printer.line(format_args!(
        "{BOLD}{}{BOLD:#}  {}",
        explanation.capability_id, explanation.description
    ));
    parameters(printer, "needs", &explanation.required);
    parameters(printer, "takes", &explanation.optional);
    printer.line(format_args!(
        "{DIM}gives{DIM:#}   {}",
        explanation.output.join(", ")
    ));
    let routes: Vec<_> = explanation
        .routes
        .iter()
        .map(|route| route.as_str())
        .collect();
    printer.line(format_args!(
        "{DIM}routes{DIM:#}  {}",
        routes.join(", then ")
    ));
    for note in &explanation.notes {
        printer.line(format_args!("{DIM}note{DIM:#}    {note}"));
    }
    if let Some(deprecated) = &explanation.deprecated {
        printer.line(format_args!("{DIM}deprecated{DIM:#} {deprecated}"));
    }
    if let Some(example) = &explanation.example {
        let input = serde_json::Value::Object(example.clone());
        printer.line(format_args!("{DIM}example{DIM:#} {input}"));
    }
}

fn parameters(printer: &Printer, title: &str, parameters: &IndexMap<String, Parameter>) {
    let mut title = title;
    let width = parameters.keys().map(String::len).max().unwrap_or(0);
    for (name, Parameter(kind)) in parameters {
        printer.line(format_args!(
            "{DIM}{title:7}{DIM:#} {NAME}{name:width$}{NAME:#}  {kind}"
        ));
        title = "";
    }
}
