//! The services beside GitHub in the configuration.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use capstan_core::ServiceName;
use capstan_service::ServiceSettings;
use serde::Deserialize;

use super::service_settings;
use crate::environment::Environment;

/// The services by name.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(transparent)]
pub(crate) struct ServicesConfig(BTreeMap<String, ServiceConfig>);

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct ServiceConfig {
    /// The address to which the paths of REST requests are appended.
    pub(super) base_url: Option<String>,
    pub(super) graphql_url: Option<String>,
    /// The folder with the cards of the service, relative to the file. By default `services/NAME`, if it exists.
    pub(super) cards: Option<PathBuf>,
    /// Sent with every request. They have no secrets.
    pub(super) headers: BTreeMap<String, String>,
    pub(super) auth: AuthConfig,
    pub(super) paging: PagingConfig,
    pub(super) errors: ErrorsConfig,
}

/// Returns the folder for the cards of a service whose configuration names none.
pub(crate) fn default_folder(config_folder: &Path, service: &str) -> PathBuf {
    config_folder.join("services").join(service)
}

/// Where the secret comes from (one of `env`, `command` and `token_url`), and how it is sent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct AuthConfig {
    /// By default `Authorization`.
    pub(super) header: Option<String>,
    /// A parameter of the query, instead of a header.
    pub(super) query: Option<String>,
    /// By default `Bearer` in `Authorization`, and nothing in other headers.
    pub(super) scheme: Option<String>,
    pub(super) env: Option<String>,
    pub(super) command: Option<Vec<String>>,
    pub(super) token_url: Option<String>,
    pub(super) client_id_env: Option<String>,
    pub(super) client_secret_env: Option<String>,
    pub(super) scope: Option<String>,
    pub(super) client_auth: Option<ClientAuth>,
}

/// How the id and the secret of a client are sent to the token endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum ClientAuth {
    Basic,
    Body,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct PagingConfig {
    pub(super) style: PagingStyle,
    /// The parameter for the page number or the cursor.
    pub(super) parameter: Option<String>,
    /// The parameter for the rows per page.
    pub(super) size: Option<String>,
    /// The place of the cursor, or of the next address, in an answer.
    pub(super) field: Option<String>,
    /// The field of the last row that is the cursor.
    pub(super) last_row: Option<String>,
    /// The place of the rows.
    pub(super) rows: Option<String>,
    /// True if there is another page.
    pub(super) more: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum PagingStyle {
    #[default]
    Links,
    Page,
    Cursor,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct ErrorsConfig {
    /// The place of the text of an error.
    pub(super) message: Option<String>,
    /// The place of the code of an error.
    pub(super) code: Option<String>,
    /// True for an answer that is an error although its status is a success.
    pub(super) when: Option<String>,
}

impl ServicesConfig {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Makes the folders of cards relative to the folder of the configuration.
    pub(super) fn resolve_folders(&mut self, folder: &Path) {
        for (name, service) in &mut self.0 {
            let usual = || default_folder(folder, name);
            let cards = service.cards.as_ref().map(|cards| folder.join(cards));
            service.cards = cards.or_else(|| Some(usual()).filter(|usual| usual.is_dir()));
        }
    }

    /// Returns the folders with cards, each with the name of its service.
    pub(crate) fn card_folders(&self) -> impl Iterator<Item = (ServiceName, PathBuf)> {
        self.0.iter().filter_map(|(name, service)| {
            // Names were checked when the configuration was read.
            Some((ServiceName::parse(name).ok()?, service.cards.clone()?))
        })
    }

    /// Returns the folder with the cards of a service.
    pub(crate) fn cards_of(&self, name: &ServiceName) -> Option<PathBuf> {
        self.0.get(name.as_str())?.cards.clone()
    }

    /// Returns whether a service is configured.
    pub(crate) fn has(&self, name: &ServiceName) -> bool {
        self.0.contains_key(name.as_str())
    }

    /// Fails if a setting is wrong. Variables need not be set before the service is used.
    pub(super) fn check(&self, file: &Path) -> anyhow::Result<()> {
        self.build(&|_| None)
            .with_context(|| format!("the configuration `{}` is invalid", file.display()))?;
        Ok(())
    }

    /// Returns the services with the secrets of the environment.
    pub(crate) fn settings(
        &self,
        environment: &Environment,
    ) -> anyhow::Result<Vec<ServiceSettings>> {
        self.build(&|name| environment.variable(name))
    }

    fn build(
        &self,
        variable: &dyn Fn(&str) -> Option<String>,
    ) -> anyhow::Result<Vec<ServiceSettings>> {
        let build = |(name, config): (&String, &ServiceConfig)| {
            let name = ServiceName::parse(name).context("`services` has a wrong name")?;
            let place = format!("services.{name}");
            service_settings::build(name, config, variable)
                .map_err(|problem| anyhow::anyhow!("`{place}{}`: {}", problem.key, problem.why))
        };
        self.0.iter().map(build).collect()
    }
}
