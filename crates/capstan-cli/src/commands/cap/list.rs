//! `capstan cap list`: lists remembered code.

use serde_json::Value;

use crate::args::CapListArgs;
use crate::commands::system_runner::SystemRunner;
use crate::exit::Exit;
use crate::output::Printer;

pub(super) async fn run(runner: &SystemRunner, args: &CapListArgs) -> Exit {
    let named = if args.named || args.unnamed {
        Value::from(args.named)
    } else {
        Value::Null
    };
    let visibility = args.visibility.map(|visibility| visibility.as_str());
    let input = [
        ("glob", args.glob.clone().into()),
        ("namespace", args.namespace.clone().into()),
        ("visibility", visibility.into()),
        ("calls", args.calls.clone().into()),
        ("named", named),
        ("limit", args.limit.into()),
        ("offset", args.offset.into()),
    ];
    let envelope = runner.run("cap.list", input).await;
    runner.print_with(&envelope, Printer::capabilities)
}
