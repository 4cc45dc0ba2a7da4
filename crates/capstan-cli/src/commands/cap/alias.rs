//! `capstan cap alias`: a further name.

use crate::args::CapAliasArgs;
use crate::commands::own::Own;
use crate::exit::Exit;

pub(super) async fn run(own: &Own, args: &CapAliasArgs) -> Exit {
    let input = [
        ("capability", args.name.as_str().into()),
        ("alias", args.alias.as_str().into()),
    ];
    let envelope = own.run("cap.alias", input).await;
    own.tell_plainly(&envelope)
}
