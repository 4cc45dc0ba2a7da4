//! `capstan trace list`: what was executed, newest first.

use serde_json::Value;

use crate::args::TraceListArgs;
use crate::commands::own::Own;
use crate::exit::Exit;
use crate::output::Printer;

pub(super) async fn run(own: &Own, args: &TraceListArgs) -> Exit {
    let ok = match (args.ok, args.failed) {
        (false, false) => Value::Null,
        (ok, _) => ok.into(),
    };
    let input = [
        ("capability", args.capability.clone().into()),
        ("ok", ok),
        ("limit", args.limit.into()),
        ("before", args.before.clone().into()),
    ];
    let envelope = own.run("trace.list", input).await;
    own.tell(&envelope, Printer::traces)
}
