//! `capstan call`: remembered code, by its name.

use capstan_core::{Format, Options, ResultEnvelope, TaskRequest};
use capstan_engine::{Capstan, to_reader_text};

use super::exec::forget_unasked;
use super::{Context, failed};
use crate::args::CallArgs;
use crate::exit::Exit;
use crate::input::{self, Words};
use crate::interrupt::interruptible;
use crate::output::while_running;

pub(crate) async fn run(context: &Context, args: &CallArgs) -> anyhow::Result<Exit> {
    let engine = context.engine().await?;
    let printer = context.printer_of(&engine, args.how.format.is_some());
    let words = Words {
        json: args.how.args.as_deref(),
        flag: "--args",
        assignments: &args.inputs,
    };
    let input = match engine.capstan.code_card(&args.name).await {
        Ok(card) => input::read(&card, words)?,
        // A program is told by the engine, in an envelope like every other failure.
        Err(_) if printer.is_machine() => serde_json::Map::new(),
        Err(error) => return failed(&printer, &error),
    };
    let mut request = TaskRequest {
        capability: args.name.clone(),
        input,
        options: Options {
            trace: args.how.trace,
            format: args.how.format,
            timeout_ms: args.how.timeout_ms,
            cost: args.how.cost,
            ..Options::default()
        },
        intent: args.intent.clone(),
    };
    // People see what it writes to its console.
    request.options.trace |= !printer.is_machine();
    let work = engine.capstan.call_code(&request);
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
        let code = code_of(&engine.capstan, &envelope).await;
        printer.code_result(&envelope, code.as_deref());
    }
    engine.leave().await;
    Ok(Exit::from(&envelope))
}

/// The code that failed, to show where.
async fn code_of(capstan: &Capstan, envelope: &ResultEnvelope) -> Option<String> {
    let error = envelope.error.as_ref()?;
    error.details.get("line")?;
    let name = envelope.meta.capability_fqdn.clone()?;
    let show = TaskRequest {
        capability: "cap.show".to_owned(),
        input: serde_json::Map::from_iter([("capability".to_owned(), name.into())]),
        options: Options {
            full: true,
            ..Options::default()
        },
        intent: None,
    };
    let shown = capstan.execute_task(&show).await.data?;
    shown["code"].as_str().map(str::to_owned)
}
