//! `capstan cap share`: sets who may see and call code.

use crate::args::CapShareArgs;
use crate::commands::system_runner::SystemRunner;
use crate::exit::Exit;

pub(super) async fn run(runner: &SystemRunner, args: &CapShareArgs) -> Exit {
    let input = [
        ("capability", args.name.as_str().into()),
        ("visibility", args.visibility.as_str().into()),
    ];
    let envelope = runner.run("cap.share", input).await;
    runner.print(&envelope)
}
