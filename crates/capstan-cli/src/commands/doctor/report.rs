//! The result of `capstan doctor`, with the policy and the scope.

use capstan_core::code::Scope;
use serde::Serialize;

use super::account::AccountReport;
use super::code::{SandboxReport, StoreReport};
use super::github::{GithubReport, RouteReport};
use super::search::SearchReport;
use super::servers::ServerReport;
use super::services::ServiceReport;
use crate::args::GlobalArgs;
use crate::config::Config;
use crate::output::Printer;

#[derive(Serialize)]
pub(super) struct DoctorReport {
    pub(super) version: &'static str,
    #[serde(flatten)]
    pub(super) github: GithubReport,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) config: Option<String>,
    pub(super) capabilities: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) account: Option<AccountReport>,
    pub(super) routes: Vec<RouteReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) sandbox: Option<SandboxReport>,
    pub(super) store: StoreReport,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) search: Option<SearchReport>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) servers: Vec<ServerReport>,
    #[serde(rename = "services", skip_serializing_if = "Vec::is_empty")]
    pub(super) configured_services: Vec<ServiceReport>,
    pub(super) policy: PolicyReport,
    pub(super) scope: ScopeReport,
}

#[derive(Serialize)]
pub(super) struct PolicyReport {
    read_only: bool,
    /// Lists of patterns. A capability must match a pattern of each list.
    allow: Vec<Vec<String>>,
    deny: Vec<String>,
    /// The patterns of `deny` that match no capability.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    deny_without_effect: Vec<String>,
}

#[derive(Serialize)]
pub(super) struct ScopeReport {
    org: String,
    project: String,
    user: String,
}

impl PolicyReport {
    pub(super) fn new(
        global: &GlobalArgs,
        config: &Config,
        deny_without_effect: Vec<String>,
    ) -> Self {
        Self {
            deny_without_effect,
            read_only: config.policy.read_only || global.read_only,
            allow: config.policy.allow.clone(),
            deny: config.policy.deny.clone(),
        }
    }

    /// Describes the policy in one line.
    fn describe(&self) -> String {
        let listed = |what: &str, globs: &[String]| match globs {
            [] => None,
            globs => Some(format!("{what} {}", globs.join(", "))),
        };
        let read_only = self.read_only.then(|| "read only".to_owned());
        let allowed = self.allow.iter().map(|globs| listed("allow", globs));
        let without_effect =
            "no capability matches these patterns of `deny`, check their spelling:";
        let parts: Vec<_> = std::iter::once(read_only)
            .chain(allowed)
            .chain([
                listed("deny", &self.deny),
                listed(without_effect, &self.deny_without_effect),
            ])
            .flatten()
            .collect();
        if parts.is_empty() {
            "everything is allowed".to_owned()
        } else {
            parts.join("; ")
        }
    }
}

impl ScopeReport {
    pub(super) fn new(config: &Config) -> Self {
        let default = Scope::default();
        let scope = config.scope.clone();
        Self {
            org: scope.org.unwrap_or(default.org),
            project: scope.project.unwrap_or(default.project),
            user: scope.user.unwrap_or_else(|| "local".to_owned()),
        }
    }
}

impl DoctorReport {
    pub(super) fn print(&self, printer: &Printer) {
        printer.field("capstan", self.version);
        self.github.print(printer);
        if let Some(account) = &self.account {
            account.print(printer);
        }
        printer.field("config", self.config.as_deref().unwrap_or("none"));
        printer.field("catalog", &format!("{} capabilities", self.capabilities));
        printer.field("policy", &self.policy.describe());
        let ScopeReport { org, project, user } = &self.scope;
        printer.field("scope", &format!("{org}.{project}, as {user}"));
        for route in &self.routes {
            route.print(printer);
        }
        if let Some(sandbox) = &self.sandbox {
            sandbox.print(printer);
        }
        self.store.print(printer);
        if let Some(search) = &self.search {
            search.print(printer);
        }
        for server in &self.servers {
            server.print(printer);
        }
        for service in &self.configured_services {
            service.print(printer);
        }
    }
}
