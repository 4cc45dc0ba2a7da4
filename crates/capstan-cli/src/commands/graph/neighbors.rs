//! `capstan graph neighbors`: shows the neighbors of a capability.

use crate::args::GraphNeighborsArgs;
use crate::commands::system_runner::SystemRunner;
use crate::exit::Exit;
use crate::output::Printer;

pub(super) async fn run(runner: &SystemRunner, args: &GraphNeighborsArgs) -> Exit {
    let input = [
        ("capability", args.capability.clone().into()),
        ("direction", args.direction.clone().into()),
        ("type", args.kind.clone().into()),
        ("depth", args.depth.into()),
        ("limit", args.limit.into()),
    ];
    let envelope = runner.run("graph.neighbors", input).await;
    runner.print_with_names(&envelope, Printer::neighbors).await
}
