//! `capstan exec`: TypeScript, run once and remembered.

use anyhow::bail;
use capstan_core::card::{CallRoute, Card, Operation};
use capstan_core::{CapabilityId, CodeRequest, Format, Options, ResultEnvelope, Route};
use capstan_engine::to_reader_text;

use super::Context;
use crate::args::{CodeHowArgs, ExecArgs};
use crate::exit::Exit;
use crate::input::{self, Words};
use crate::interrupt::interruptible;
use crate::output::while_running;

pub(crate) async fn run(context: &Context, args: &ExecArgs) -> anyhow::Result<Exit> {
    let (code, assignments) = match (&args.eval, &args.file) {
        (Some(code), file) => {
            // Without a file, the first word is an input already.
            let words = file.iter().chain(&args.inputs).cloned().collect();
            (code.clone(), words)
        }
        (None, Some(file)) => (input::file_or_standard_input(file)?, args.inputs.clone()),
        (None, None) => bail!("say which code: a file, or -e CODE"),
    };
    let words = Words {
        json: args.how.args.as_deref(),
        flag: "--args",
        assignments: &assignments,
    };
    let mut request = CodeRequest {
        intent: args.intent.clone(),
        code,
        args: input::read(&anything(), words)?,
        options: Options {
            trace: args.how.trace,
            format: args.how.format,
            timeout_ms: args.how.timeout_ms,
            cost: args.how.cost,
            ..Options::default()
        },
    };
    let engine = context.engine().await?;
    let printer = context.printer_of(&engine, args.how.format.is_some());
    // People see what it writes to its console.
    request.options.trace |= !printer.is_machine();
    let work = engine.capstan.execute_code(&request);
    let work = while_running(context.environment.log.is_none(), work);
    let mut envelope = match interruptible(&engine.capstan, work).await {
        Ok(envelope) => envelope,
        Err(signal) => {
            engine.leave().await;
            return Ok(signal.into());
        }
    };
    if printer.is_machine() {
        printer.line(to_reader_text(
            &envelope,
            args.how.format.unwrap_or(Format::Json),
        ));
    } else {
        forget_unasked(&mut envelope, &args.how);
        printer.code_result(&envelope, Some(&request.code));
    }
    engine.leave().await;
    Ok(Exit::from(&envelope))
}

/// Takes out what only whoever asked for a trace is shown.
pub(super) fn forget_unasked(envelope: &mut ResultEnvelope, how: &CodeHowArgs) {
    if !how.trace {
        envelope.meta.attempts = None;
    }
    // A failure is told with its trace, as in a pipe.
    if !how.trace && envelope.ok {
        envelope.meta.trace_id = None;
    }
}

/// What the inputs of code are read by that nobody knows yet.
fn anything() -> Card {
    let call = CallRoute {
        route: Route::Code,
        target: String::new(),
    };
    Card::of_call(CapabilityId::given("code"), call, Operation::Write)
}
