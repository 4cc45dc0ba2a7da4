//! `capstan exec`: TypeScript, run once and remembered.

use std::fs::File;
use std::io::Read as _;

use anyhow::{Context as _, bail};
use capstan_core::card::{CallRoute, Card, Operation};
use capstan_core::{CapabilityId, CodeRequest, Format, Options, Route};
use capstan_engine::to_text;

use super::Context;
use crate::args::ExecArgs;
use crate::exit::Exit;
use crate::input::{self, Words};
use crate::output::Printer;
use crate::wiring;

pub(crate) async fn run(context: &Context, args: &ExecArgs) -> anyhow::Result<Exit> {
    let config = context.config()?;
    context.start_logging();
    let (code, assignments) = match (&args.eval, &args.file) {
        (Some(code), file) => {
            // Without a file, the first word is an input already.
            let words = file.iter().chain(&args.inputs).cloned().collect();
            (code.clone(), words)
        }
        (None, Some(file)) => (read(file)?, args.inputs.clone()),
        (None, None) => bail!("say which code: a file, or -e CODE"),
    };
    let words = Words {
        json: args.how.args.as_deref(),
        flag: "--args",
        assignments: &assignments,
    };
    let request = CodeRequest {
        intent: args.intent.clone(),
        code,
        args: input::read(&anything(), words)?,
        options: Options {
            trace: args.how.trace,
            format: args.how.format,
            timeout_ms: args.how.timeout_ms,
            ..Options::default()
        },
    };
    let catalog = context.catalog(&config);
    let wired = wiring::wire(&context.global, &config, &context.environment, catalog).await?;
    let printer = Printer::new(
        context.global.json || args.how.format.is_some(),
        wired.capstan.redactor().clone(),
    )
    .with_flags(&context.global.flags());
    let envelope = wired.capstan.execute_code(&request).await;
    match printer.is_machine() {
        true => printer.line(to_text(&envelope, args.how.format.unwrap_or(Format::Json))),
        false => printer.code_result(&envelope),
    }
    Ok(Exit::from(&envelope))
}

fn read(file: &str) -> anyhow::Result<String> {
    if file == "-" {
        return input::standard_input();
    }
    let mut text = String::new();
    File::open(file)
        .and_then(|open| open.take(input::MOST_BYTES).read_to_string(&mut text))
        .with_context(|| format!("cannot read `{file}`"))?;
    Ok(text)
}

/// What the inputs of code are read by that nobody knows yet.
fn anything() -> Card {
    let call = CallRoute {
        route: Route::Code,
        target: String::new(),
    };
    Card::of_call(CapabilityId::given("code"), call, Operation::Write)
}
