//! `capstan chain`: runs several capabilities in one call.

use capstan_core::{ChainRequest, Format};
use capstan_engine::to_reader_text;
use capstan_presenter::Subject;

use super::{Context, failed};
use crate::args::{ChainArgs, OutputFormat, RunOptions};
use crate::exit::Exit;
use crate::interrupt::interruptible;
use crate::output::ProgressLine;
use crate::{chain_file, input};

pub(crate) async fn run(context: &Context, args: &ChainArgs) -> anyhow::Result<Exit> {
    let named = args
        .repo
        .as_deref()
        .map(input::parse_repository)
        .transpose()?;
    let chain = chain_file::read(&args.file)?;
    let mut request = chain.request;
    apply_options(&mut request, &args.options);
    let engine = context.engine().await?;
    chain_file::fill_in_repository(&mut request, engine.capstan.catalog(), || {
        named.or_else(|| context.repository_here())
    });
    let printer = context.printer_of(&engine, args.options.data_format().is_some());
    if args.options.dry_run {
        return match engine.capstan.dry_run_chain(&request).await {
            Ok(plan) => {
                if printer.is_for_programs() {
                    printer.json(&plan)?;
                } else {
                    printer.plan(&plan);
                }
                Ok(Exit::from(&plan))
            }
            Err(error) => failed(&printer, &error).map(|_| Exit::Usage),
        };
    }
    // People always see how long the chain took, which is part of the trace.
    request.trace |= !printer.is_for_programs();
    let progress = ProgressLine::start(context.environment.log.is_none());
    let watch = |now: capstan_engine::Progress| progress.show(&now);
    let work = engine.capstan.execute_tasks_watched(&request, &watch);
    let done = interruptible(&engine.capstan, work).await;
    drop(progress);
    let envelope = match done {
        Ok(envelope) => envelope,
        Err(signal) => {
            engine.shut_down().await;
            return Ok(signal.into());
        }
    };
    if args.options.format == Some(OutputFormat::View) && !context.global.json {
        let subjects = Subject::from_steps(&engine.capstan, &request.steps);
        printer.line(capstan_presenter::chain_text(&envelope, &subjects));
    } else if printer.is_for_programs() {
        let format = args.options.data_format().or(chain.format);
        printer.line(to_reader_text(&envelope, format.unwrap_or(Format::Json)));
    } else {
        printer.chain(&envelope);
        printer.repository_hint(envelope.results.iter().filter_map(|it| it.error.as_ref()));
    }
    engine.shut_down().await;
    Ok(Exit::from(&envelope))
}

/// Applies the options of the command line to every step. They override those of the file.
fn apply_options(request: &mut ChainRequest, command_line: &RunOptions) {
    request.timeout_ms = command_line.timeout_ms.or(request.timeout_ms);
    request.trace |= command_line.trace;
    for step in &mut request.steps {
        let options = &mut step.request.options;
        options.route = command_line.route.or(options.route);
        options.trace |= command_line.trace;
        options.full |= command_line.full;
        options.cost |= command_line.cost;
        if let Some(fields) = &command_line.fields {
            options.fields = Some(fields.clone());
        }
    }
}
