//! `capstan suggest`: suggests what to run for an intent, and runs it with `--accept`.

use capstan_core::{Format, Options};
use capstan_engine::{AcceptSyntax, Acceptance, AcceptedPlan, Capstan, to_text};
use serde_json::{Map, Value};

use super::system_runner::SystemRunner;
use super::{Context, failed};
use crate::args::SuggestArgs;
use crate::exit::Exit;
use crate::input;
use crate::interrupt::interruptible;
use crate::output::Printer;

pub(crate) async fn run(context: &Context, args: &SuggestArgs) -> anyhow::Result<Exit> {
    let given = match &args.input {
        Some(text) => input::parse_object(text, "--input")?,
        None => Map::new(),
    };
    let intent = args.intent.join(" ");
    let runner = SystemRunner::start(context).await?;
    let acceptance = args.accept.as_ref().map(|plan| match plan {
        None => Acceptance::ReadOnly,
        Some(code) => Acceptance::Plan(code.clone()),
    });
    let exit = match acceptance {
        Some(acceptance) => {
            let (capstan, printer) = (&runner.engine.capstan, &runner.printer);
            accept(capstan, printer, &intent, &given, &acceptance).await?
        }
        None => suggest(&runner, &intent, &given).await,
    };
    runner.engine.shut_down().await;
    Ok(exit)
}

async fn suggest(runner: &SystemRunner, intent: &str, given: &Map<String, Value>) -> Exit {
    let capstan = &runner.engine.capstan;
    let envelope = capstan
        .discovery()
        .suggest(intent, given, AcceptSyntax::Flags)
        .await;
    runner.print_with(&envelope, Printer::suggestions)
}

async fn accept(
    capstan: &Capstan,
    printer: &Printer,
    intent: &str,
    given: &Map<String, Value>,
    acceptance: &Acceptance,
) -> anyhow::Result<Exit> {
    let options = Options::default();
    match capstan
        .discovery()
        .accepted_plan(intent, given, acceptance, &options)
        .await
    {
        Ok(AcceptedPlan::Single(request)) => {
            let envelope = match interruptible(capstan, capstan.execute_task(&request)).await {
                Ok(envelope) => envelope,
                Err(signal) => return Ok(signal.into()),
            };
            if printer.is_for_programs() {
                printer.line(to_text(&envelope, Format::Json));
            } else {
                printer.envelope(&envelope);
            }
            Ok(Exit::from(&envelope))
        }
        Ok(AcceptedPlan::Chain(chain)) => {
            let envelope = match interruptible(capstan, capstan.execute_plan(&chain, &|_| {})).await
            {
                Ok(envelope) => envelope,
                Err(signal) => return Ok(signal.into()),
            };
            if printer.is_for_programs() {
                printer.line(to_text(&envelope, Format::Json));
            } else {
                printer.chain(&envelope);
            }
            Ok(Exit::from(&envelope))
        }
        Err(error) => {
            if !printer.is_for_programs() {
                printer.plan_to_review(&error.details);
            }
            failed(printer, &error)
        }
    }
}
