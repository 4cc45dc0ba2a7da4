//! `capstan trace list`: lists traces, newest first.

use serde_json::Value;

use crate::args::TraceListArgs;
use crate::commands::system_runner::SystemRunner;
use crate::exit::Exit;
use crate::output::Printer;

pub(super) async fn run(runner: &SystemRunner, args: &TraceListArgs) -> Exit {
    let ok = if args.ok || args.failed {
        Value::from(args.ok)
    } else {
        Value::Null
    };
    let input = [
        ("capability", args.capability.clone().into()),
        ("ok", ok),
        ("limit", args.limit.into()),
        ("before", args.before.clone().into()),
    ];
    let envelope = runner.run("trace.list", input).await;
    runner.print_with(&envelope, Printer::traces)
}
