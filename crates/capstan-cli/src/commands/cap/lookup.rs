//! `capstan cap lookup`: shows which code a name refers to.

use crate::args::CapLookupArgs;
use crate::commands::system_runner::SystemRunner;
use crate::exit::Exit;

pub(super) async fn run(runner: &SystemRunner, args: &CapLookupArgs) -> Exit {
    let input = [("name", args.name.as_str().into())];
    let envelope = runner.run("cap.lookup", input).await;
    runner.print(&envelope)
}
