//! `capstan list`: the catalogue. Reads nothing but the binary when there is no configuration.

use capstan_catalog::{Query, Summary};
use serde::Serialize;

use super::Context;
use crate::args::ListArgs;
use crate::exit::Exit;
use crate::output::{Printer, Table};

pub(crate) fn run(context: &Context, args: &ListArgs) -> anyhow::Result<Exit> {
    let config = context.config()?;
    let catalog = context.catalog(&config);
    let printer = context.printer();
    let query = Query {
        domain: args.domain.as_deref(),
        ..Query::default()
    };
    let rows: Vec<Row<'_>> = catalog
        .search(&query)
        .into_iter()
        .map(|hit| hit.capability.into())
        .collect();
    if let (Some(domain), true) = (&args.domain, rows.is_empty()) {
        let mut domains: Vec<_> = catalog
            .iter()
            .filter_map(|summary| summary.id.split('.').next())
            .collect();
        domains.dedup();
        anyhow::bail!(
            "there is no domain `{domain}`: expected one of {}",
            domains.join(", ")
        );
    }
    print(&printer, &rows)?;
    Ok(Exit::Ok)
}

#[derive(Serialize)]
pub(super) struct Row<'a> {
    id: &'a str,
    description: &'a str,
    operation: capstan_core::card::Operation,
}

impl<'a> From<Summary<'a>> for Row<'a> {
    fn from(summary: Summary<'a>) -> Self {
        Self {
            id: summary.id,
            description: summary.description,
            operation: summary.operation,
        }
    }
}

pub(super) fn print(printer: &Printer, rows: &[Row<'_>]) -> anyhow::Result<()> {
    if printer.is_machine() {
        return printer.json(&rows);
    }
    let mut table = Table::new(["id", "description"]);
    for row in rows {
        table.row([row.id, row.description]);
    }
    printer.line(table);
    Ok(())
}
