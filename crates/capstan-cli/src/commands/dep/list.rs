//! `capstan dep list`: which relations there are.

use crate::args::DepListArgs;
use crate::commands::own::Own;
use crate::exit::Exit;
use crate::output::Printer;

pub(super) async fn run(own: &Own, args: &DepListArgs) -> Exit {
    let input = [
        ("capability", args.capability.clone().into()),
        ("direction", args.direction.clone().into()),
        ("type", args.kind.clone().into()),
        ("source", args.source.clone().into()),
        ("min_confidence", args.min_confidence.into()),
        ("limit", args.limit.into()),
        ("offset", args.offset.into()),
    ];
    let envelope = own.run("dep.list", input).await;
    own.tell_by_names(&envelope, Printer::relations).await
}
