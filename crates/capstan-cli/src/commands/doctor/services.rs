//! The services beside GitHub: where they are, and whether their secrets can be found. Nothing is sent to them.

use capstan_service::ServiceSettings;
use serde::Serialize;

use super::github::print_status;
use crate::output::Printer;

#[derive(Serialize)]
pub(super) struct ServiceReport {
    service: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    base_url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    graphql_url: Option<String>,
    /// Where the secret comes from.
    credentials: String,
    /// Whether the secret was found, or can be looked for.
    ready: bool,
}

impl ServiceReport {
    pub(super) fn from_settings(settings: &ServiceSettings) -> Self {
        let (credentials, ready) = settings.credential_state();
        Self {
            service: settings.name.to_string(),
            base_url: settings.base_url.as_ref().map(ToString::to_string),
            graphql_url: settings.graphql_url.as_ref().map(ToString::to_string),
            credentials,
            ready,
        }
    }

    pub(super) fn print(&self, printer: &Printer) {
        let url = self.base_url.as_deref().or(self.graphql_url.as_deref());
        let state = format!("service {}, {}", url.unwrap_or_default(), self.credentials);
        let state = if self.ready {
            Ok(state.as_str())
        } else {
            Err(self.credentials.as_str())
        };
        print_status(printer, &self.service, state);
    }
}
