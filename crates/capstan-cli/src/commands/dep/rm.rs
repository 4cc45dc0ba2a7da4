//! `capstan dep rm`: forgets a relation.

use crate::args::DepRmArgs;
use crate::commands::own::Own;
use crate::exit::Exit;

pub(super) async fn run(own: &Own, args: &DepRmArgs) -> Exit {
    let input = [
        ("from", args.from.clone().into()),
        ("to", args.to.clone().into()),
    ];
    let envelope = own.run("dep.remove", input).await;
    own.tell_plainly(&envelope)
}
