//! Why GitHub would refuse an operation, independent of the API that asked.

/// A refused operation. The world is unchanged when one is returned.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The thing does not exist, or the viewer may not know that it does.
    #[error("{0}")]
    NotFound(String),
    /// The viewer sees the thing but may not do this to it.
    #[error("{0}")]
    Forbidden(String),
    /// The token lacks a scope, whatever its owner may do.
    #[error(
        "Your token has not been granted the required scopes to execute this query. The '{field}' field requires one of the following scopes: ['{required}'], but your token has only been granted the: [{granted}] scopes. Please modify your token's scopes at: https://github.com/settings/tokens."
    )]
    InsufficientScopes {
        field: String,
        required: String,
        granted: String,
    },
    /// The request is understood and wrong.
    #[error("{}", .0.message)]
    Unprocessable(Problem),
    /// The pull request cannot be merged now (REST: 405).
    #[error("{0}")]
    NotMergeable(String),
    /// The head moved since the client looked (REST: 409).
    #[error("{0}")]
    StaleHead(String),
    /// The feature is turned off for this repository (REST: 410).
    #[error("{0}")]
    Gone(String),
}

/// What is wrong with a request, in the terms of REST's `errors` entries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    pub message: String,
    /// For instance `Issue`.
    pub resource: String,
    /// For instance `title`; empty when the whole resource is wrong.
    pub field: String,
    /// `missing`, `missing_field`, `invalid`, `already_exists`, `unprocessable` or `custom`.
    pub code: String,
}

impl Refusal {
    pub fn not_found(what: impl Into<String>) -> Self {
        Self::NotFound(what.into())
    }

    /// "Could not resolve to a node …" as GraphQL says it.
    pub fn no_node(id: &str) -> Self {
        Self::NotFound(format!(
            "Could not resolve to a node with the global id of '{id}'"
        ))
    }

    /// `action` is the mutation's name in Pascal case, as GitHub quotes it.
    pub fn forbidden(login: &str, action: &str) -> Self {
        Self::Forbidden(format!(
            "{login} does not have the correct permissions to execute `{action}`"
        ))
    }

    pub fn invalid(resource: &str, field: &str, message: impl Into<String>) -> Self {
        Self::problem(resource, field, "invalid", message)
    }

    pub fn missing_field(resource: &str, field: &str, message: impl Into<String>) -> Self {
        Self::problem(resource, field, "missing_field", message)
    }

    pub fn custom(resource: &str, message: impl Into<String>) -> Self {
        Self::problem(resource, "", "custom", message)
    }

    pub fn problem(resource: &str, field: &str, code: &str, message: impl Into<String>) -> Self {
        Self::Unprocessable(Problem {
            message: message.into(),
            resource: resource.to_owned(),
            field: field.to_owned(),
            code: code.to_owned(),
        })
    }
}
