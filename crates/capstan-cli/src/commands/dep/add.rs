//! `capstan dep add`: adds a relation.

use crate::args::DepAddArgs;
use crate::commands::system_runner::SystemRunner;
use crate::exit::Exit;
use crate::output::Printer;

pub(super) async fn run(runner: &SystemRunner, args: &DepAddArgs) -> Exit {
    let input = [
        ("from", args.from.clone().into()),
        ("to", args.to.clone().into()),
        ("type", args.kind.clone().into()),
        ("source", args.source.clone().into()),
    ];
    let envelope = runner.run("dep.add", input).await;
    runner.print_with_names(&envelope, Printer::relation).await
}
