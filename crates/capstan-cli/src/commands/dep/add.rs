//! `capstan dep add`: states a relation.

use crate::args::DepAddArgs;
use crate::commands::own::Own;
use crate::exit::Exit;
use crate::output::Printer;

pub(super) async fn run(own: &Own, args: &DepAddArgs) -> Exit {
    let input = [
        ("from", args.from.clone().into()),
        ("to", args.to.clone().into()),
        ("type", args.kind.clone().into()),
        ("source", args.source.clone().into()),
    ];
    let envelope = own.run("dep.add", input).await;
    own.tell_by_names(&envelope, Printer::relation).await
}
