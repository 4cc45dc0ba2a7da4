//! `capstan graph neighbors`: what is around a capability.

use crate::args::GraphNeighborsArgs;
use crate::commands::own::Own;
use crate::exit::Exit;
use crate::output::Printer;

pub(super) async fn run(own: &Own, args: &GraphNeighborsArgs) -> Exit {
    let input = [
        ("capability", args.capability.clone().into()),
        ("direction", args.direction.clone().into()),
        ("type", args.kind.clone().into()),
        ("depth", args.depth.into()),
        ("limit", args.limit.into()),
    ];
    let envelope = own.run("graph.neighbors", input).await;
    own.tell_by_names(&envelope, Printer::neighbors).await
}
