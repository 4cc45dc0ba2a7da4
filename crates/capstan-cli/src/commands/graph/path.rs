//! `capstan graph path`: the surest way from one capability to another.

use crate::args::GraphPathArgs;
use crate::commands::own::Own;
use crate::exit::Exit;
use crate::output::Printer;

pub(super) async fn run(own: &Own, args: &GraphPathArgs) -> Exit {
    let input = [
        ("from", args.from.clone().into()),
        ("to", args.to.clone().into()),
    ];
    let envelope = own.run("graph.path", input).await;
    own.tell_by_names(&envelope, Printer::path).await
}
