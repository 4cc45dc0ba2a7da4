//! `capstan dep forget`: removes learned relations.

use crate::args::DepForgetArgs;
use crate::commands::system_runner::SystemRunner;
use crate::exit::Exit;

pub(super) async fn run(runner: &SystemRunner, args: &DepForgetArgs) -> Exit {
    let input = [("capability", args.capability.clone().into())];
    let envelope = runner.run("dep.forget", input).await;
    runner.print(&envelope)
}
