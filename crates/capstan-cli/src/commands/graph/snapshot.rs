//! `capstan graph snapshot`: prints the graph as tables, as JSON, or for Graphviz.

use std::collections::HashSet;

use capstan_core::ResultEnvelope;
use serde_json::{Value, json};

use crate::args::{GraphSnapshotArgs, SnapshotFormat};
use crate::commands::system_runner::SystemRunner;
use crate::exit::Exit;
use crate::output::Printer;

/// The number of relations per page when the whole graph is drawn.
const PAGE_SIZE: u64 = 500;

pub(super) async fn run(runner: &SystemRunner, args: &GraphSnapshotArgs) -> Exit {
    match args.format {
        SnapshotFormat::Table => {
            let envelope = page(runner, args, args.limit, args.cursor.clone()).await;
            runner.print_with_names(&envelope, Printer::graph).await
        }
        SnapshotFormat::Dot => draw(runner, args).await,
    }
}

/// Prints the graph for Graphviz, to terminals and programs alike. Without `--limit`, all pages are fetched.
async fn draw(runner: &SystemRunner, args: &GraphSnapshotArgs) -> Exit {
    let limit = args.limit.or(Some(PAGE_SIZE));
    let (mut nodes, mut edges) = (Vec::new(), Vec::new());
    let mut seen = HashSet::new();
    let mut cursor = args.cursor.clone();
    loop {
        let mut envelope = page(runner, args, limit, cursor).await;
        let Some(mut data) = envelope.data.take() else {
            return runner.print(&envelope);
        };
        // A node is on every page that has one of its edges.
        let shown = take_items(&mut data["nodes"]).into_iter();
        nodes.extend(shown.filter(|node| seen.insert(node["id"].to_string())));
        edges.extend(take_items(&mut data["edges"]));
        cursor = data["next_cursor"].as_str().map(str::to_owned);
        if cursor.is_none() || args.limit.is_some() {
            break;
        }
    }
    let whole = json!({"nodes": nodes, "edges": edges});
    runner.printer.graph_as_dot(&whole);
    Exit::Ok
}

async fn page(
    runner: &SystemRunner,
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
    runner.run("graph.snapshot", input).await
}

/// Takes the items out of a JSON list.
fn take_items(list: &mut Value) -> Vec<Value> {
    match list.take() {
        Value::Array(items) => items,
        _ => Vec::new(),
    }
}
