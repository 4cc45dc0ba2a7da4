//! The reasons for which GitHub refuses an operation, independent of the API.

/// A refused operation. The operation has not changed the world.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The object does not exist, or the viewer may not know that it does.
    #[error("{0}")]
    NotFound(String),
    /// The viewer can see the object but lacks the permission.
    #[error("{0}")]
    Forbidden(String),
    /// The token lacks a scope. The permissions of its owner do not matter.
    #[error(
        "Your token has not been granted the required scopes to execute this query. The '{field}' field requires one of the following scopes: ['{required}'], but your token has only been granted the: [{granted}] scopes. Please modify your token's scopes at: https://github.com/settings/tokens."
    )]
    InsufficientScopes {
        field: String,
        required: String,
        granted: String,
    },
    /// The request is well-formed but not acceptable (REST: 422).
    #[error("{}", .0.message)]
    Unprocessable(Problem),
    /// The pull request cannot be merged at the moment (REST: 405).
    #[error("{0}")]
    NotMergeable(String),
    /// The head is not the one that the client expected (REST: 409).
    #[error("{0}")]
    StaleHead(String),
    /// The feature is disabled in this repository (REST: 410).
    #[error("{0}")]
    Gone(String),
}

/// A validation error, with the fields of REST's `errors` entries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    pub message: String,
    /// The kind of object, for instance `Issue`.
    pub resource: String,
    /// The wrong field, for instance `title`; empty if the error concerns the whole object.
    pub field: String,
    /// `missing`, `missing_field`, `invalid`, `already_exists`, `unprocessable` or `custom`.
    pub code: String,
}

impl Refusal {
    pub fn not_found(what: impl Into<String>) -> Self {
        Self::NotFound(what.into())
    }

    /// Creates GraphQL's error for an unknown node id.
    pub fn no_node(id: &str) -> Self {
        Self::NotFound(format!(
            "Could not resolve to a node with the global id of '{id}'"
        ))
    }

    /// Creates the error for a missing permission. `action` is the mutation's name in Pascal case, as GitHub writes it.
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
