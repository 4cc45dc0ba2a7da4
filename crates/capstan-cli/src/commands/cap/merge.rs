//! `capstan cap merge`: two become one.

use crate::args::CapMergeArgs;
use crate::commands::own::Own;
use crate::exit::Exit;

pub(super) async fn run(own: &Own, args: &CapMergeArgs) -> Exit {
    let input = [
        ("from", args.from.as_str().into()),
        ("into", args.into.as_str().into()),
    ];
    let envelope = own.run("cap.merge", input).await;
    own.tell_plainly(&envelope)
}
