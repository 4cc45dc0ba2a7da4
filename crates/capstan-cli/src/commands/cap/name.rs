//! `capstan cap name`: names code that has no name yet.

use crate::args::CapNameArgs;
use crate::commands::system_runner::SystemRunner;
use crate::exit::Exit;

pub(super) async fn run(runner: &SystemRunner, args: &CapNameArgs) -> Exit {
    let input = [
        ("capability", args.name.as_str().into()),
        ("name", args.new.as_str().into()),
    ];
    let envelope = runner.run("cap.name", input).await;
    runner.print(&envelope)
}
