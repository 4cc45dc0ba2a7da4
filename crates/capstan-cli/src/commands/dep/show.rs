//! `capstan dep show`: one relation, and why it is there.

use crate::args::DepShowArgs;
use crate::commands::own::Own;
use crate::exit::Exit;
use crate::output::Printer;

pub(super) async fn run(own: &Own, args: &DepShowArgs) -> Exit {
    let input = [
        ("from", args.from.clone().into()),
        ("to", args.to.clone().into()),
        ("limit", args.limit.into()),
    ];
    let envelope = own.run("dep.show", input).await;
    own.tell_by_names(&envelope, Printer::observations).await
}
