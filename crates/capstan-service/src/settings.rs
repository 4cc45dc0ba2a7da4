//! What the user's configuration says about a service. Everything is checked already.

use capstan_core::expr::Expr;
use capstan_core::{Secret, ServiceName};
use http::{HeaderMap, HeaderName};
use url::Url;

/// A service: where it is, what proves who calls it, and how it answers.
#[derive(Clone, Debug)]
pub struct ServiceSettings {
    pub name: ServiceName,
    /// The base address to which REST paths are appended.
    pub base_url: Option<Url>,
    /// At the same origin as `base_url`.
    pub graphql_url: Option<Url>,
    /// Sent with every request.
    pub headers: HeaderMap,
    pub credential: CredentialSource,
    pub place: CredentialPlace,
    pub paging: Paging,
    pub errors: ErrorShape,
}

/// Where the secret comes from.
#[derive(Clone, Debug)]
pub enum CredentialSource {
    /// Requests are anonymous.
    None,
    Variable(Variable),
    /// A program, which prints the secret, with its arguments.
    Command(Vec<String>),
    ClientCredentials(ClientCredentials),
}

/// An environment variable.
#[derive(Clone, Debug)]
pub struct Variable {
    pub name: String,
    /// `None` if it is not set.
    pub value: Option<Secret>,
}

/// How a token is fetched by OAuth's client credentials grant (RFC 6749, section 4.4).
#[derive(Clone, Debug)]
pub struct ClientCredentials {
    pub token_url: Url,
    pub id: Variable,
    pub secret: Variable,
    pub scope: Option<String>,
    /// Sends id and secret in the body, for servers that do not accept them in a header.
    pub in_body: bool,
}

/// Where a request carries the secret.
#[derive(Clone, Debug)]
pub enum CredentialPlace {
    /// In a header, after the scheme if there is one.
    Header {
        name: HeaderName,
        scheme: Option<String>,
    },
    /// In `Authorization`, as `Basic`: the secret is `user:password`.
    Basic,
    /// In a parameter of the query.
    Query(String),
}

/// How a list continues.
#[derive(Clone, Debug)]
pub enum Paging {
    /// By the `Link` header.
    Links,
    /// By the number of the page.
    Page {
        /// The parameter for the number.
        number: String,
        /// The parameter for the rows per page, if requests have one.
        size: Option<String>,
        /// The place of the rows in an answer.
        rows: Option<Expr>,
        /// Whether there is another page.
        more: Option<Expr>,
    },
    /// By a cursor, or by an address, in the answer.
    Field {
        /// The parameter for the cursor. Without one, the field is the address of the next page.
        parameter: Option<String>,
        field: Expr,
        more: Option<Expr>,
    },
    /// By a field of the last row.
    LastRow {
        parameter: String,
        field: Expr,
        size: Option<String>,
        rows: Option<Expr>,
        more: Option<Expr>,
    },
}

/// How the service reports errors.
#[derive(Clone, Debug, Default)]
pub struct ErrorShape {
    /// The place of the text in the answer. Without one, the usual places are tried.
    pub message: Option<Expr>,
    /// The place of the service's own code.
    pub code: Option<Expr>,
    /// True for an answer that is an error although its status is a success.
    pub when: Option<Expr>,
}

impl ServiceSettings {
    /// Returns the addresses of the service. They have the same origin.
    pub(crate) fn urls(&self) -> impl Iterator<Item = &Url> {
        self.base_url.iter().chain(&self.graphql_url)
    }

    /// Returns every secret that is known before anything is sent.
    pub fn secrets(&self) -> Vec<Secret> {
        let variables: Vec<&Variable> = match &self.credential {
            CredentialSource::Variable(variable) => vec![variable],
            CredentialSource::ClientCredentials(grant) => vec![&grant.id, &grant.secret],
            CredentialSource::None | CredentialSource::Command(_) => Vec::new(),
        };
        let values = variables.into_iter().filter_map(|it| it.value.as_ref());
        values
            .flat_map(|secret| self.place.forms_of(secret))
            .collect()
    }

    /// Returns where the secret comes from, for people, and whether it can be found. Nothing is run or sent.
    pub fn credential_state(&self) -> (String, bool) {
        let of = |variable: &Variable| match variable.value {
            Some(_) => (format!("the variable {}", variable.name), true),
            None => (
                format!("the variable {}, which is not set", variable.name),
                false,
            ),
        };
        match &self.credential {
            CredentialSource::None => ("no credentials".to_owned(), true),
            CredentialSource::Variable(variable) => of(variable),
            CredentialSource::Command(command) => {
                let program = command.first().map_or("", String::as_str);
                (format!("the command `{program}`, when it is needed"), true)
            }
            CredentialSource::ClientCredentials(grant) => {
                let missing = [&grant.id, &grant.secret];
                let missing = missing.into_iter().find(|it| it.value.is_none());
                match missing {
                    Some(missing) => of(missing),
                    None => {
                        let host = grant.token_url.host_str().unwrap_or_default();
                        (format!("a token from {host}, when it is needed"), true)
                    }
                }
            }
        }
    }
}
