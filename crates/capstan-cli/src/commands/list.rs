//! `capstan list`: everything that can be run. Reads nothing but the binary when there is no
//! configuration and nothing is remembered.

use capstan_core::card::Kind;
use capstan_engine::{Hit, Wanted};

use super::Context;
use super::find::{find, print};
use crate::args::ListArgs;
use crate::exit::Exit;

pub(crate) fn run(context: &Context, args: &ListArgs) -> anyhow::Result<Exit> {
    let config = context.config()?;
    let printer = context.printer();
    let wanted = Wanted {
        domain: args.domain.clone(),
        kind: args.kind,
        ..Wanted::default()
    };
    let hits = find(context, &config, &wanted)?;
    if let (Some(domain), true) = (&args.domain, hits.is_empty()) {
        let all = Wanted {
            kind: args.kind,
            ..Wanted::default()
        };
        let domains = domains(&find(context, &config, &all)?);
        anyhow::bail!(
            "there is no domain `{domain}`: expected one of {}",
            domains.join(", ")
        );
    }
    print(&printer, &hits)?;
    Ok(Exit::Ok)
}

/// The name of code is no domain.
fn domains(hits: &[Hit]) -> Vec<String> {
    let of_domains = hits.iter().filter(|hit| hit.kind != Kind::Code);
    let domains = of_domains.filter_map(|hit| hit.id.split('.').next());
    let mut domains: Vec<String> = domains.map(str::to_owned).collect();
    domains.dedup();
    domains
}
