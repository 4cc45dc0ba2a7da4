//! `capstan cap alias`: adds another name.

use crate::args::CapAliasArgs;
use crate::commands::system_runner::SystemRunner;
use crate::exit::Exit;

pub(super) async fn run(runner: &SystemRunner, args: &CapAliasArgs) -> Exit {
    let input = [
        ("capability", args.name.as_str().into()),
        ("alias", args.alias.as_str().into()),
    ];
    let envelope = runner.run("cap.alias", input).await;
    runner.print(&envelope)
}
