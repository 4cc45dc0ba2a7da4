//! `capstan dep rm`: removes a relation.

use crate::args::DepRmArgs;
use crate::commands::system_runner::SystemRunner;
use crate::exit::Exit;

pub(super) async fn run(runner: &SystemRunner, args: &DepRmArgs) -> Exit {
    let input = [
        ("from", args.from.clone().into()),
        ("to", args.to.clone().into()),
    ];
    let envelope = runner.run("dep.remove", input).await;
    runner.print(&envelope)
}
