//! Whose token it is, and what it is not enough for.

use capstan_catalog::Catalog;
use capstan_core::card::{Card, Operation};
use serde::Serialize;
use serde_json::Value;

use super::remote::Remote;
use crate::output::{DIM, ERROR, Printer, wrapped};

/// A classic token can change a repository with one of these; with the second only a public one.
/// Reading public repositories needs none.
const TO_WRITE: [&str; 2] = ["repo", "public_repo"];

/// As many capabilities as are named before the rest is counted.
const MOST_NAMED: usize = 6;

#[derive(Serialize)]
pub(super) struct AccountReport {
    login: Option<String>,
    /// Null where GitHub does not tell: fine-grained tokens have permissions instead.
    scopes: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'static str>,
    /// What surely cannot be run. What a token may do in one repository nobody tells beforehand.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    lacking: Vec<Lacking>,
}

#[derive(Serialize)]
struct Lacking {
    /// One of these scopes is enough.
    needs_one_of: Vec<&'static str>,
    capabilities: Vec<String>,
}

impl AccountReport {
    /// Nothing without an answer from GitHub.
    pub(super) fn of<'a>(
        remotes: impl Iterator<Item = &'a Remote>,
        catalog: &Catalog,
    ) -> Option<Self> {
        let remotes: Vec<_> = remotes.collect();
        let login = remotes.iter().find_map(|remote| remote.login.clone());
        let scopes = remotes
            .iter()
            .find_map(|remote| remote.token.scopes.clone());
        if remotes.is_empty() {
            return None;
        }
        let note = match &scopes {
            Some(scopes) if scopes.is_empty() => {
                Some("the token has no scopes: it can read what is public")
            }
            Some(_) => None,
            None => Some(
                "GitHub names no scopes for fine-grained tokens and those of apps; what such a \
                 token may do is set for each repository, and a call that it may not make fails with AUTH",
            ),
        };
        let lacking = scopes
            .as_deref()
            .and_then(|scopes| lacking(scopes, catalog));
        Some(Self {
            login,
            scopes,
            note,
            lacking: lacking.into_iter().collect(),
        })
    }

    pub(super) fn print(&self, printer: &Printer) {
        let login = self.login.as_deref();
        printer.fact("account", login.unwrap_or("of no user: a token of an app"));
        let scopes = match &self.scopes {
            Some(scopes) if !scopes.is_empty() => scopes.join(", "),
            _ => wrapped(self.note.unwrap_or_default(), 8),
        };
        printer.fact("scopes", &scopes);
        for lacking in &self.lacking {
            let named = lacking.capabilities.iter().take(MOST_NAMED);
            let mut named: Vec<_> = named.map(String::as_str).collect();
            let more = lacking.capabilities.len() - named.len();
            let more = format!("{more} more");
            if lacking.capabilities.len() > MOST_NAMED {
                named.push(&more);
            }
            let needs = lacking.needs_one_of.join("` or `");
            let text = format!("the scope `{needs}`, for {}", named.join(", "));
            let text = wrapped(&text, 8);
            printer.line(format_args!("{ERROR}lacks{ERROR:#}   {text}"));
            printer.line(format_args!(
                "        {DIM}a token gets scopes at https://github.com/settings/tokens, or with \
                 `gh auth refresh --scopes repo`{DIM:#}"
            ));
        }
    }
}

/// The cards that change a repository, if the scopes allow none of them.
fn lacking(scopes: &[String], catalog: &Catalog) -> Option<Lacking> {
    let allowed = TO_WRITE
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
    (!capabilities.is_empty()).then(|| Lacking {
        needs_one_of: TO_WRITE.to_vec(),
        capabilities,
    })
}

/// Other writes (of gists, of an organisation) need other scopes.
fn is_about_a_repository(card: &Card) -> bool {
    let required = card.input_schema.get("required").and_then(Value::as_array);
    let names = |name: &str| required.is_some_and(|all| all.iter().any(|it| it == name));
    names("owner") && names("repo")
}
