//! The account of the token, and the capabilities that its scopes do not allow.

use capstan_catalog::Catalog;
use capstan_core::card::{Card, Operation};
use serde::Serialize;
use serde_json::Value;

use super::token_owner::TokenOwner;
use crate::output::{DIM, ERROR, Printer, wrapped};

/// The scopes that let a classic token change a repository; the second allows only public ones. Reading public
/// repositories needs no scope.
const WRITE_SCOPES: [&str; 2] = ["repo", "public_repo"];

/// The largest number of capabilities that are named; the rest is counted.
const MAX_NAMED: usize = 6;

#[derive(Serialize)]
pub(super) struct AccountReport {
    login: Option<String>,
    /// The scopes of the token. Null if GitHub names none: fine-grained tokens have permissions instead.
    scopes: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'static str>,
    /// Capabilities that certainly cannot be run. Permissions for single repositories are not known in advance.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    lacking: Vec<MissingScope>,
}

#[derive(Serialize)]
struct MissingScope {
    /// The scopes of which one is enough.
    needs_one_of: Vec<&'static str>,
    capabilities: Vec<String>,
}

impl AccountReport {
    /// Summarizes the answers of the routes. Returns `None` if GitHub answered on no route.
    pub(super) fn from_owners<'a>(
        owners: impl Iterator<Item = &'a TokenOwner>,
        catalog: &Catalog,
    ) -> Option<Self> {
        let owners: Vec<_> = owners.collect();
        let login = owners.iter().find_map(|owner| owner.login.clone());
        let scopes = owners.iter().find_map(|owner| owner.token.scopes.clone());
        if owners.is_empty() {
            return None;
        }
        let note = match &scopes {
            Some(scopes) if scopes.is_empty() => {
                Some("the token has no scopes: it can read public data only")
            }
            Some(_) => None,
            None => Some(
                "GitHub names no scopes for fine-grained tokens and tokens of apps; their permissions \
                 are set for each repository, and a call without permission fails with AUTH",
            ),
        };
        let lacking = scopes
            .as_deref()
            .and_then(|scopes| missing_scope(scopes, catalog));
        Some(Self {
            login,
            scopes,
            note,
            lacking: lacking.into_iter().collect(),
        })
    }

    pub(super) fn print(&self, printer: &Printer) {
        let login = self.login.as_deref();
        printer.field(
            "account",
            login.unwrap_or("none: the token belongs to an app"),
        );
        let scopes = match &self.scopes {
            Some(scopes) if !scopes.is_empty() => scopes.join(", "),
            _ => wrapped(self.note.unwrap_or_default(), 8),
        };
        printer.field("scopes", &scopes);
        for lacking in &self.lacking {
            let first = lacking.capabilities.iter().take(MAX_NAMED);
            let mut named: Vec<_> = first.map(String::as_str).collect();
            let more = format!("{} more", lacking.capabilities.len() - named.len());
            if lacking.capabilities.len() > MAX_NAMED {
                named.push(&more);
            }
            let needs = lacking.needs_one_of.join("` or `");
            let text = format!("the scope `{needs}`, for {}", named.join(", "));
            let wrapped_text = wrapped(&text, 8);
            printer.line(format_args!("{ERROR}lacks{ERROR:#}   {wrapped_text}"));
            printer.line(format_args!(
                "        {DIM}add scopes at https://github.com/settings/tokens, or with \
                 `gh auth refresh --scopes repo`{DIM:#}"
            ));
        }
    }
}

/// Returns the cards that change a repository, or `None` if the scopes allow at least some of them.
fn missing_scope(scopes: &[String], catalog: &Catalog) -> Option<MissingScope> {
    let allowed = WRITE_SCOPES
        .iter()
        .any(|scope| scopes.iter().any(|given| given == scope));
    if allowed {
        return None;
    }
    let writes = catalog.iter().filter(|it| it.operation == Operation::Write);
    let cards = writes.filter_map(|it| catalog.get(it.id).ok());
    let capabilities: Vec<_> = cards
        .filter(|card| is_about_a_repository(card))
        .map(|card| card.id.to_string())
        .collect();
    (!capabilities.is_empty()).then(|| MissingScope {
        needs_one_of: WRITE_SCOPES.to_vec(),
        capabilities,
    })
}

/// Whether a card needs a repository. Other writes (to gists, to an organisation) need other scopes.
fn is_about_a_repository(card: &Card) -> bool {
    let required = card.input_schema.get("required").and_then(Value::as_array);
    let names = |name: &str| required.is_some_and(|all| all.iter().any(|it| it == name));
    names("owner") && names("repo")
}
