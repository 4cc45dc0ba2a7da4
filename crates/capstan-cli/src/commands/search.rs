//! `capstan search`: capabilities by what they do.

use capstan_catalog::Query;

use super::Context;
use super::list::{Row, print};
use crate::args::SearchArgs;
use crate::exit::Exit;

pub(crate) fn run(context: &Context, args: &SearchArgs) -> anyhow::Result<Exit> {
    let config = context.config()?;
    let catalog = context.catalog(&config);
    let printer = context.printer();
    let intent = args.intent.join(" ");
    let query = Query {
        intent: Some(&intent),
        domain: args.domain.as_deref(),
        limit: Some(args.limit),
        ..Query::default()
    };
    let rows: Vec<Row<'_>> = catalog
        .search(&query)
        .into_iter()
        .map(|hit| hit.capability.into())
        .collect();
    if rows.is_empty() && !printer.is_machine() {
        printer.line(format_args!(
            "no capability matches `{intent}`; `capstan list` shows all"
        ));
        return Ok(Exit::Ok);
    }
    print(&printer, &rows)?;
    Ok(Exit::Ok)
}
