//! `capstan graph snapshot`: the graph as tables, as JSON, or for Graphviz.

use std::collections::HashSet;

use capstan_core::ResultEnvelope;
use serde_json::{Value, json};

use crate::args::{GraphSnapshotArgs, SnapshotFormat};
use crate::commands::own::Own;
use crate::exit::Exit;
use crate::output::Printer;

/// How many relations of a drawing are asked for at once.
const PAGE: u64 = 500;

pub(super) async fn run(own: &Own, args: &GraphSnapshotArgs) -> Exit {
    match args.format {
        SnapshotFormat::Table => {
            let envelope = page(own, args, args.limit, args.cursor.clone()).await;
            own.tell_by_names(&envelope, Printer::graph).await
        }
        SnapshotFormat::Dot => draw(own, args).await,
    }
}

/// A picture is wanted whoever reads it, and as a whole unless somebody says how much of it.
async fn draw(own: &Own, args: &GraphSnapshotArgs) -> Exit {
    let limit = args.limit.or(Some(PAGE));
    let (mut nodes, mut edges) = (Vec::new(), Vec::new());
    let mut seen = HashSet::new();
    let mut cursor = args.cursor.clone();
    loop {
        let mut envelope = page(own, args, limit, cursor).await;
        let Some(mut data) = envelope.data.take() else {
            return own.tell_plainly(&envelope);
        };
        // What is related on several pages is on each of them.
        let shown = taken(&mut data["nodes"]).into_iter();
        nodes.extend(shown.filter(|node| seen.insert(node["id"].to_string())));
        edges.extend(taken(&mut data["edges"]));
        cursor = data["next_cursor"].as_str().map(str::to_owned);
        if cursor.is_none() || args.limit.is_some() {
            break;
        }
    }
    let whole = json!({"nodes": nodes, "edges": edges});
    own.printer.graph_as_dot(&whole);
    Exit::Ok
}

async fn page(
    own: &Own,
    args: &GraphSnapshotArgs,
    limit: Option<u64>,
    cursor: Option<String>,
) -> ResultEnvelope {
    let input = [
        ("type", args.kind.clone().into()),
        ("source", args.source.clone().into()),
        ("min_confidence", args.min_confidence.into()),
        ("prefix", args.prefix.clone().into()),
        ("limit", limit.into()),
        ("cursor", cursor.into()),
    ];
    own.run("graph.snapshot", input).await
}

fn taken(list: &mut Value) -> Vec<Value> {
    match list.take() {
        Value::Array(items) => items,
        _ => Vec::new(),
    }
}
