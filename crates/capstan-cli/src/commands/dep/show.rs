//! `capstan dep show`: shows one relation and its observations.

use crate::args::DepShowArgs;
use crate::commands::system_runner::SystemRunner;
use crate::exit::Exit;
use crate::output::Printer;

pub(super) async fn run(runner: &SystemRunner, args: &DepShowArgs) -> Exit {
    let input = [
        ("from", args.from.clone().into()),
        ("to", args.to.clone().into()),
        ("limit", args.limit.into()),
    ];
    let envelope = runner.run("dep.show", input).await;
    runner
        .print_with_names(&envelope, Printer::observations)
        .await
}
