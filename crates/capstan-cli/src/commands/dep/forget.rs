//! `capstan dep forget`: forgets what was learned.

use crate::args::DepForgetArgs;
use crate::commands::own::Own;
use crate::exit::Exit;

pub(super) async fn run(own: &Own, args: &DepForgetArgs) -> Exit {
    let input = [("capability", args.capability.clone().into())];
    let envelope = own.run("dep.forget", input).await;
    own.tell_plainly(&envelope)
}
