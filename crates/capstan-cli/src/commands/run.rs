//! `capstan run`: one capability, once.

use capstan_core::{Format, Options, ResultEnvelope, TaskRequest};
use capstan_engine::to_text;
use serde_json::Value;

use super::{Context, failed};
use crate::args::RunArgs;
use crate::exit::Exit;
use crate::git::repository_here;
use crate::output::Printer;
use crate::{input, wiring};

pub(crate) async fn run(context: &Context, args: &RunArgs) -> anyhow::Result<Exit> {
    let config = context.config()?;
    context.start_logging();
    let catalog = context.catalog(&config);
    let host = wiring::host(&config, &context.environment);
    // An unknown id is reported by the engine, in an envelope like every other failure.
    let input = match catalog.get(&args.capability) {
        Ok(card) => input::gather(&card, args, || match context.global.demo {
            true => Some(("acme".to_owned(), "rocket".to_owned())),
            false => repository_here(&host),
        })?,
        Err(_) => serde_json::Map::new(),
    };
    let request = TaskRequest {
        capability: args.capability.clone(),
        input,
        options: Options {
            route: args.route,
            trace: args.trace,
            full: args.full,
            fields: args.fields.clone(),
            format: args.format,
            timeout_ms: args.timeout_ms,
        },
    };
    let wired = wiring::wire(&context.global, &config, &context.environment, catalog).await?;
    let printer = Printer::new(
        context.global.json || args.format.is_some(),
        wired.capstan.redactor().clone(),
    )
    .with_flags(&context.global.flags());
    if args.dry_run {
        return match wired.capstan.dry_run(&request).await {
            Ok(plan) => printer.pretty_json(&plan).map(|()| Exit::Ok),
            Err(error) => failed(&printer, &error),
        };
    }
    let envelope = wired.capstan.execute_task(&request).await;
    match printer.is_machine() {
        true => printer.line(to_text(&envelope, args.format.unwrap_or(Format::Json))),
        false => {
            printer.envelope(&envelope);
            if lacks_repository(&envelope) {
                printer.line("which repository? give -R OWNER/REPO, or run it inside a clone");
            }
        }
    }
    Ok(Exit::from(&envelope))
}

fn lacks_repository(envelope: &ResultEnvelope) -> bool {
    let fields = envelope
        .error
        .as_ref()
        .and_then(|error| error.details.get("fields"));
    let problems = fields.and_then(Value::as_array).into_iter().flatten();
    problems
        .filter(|problem| {
            problem["problem"]
                .as_str()
                .is_some_and(|text| text.starts_with("is missing"))
        })
        .any(|problem| problem["field"] == "owner")
}
