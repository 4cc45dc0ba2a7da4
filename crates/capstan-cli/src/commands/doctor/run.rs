//! Checks every part and prints the report.

use capstan_core::ErrorCode;

use super::account::AccountReport;
use super::code::{SandboxReport, StoreReport};
use super::github::{GithubReport, RouteReport};
use super::report::{DoctorReport, PolicyReport, ScopeReport};
use super::search::SearchReport;
use super::servers::ServerReport;
use super::services::ServiceReport;
use crate::args::DoctorArgs;
use crate::commands::Context;
use crate::exit::Exit;

pub(in crate::commands) async fn run(context: &Context, args: &DoctorArgs) -> anyhow::Result<Exit> {
    let config = context.config()?;
    let store_file = context.store_file()?;
    let engine = context.engine().await?;
    let capabilities = engine.capstan.catalog().iter().count();
    let services = engine.capstan.services();
    let (github, routes, servers, store) = tokio::join!(
        GithubReport::collect(&engine),
        RouteReport::collect_all(&engine, config, args.offline),
        ServerReport::collect_all(services.tools.as_ref()),
        StoreReport::collect(&engine.capstan, store_file.as_deref()),
    );
    // The built-in model is always ready.
    let search = match services.embedder.as_deref() {
        Some(embedder) if !config.search.is_built_in() => {
            Some(SearchReport::try_model(embedder).await)
        }
        _ => None,
    };
    let owners = routes.iter().filter_map(|route| route.token_owner.as_ref());
    let account = AccountReport::from_owners(owners, engine.capstan.catalog());
    let report = DoctorReport {
        account,
        version: env!("CARGO_PKG_VERSION"),
        github,
        config: config.file.as_ref().map(|file| file.display().to_string()),
        capabilities,
        routes,
        sandbox: services
            .sandbox
            .as_ref()
            .map(|it| SandboxReport::from_state(it.state())),
        store,
        search,
        servers,
        configured_services: engine
            .services
            .iter()
            .map(ServiceReport::from_settings)
            .collect(),
        policy: PolicyReport::new(
            &context.global,
            config,
            engine.capstan.discovery().unmatched_denials().await,
        ),
        scope: ScopeReport::new(config),
    };
    let printer = context.printer();
    if printer.is_for_programs() {
        printer.json(&report)?;
    } else {
        report.print(&printer);
    }
    engine.shut_down().await;
    Ok(exit(&report))
}

/// Returns success if at least one route is ready. Otherwise it is an authentication failure only if every request
/// that was sent failed for that reason: if GitHub could not be reached, nothing is known about the token.
fn exit(report: &DoctorReport) -> Exit {
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
