//! `capstan cap share`: who may see and call it.

use crate::args::CapShareArgs;
use crate::commands::own::Own;
use crate::exit::Exit;

pub(super) async fn run(own: &Own, args: &CapShareArgs) -> Exit {
    let input = [
        ("capability", args.name.as_str().into()),
        ("visibility", args.visibility.as_str().into()),
    ];
    let envelope = own.run("cap.share", input).await;
    own.tell_plainly(&envelope)
}
