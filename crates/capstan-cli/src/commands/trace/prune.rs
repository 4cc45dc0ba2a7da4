//! `capstan trace prune`: forgets old executions.

use crate::args::TracePruneArgs;
use crate::commands::own::Own;
use crate::exit::Exit;

pub(super) async fn run(own: &Own, args: &TracePruneArgs) -> Exit {
    let envelope = own.run("trace.prune", [("keep", args.keep.into())]).await;
    own.tell_plainly(&envelope)
}
