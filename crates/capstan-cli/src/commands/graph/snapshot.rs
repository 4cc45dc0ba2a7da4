//! `capstan graph snapshot`: the graph as tables, as JSON, or for Graphviz.

use crate::args::{GraphSnapshotArgs, SnapshotFormat};
use crate::commands::own::Own;
use crate::exit::Exit;
use crate::output::Printer;

pub(super) async fn run(own: &Own, args: &GraphSnapshotArgs) -> Exit {
    let input = [
        ("type", args.kind.clone().into()),
        ("source", args.source.clone().into()),
        ("min_confidence", args.min_confidence.into()),
        ("prefix", args.prefix.clone().into()),
        ("limit", args.limit.into()),
        ("cursor", args.cursor.clone().into()),
    ];
    let envelope = own.run("graph.snapshot", input).await;
    match (args.format, &envelope.data) {
        // A picture is wanted whoever reads it.
        (SnapshotFormat::Dot, Some(data)) => {
            own.printer.graph_as_dot(data);
            Exit::Ok
        }
        _ => own.tell(&envelope, Printer::graph),
    }
}
