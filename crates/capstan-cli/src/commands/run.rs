//! `capstan run`: runs one capability.

use capstan_core::card::Kind;
use capstan_core::{Format, Options, TaskRequest};
use capstan_engine::to_reader_text;
use capstan_presenter::Subject;

use super::{Context, failed, line};
use crate::args::{OutputFormat, RunArgs};
use crate::exit::Exit;
use crate::input::{self, InputArgs};
use crate::interrupt::{interruptible, interruptible_with};
use crate::output::ProgressLine;

pub(crate) async fn run(context: &Context, args: &RunArgs) -> anyhow::Result<Exit> {
    if args.capability == "-" {
        return line::run_lines_of_args(context, args).await;
    }
    let engine = context.engine().await?;
    let card = match engine.capstan.catalog().get(&args.capability) {
        Ok(card) => Some(card),
        Err(_) => engine.capstan.card(&args.capability).await.ok(),
    };
    // The engine reports an unknown id, in an envelope like every other failure.
    let input = match &card {
        Some(card) => {
            let words = InputArgs {
                json: args.input.as_deref(),
                flag: "--input",
                assignments: &args.inputs,
            };
            input::read_with_repository(card, words, args.repo.as_deref(), || {
                context.repository_here()
            })?
        }
        None => serde_json::Map::new(),
    };
    let request = TaskRequest {
        capability: args.capability.clone(),
        input,
        options: Options {
            route: args.options.route,
            trace: args.options.trace,
            full: args.options.full,
            fields: args.options.fields.clone(),
            format: args.options.data_format(),
            timeout_ms: args.options.timeout_ms,
            cost: args.options.cost,
            ..Options::default()
        },
        intent: None,
    };
    let printer = context.printer_of(&engine, args.options.data_format().is_some());
    if args.options.dry_run {
        return match engine.capstan.dry_run(&request).await {
            Ok(plan) if !plan.order.is_empty() && !printer.is_for_programs() => {
                printer.skill_preview(&plan.order);
                Ok(Exit::Ok)
            }
            Ok(plan) => printer.pretty_json(&plan).map(|()| Exit::Ok),
            Err(error) => failed(&printer, &error),
        };
    }
    let progress = ProgressLine::start(context.environment.log.is_none());
    let watch = |now: capstan_engine::Progress| progress.show(&now);
    let work = engine.capstan.execute_task_watched(&request, &watch);
    let is_skill = card.is_some_and(|card| card.kind() == Kind::Skill);
    let done = if is_skill || args.capability == "run.resume" {
        let advice = "`capstan skill runs` shows how far it got";
        interruptible_with(&engine.capstan, work, advice).await
    } else {
        interruptible(&engine.capstan, work).await
    };
    drop(progress);
    let envelope = match done {
        Ok(envelope) => envelope,
        Err(signal) => {
            engine.shut_down().await;
            return Ok(signal.into());
        }
    };
    if args.options.format == Some(OutputFormat::View) && !context.global.json {
        let subject = Subject::from_task(&engine.capstan, &request);
        let text = capstan_presenter::result_text(&envelope, &subject, &engine.capstan);
        printer.line(text);
    } else if printer.is_for_programs() {
        let format = args.options.data_format().unwrap_or(Format::Json);
        printer.line(to_reader_text(&envelope, format));
    } else {
        printer.envelope(&envelope);
        printer.repository_hint(envelope.error.iter());
    }
    engine.shut_down().await;
    Ok(Exit::from(&envelope))
}
