//! `capstan dep list`: lists relations.

use crate::args::DepListArgs;
use crate::commands::system_runner::SystemRunner;
use crate::exit::Exit;
use crate::output::Printer;

pub(super) async fn run(runner: &SystemRunner, args: &DepListArgs) -> Exit {
    let input = [
        ("capability", args.capability.clone().into()),
        ("direction", args.direction.clone().into()),
        ("type", args.kind.clone().into()),
        ("source", args.source.clone().into()),
        ("min_confidence", args.min_confidence.into()),
        ("limit", args.limit.into()),
        ("offset", args.offset.into()),
    ];
    let envelope = runner.run("dep.list", input).await;
    runner.print_with_names(&envelope, Printer::relations).await
}
