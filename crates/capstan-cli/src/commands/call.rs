//! `capstan call`: remembered code, by its name.

use capstan_core::{Format, Options, TaskRequest};
use capstan_engine::to_text;

use super::{Context, failed};
use crate::args::CallArgs;
use crate::exit::Exit;
use crate::input::{self, Words};
use crate::output::Printer;
use crate::wiring;

pub(crate) async fn run(context: &Context, args: &CallArgs) -> anyhow::Result<Exit> {
    let config = context.config()?;
    context.start_logging();
    let catalog = context.catalog(&config);
    let wired = wiring::wire(&context.global, &config, &context.environment, catalog).await?;
    let printer = Printer::new(
        context.global.json || args.how.format.is_some(),
        wired.capstan.redactor().clone(),
    )
    .with_flags(&context.global.flags());
    let card = match wired.capstan.card(&args.name).await {
        Ok(card) => card,
        Err(error) => return failed(&printer, &error),
    };
    let words = Words {
        json: args.how.args.as_deref(),
        flag: "--args",
        assignments: &args.inputs,
    };
    let request = TaskRequest {
        capability: args.name.clone(),
        input: input::read(&card, words)?,
        options: Options {
            trace: args.how.trace,
            format: args.how.format,
            timeout_ms: args.how.timeout_ms,
            ..Options::default()
        },
        intent: args.intent.clone(),
    };
    let envelope = wired.capstan.execute_task(&request).await;
    match printer.is_machine() {
        true => printer.line(to_text(&envelope, args.how.format.unwrap_or(Format::Json))),
        false => printer.code_result(&envelope),
    }
    Ok(Exit::from(&envelope))
}
