//! `capstan dep update`: counts that a relation was seen again.

use crate::args::DepUpdateArgs;
use crate::commands::own::Own;
use crate::exit::Exit;
use crate::output::Printer;

pub(super) async fn run(own: &Own, args: &DepUpdateArgs) -> Exit {
    let input = [
        ("from", args.from.clone().into()),
        ("to", args.to.clone().into()),
        ("by", args.by.into()),
    ];
    let envelope = own.run("dep.update", input).await;
    own.tell_by_names(&envelope, Printer::relation).await
}
