//! Users, organisations, tokens and permissions.

use super::issue::IssueType;
use super::names::wire_enum;
use time::OffsetDateTime;

/// The account of a person or an app. A deleted account stays, but its issues and comments show no author.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    pub id: u64,
    pub login: String,
    pub name: Option<String>,
    pub email: String,
    pub bio: Option<String>,
    pub created_at: OffsetDateTime,
    pub deleted: bool,
    /// Whether this is an app's account; REST shows its login as `login[bot]`.
    pub bot: bool,
}

/// An organisation. `members` are logins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Organization {
    pub id: u64,
    pub login: String,
    pub name: Option<String>,
    pub description: Option<String>,
    pub created_at: OffsetDateTime,
    pub members: Vec<String>,
    pub issue_types: Vec<IssueType>,
}

/// The owner of a repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner<'w> {
    User(&'w User),
    Organization(&'w Organization),
}

wire_enum! {
    /// A permission in a repository; each variant includes the earlier ones.
    Permission {
        None = "NONE",
        Read = "READ",
        Triage = "TRIAGE",
        Write = "WRITE",
        Maintain = "MAINTAIN",
        Admin = "ADMIN",
    }
}

/// The owner's login and the OAuth scopes of a registered token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    pub login: String,
    pub scopes: Vec<String>,
}

/// The authenticated user of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Viewer {
    pub login: String,
    pub scopes: Vec<String>,
}

impl Viewer {
    /// Creates a viewer with the scopes of a full classic token.
    pub fn full(login: &str) -> Self {
        Self {
            login: login.to_owned(),
            scopes: ["gist", "read:org", "repo", "workflow"]
                .map(str::to_owned)
                .to_vec(),
        }
    }

    pub fn has_scope(&self, scope: &str) -> bool {
        self.scopes.iter().any(|granted| granted == scope)
    }

    /// Returns the scopes as GitHub lists them in messages: `'gist', 'repo'`.
    pub fn quoted_scopes(&self) -> String {
        let quoted: Vec<String> = self.scopes.iter().map(|s| format!("'{s}'")).collect();
        quoted.join(", ")
    }
}

impl Owner<'_> {
    pub fn login(&self) -> &str {
        match self {
            Self::User(user) => &user.login,
            Self::Organization(org) => &org.login,
        }
    }

    pub fn id(&self) -> u64 {
        match self {
            Self::User(user) => user.id,
            Self::Organization(org) => org.id,
        }
    }
}
