//! `capstan dep update`: records that a relation was observed again.

use crate::args::DepUpdateArgs;
use crate::commands::system_runner::SystemRunner;
use crate::exit::Exit;
use crate::output::Printer;

pub(super) async fn run(runner: &SystemRunner, args: &DepUpdateArgs) -> Exit {
    let input = [
        ("from", args.from.clone().into()),
        ("to", args.to.clone().into()),
        ("by", args.by.into()),
    ];
    let envelope = runner.run("dep.update", input).await;
    runner.print_with_names(&envelope, Printer::relation).await
}
