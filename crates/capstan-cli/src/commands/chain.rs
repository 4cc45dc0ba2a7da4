//! `capstan chain`: many capabilities in one call.

use capstan_core::{ChainRequest, Format};
use capstan_engine::to_reader_text;
use capstan_presenter::Subject;

use super::{Context, failed};
use crate::args::{ChainArgs, HowArgs, TextForm};
use crate::exit::Exit;
use crate::interrupt::interruptible;
use crate::output::ProgressLine;
use crate::{chain_file, input};

pub(crate) async fn run(context: &Context, args: &ChainArgs) -> anyhow::Result<Exit> {
    let named = args.repo.as_deref().map(input::repository).transpose()?;
    let chain = chain_file::read(&args.file)?;
    let mut request = chain.request;
    apply(&mut request, &args.how);
    let engine = context.engine().await?;
    chain_file::fill_in_repository(&mut request, engine.capstan.catalog(), || {
        named.or_else(|| context.repository_here())
    });
    let printer = context.printer_of(&engine, args.how.format_for_programs().is_some());
    if args.how.dry_run {
        return match engine.capstan.dry_run_chain(&request).await {
            Ok(plan) => {
                if printer.is_machine() {
                    printer.json(&plan)?;
                } else {
                    printer.plan(&plan);
                }
                Ok(Exit::from(&plan))
            }
            Err(error) => failed(&printer, &error).map(|_| Exit::Usage),
        };
    }
    // People are told how long it took.
    request.trace |= !printer.is_machine();
    let progress = ProgressLine::start(context.environment.log.is_none());
    let watch = |now: capstan_engine::Progress| progress.show(&now);
    let work = engine.capstan.execute_tasks_watched(&request, &watch);
    let done = interruptible(&engine.capstan, work).await;
    drop(progress);
    let envelope = match done {
        Ok(envelope) => envelope,
        Err(signal) => {
            engine.leave().await;
            return Ok(signal.into());
        }
    };
    if args.how.format == Some(TextForm::View) && !context.global.json {
        let subjects = Subject::from_steps(&engine.capstan, &request.steps);
        printer.line(capstan_presenter::chain_text(&envelope, &subjects));
    } else if printer.is_machine() {
        let format = args.how.format_for_programs().or(chain.format);
        printer.line(to_reader_text(&envelope, format.unwrap_or(Format::Json)));
    } else {
        printer.chain(&envelope);
        printer.repository_hint(envelope.results.iter().filter_map(|it| it.error.as_ref()));
    }
    engine.leave().await;
    Ok(Exit::from(&envelope))
}

/// What the command line says holds for every step, whatever the file says.
fn apply(request: &mut ChainRequest, how: &HowArgs) {
    request.timeout_ms = how.timeout_ms.or(request.timeout_ms);
    request.trace |= how.trace;
    for step in &mut request.steps {
        let options = &mut step.request.options;
        options.route = how.route.or(options.route);
        options.trace |= how.trace;
        options.full |= how.full;
        options.cost |= how.cost;
        if let Some(fields) = &how.fields {
            options.fields = Some(fields.clone());
        }
    }
}
