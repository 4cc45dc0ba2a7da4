//! Looks at everything and tells.

use capstan_core::ErrorCode;

use super::account::AccountReport;
use super::code::{SandboxReport, StoreReport};
use super::github::{GithubReport, RouteReport};
use super::report::{PolicyReport, Report, ScopeReport};
use super::search::SearchReport;
use super::servers::ServerReport;
use crate::args::DoctorArgs;
use crate::commands::Context;
use crate::exit::Exit;

pub(in crate::commands) async fn run(context: &Context, args: &DoctorArgs) -> anyhow::Result<Exit> {
    let config = context.config()?;
    let store_file = context.store_file()?;
    let engine = context.engine().await?;
    let capabilities = engine.capstan.catalog().iter().count();
    let parts = engine.capstan.services();
    let (github, routes, servers, store) = tokio::join!(
        GithubReport::of(&engine),
        RouteReport::all(&engine, config, args.offline),
        ServerReport::all(parts.tools.as_ref()),
        StoreReport::of(&engine.capstan, store_file.as_deref()),
    );
    // The model in the binary is always ready.
    let search = match parts.embedder.as_deref() {
        Some(embedder) if !config.search.is_built_in() => Some(SearchReport::of(embedder).await),
        _ => None,
    };
    let remotes = routes.iter().filter_map(|route| route.remote.as_ref());
    let account = AccountReport::of(remotes, engine.capstan.catalog());
    let report = Report {
        account,
        version: env!("CARGO_PKG_VERSION"),
        github,
        config: config.file.as_ref().map(|file| file.display().to_string()),
        capabilities,
        routes,
        sandbox: parts
            .sandbox
            .as_ref()
            .map(|it| SandboxReport::of(it.state())),
        store,
        search,
        servers,
        policy: PolicyReport::of(
            &context.global,
            config,
            engine.capstan.discovery().unmatched_denials().await,
        ),
        scope: ScopeReport::of(config),
    };
    let printer = context.printer();
    if printer.is_machine() {
        printer.json(&report)?;
    } else {
        report.print(&printer);
    }
    engine.leave().await;
    Ok(exit(&report))
}

/// One route that is ready is enough. Where GitHub could not be reached, nothing is known about the
/// token.
fn exit(report: &Report) -> Exit {
    if report.routes.iter().any(|route| route.ready) {
        return Exit::Ok;
    }
    let failed = report.routes.iter().filter_map(|route| route.code);
    if failed.clone().all(|code| code == ErrorCode::Auth) {
        Exit::Auth
    } else {
        Exit::Failed
    }
}
