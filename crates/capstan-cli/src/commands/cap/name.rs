//! `capstan cap name`: a name for code that has none.

use crate::args::CapNameArgs;
use crate::commands::own::Own;
use crate::exit::Exit;

pub(super) async fn run(own: &Own, args: &CapNameArgs) -> Exit {
    let input = [
        ("capability", args.name.as_str().into()),
        ("name", args.new.as_str().into()),
    ];
    let envelope = own.run("cap.name", input).await;
    own.tell_plainly(&envelope)
}
