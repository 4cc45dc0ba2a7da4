//! `capstan trace prune`: deletes old traces.

use crate::args::TracePruneArgs;
use crate::commands::system_runner::SystemRunner;
use crate::exit::Exit;

pub(super) async fn run(runner: &SystemRunner, args: &TracePruneArgs) -> Exit {
    let envelope = runner
        .run("trace.prune", [("keep", args.keep.into())])
        .await;
    runner.print(&envelope)
}
