//! `capstan graph path`: finds the path with the highest confidence between two capabilities.

use crate::args::GraphPathArgs;
use crate::commands::system_runner::SystemRunner;
use crate::exit::Exit;
use crate::output::Printer;

pub(super) async fn run(runner: &SystemRunner, args: &GraphPathArgs) -> Exit {
    let input = [
        ("from", args.from.clone().into()),
        ("to", args.to.clone().into()),
    ];
    let envelope = runner.run("graph.path", input).await;
    runner.print_with_names(&envelope, Printer::path).await
}
