//! `capstan cap merge`: merges two pieces of remembered code.

use crate::args::CapMergeArgs;
use crate::commands::system_runner::SystemRunner;
use crate::exit::Exit;

pub(super) async fn run(runner: &SystemRunner, args: &CapMergeArgs) -> Exit {
    let input = [
        ("from", args.from.as_str().into()),
        ("into", args.into.as_str().into()),
    ];
    let envelope = runner.run("cap.merge", input).await;
    runner.print(&envelope)
}
