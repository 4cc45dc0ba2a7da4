//! `capstan cap lookup`: what a name means.

use crate::args::CapLookupArgs;
use crate::commands::own::Own;
use crate::exit::Exit;

pub(super) async fn run(own: &Own, args: &CapLookupArgs) -> Exit {
    let input = [("name", args.name.as_str().into())];
    let envelope = own.run("cap.lookup", input).await;
    own.tell_plainly(&envelope)
}
