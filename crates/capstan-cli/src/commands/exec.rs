//! `capstan exec`: runs TypeScript in the sandbox and remembers it.

use anyhow::bail;
use capstan_core::card::{CallRoute, Card, Operation};
use capstan_core::{CapabilityId, CodeRequest, Format, Options, ResultEnvelope, Route};
use capstan_engine::to_reader_text;

use super::Context;
use crate::args::{CodeRunOptions, ExecArgs};
use crate::exit::Exit;
use crate::input::{self, InputArgs};
use crate::interrupt::interruptible;
use crate::output::with_spinner;

pub(crate) async fn run(context: &Context, args: &ExecArgs) -> anyhow::Result<Exit> {
    let (code, assignments) = match (&args.eval, &args.file) {
        (Some(code), file) => {
            // With `-e` there is no file, so the first argument is an input.
            let words = file.iter().chain(&args.inputs).cloned().collect();
            (code.clone(), words)
        }
        (None, Some(file)) => (
            input::read_file_or_standard_input(file)?,
            args.inputs.clone(),
        ),
        (None, None) => bail!("no code is given: name a file, or use -e CODE"),
    };
    let words = InputArgs {
        json: args.options.args.as_deref(),
        flag: "--args",
        assignments: &assignments,
    };
    let mut request = CodeRequest {
        intent: args.intent.clone(),
        code,
        args: input::read(&card_without_parameters(), words)?,
        options: Options {
            trace: args.options.trace,
            format: args.options.format,
            timeout_ms: args.options.timeout_ms,
            cost: args.options.cost,
            ..Options::default()
        },
    };
    let engine = context.engine().await?;
    let printer = context.printer_of(&engine, args.options.format.is_some());
    // People always see the console output, which is part of the trace.
    request.options.trace |= !printer.is_for_programs();
    let work = engine.capstan.execute_code(&request);
    let work_with_spinner = with_spinner(context.environment.log.is_none(), work);
    let mut envelope = match interruptible(&engine.capstan, work_with_spinner).await {
        Ok(envelope) => envelope,
        Err(signal) => {
            engine.shut_down().await;
            return Ok(signal.into());
        }
    };
    if printer.is_for_programs() {
        printer.line(to_reader_text(
            &envelope,
            args.options.format.unwrap_or(Format::Json),
        ));
    } else {
        remove_trace_details(&mut envelope, &args.options);
        printer.code_result(&envelope, Some(&request.code));
    }
    engine.shut_down().await;
    Ok(Exit::from(&envelope))
}

/// Removes what is shown only with `--trace`.
pub(super) fn remove_trace_details(envelope: &mut ResultEnvelope, options: &CodeRunOptions) {
    if !options.trace {
        envelope.meta.attempts = None;
    }
    // A failure always shows its trace id, as in a pipe.
    if !options.trace && envelope.ok {
        envelope.meta.trace_id = None;
    }
}

/// Returns a card without parameters, for reading the inputs of new code, whose parameters are unknown.
fn card_without_parameters() -> Card {
    let call = CallRoute {
        route: Route::Code,
        target: String::new(),
    };
    Card::of_call(CapabilityId::given("code"), call, Operation::Write)
}
