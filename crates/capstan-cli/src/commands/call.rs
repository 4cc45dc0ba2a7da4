//! `capstan call`: runs remembered code by name.

use capstan_core::{Format, Options, ResultEnvelope, TaskRequest};
use capstan_engine::{Capstan, to_reader_text};

use super::exec::remove_trace_details;
use super::{Context, failed};
use crate::args::CallArgs;
use crate::exit::Exit;
use crate::input::{self, InputArgs};
use crate::interrupt::interruptible;
use crate::output::with_spinner;

pub(crate) async fn run(context: &Context, args: &CallArgs) -> anyhow::Result<Exit> {
    let engine = context.engine().await?;
    let printer = context.printer_of(&engine, args.options.format.is_some());
    let words = InputArgs {
        json: args.options.args.as_deref(),
        flag: "--args",
        assignments: &args.inputs,
    };
    let input = match engine.capstan.code_card(&args.name).await {
        Ok(card) => input::read(&card, words)?,
        // Programs get the error in an envelope: the engine reports it again when it runs the code.
        Err(_) if printer.is_for_programs() => serde_json::Map::new(),
        Err(error) => return failed(&printer, &error),
    };
    let mut request = TaskRequest {
        capability: args.name.clone(),
        input,
        options: Options {
            trace: args.options.trace,
            format: args.options.format,
            timeout_ms: args.options.timeout_ms,
            cost: args.options.cost,
            ..Options::default()
        },
        intent: args.intent.clone(),
    };
    // People always see the console output, which is part of the trace.
    request.options.trace |= !printer.is_for_programs();
    let work = engine.capstan.call_code(&request);
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
        let code = failed_code(&engine.capstan, &envelope).await;
        printer.code_result(&envelope, code.as_deref());
    }
    engine.shut_down().await;
    Ok(Exit::from(&envelope))
}

/// Returns the code that failed, to show the line of the error. `None` if the error has no line.
async fn failed_code(capstan: &Capstan, envelope: &ResultEnvelope) -> Option<String> {
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
