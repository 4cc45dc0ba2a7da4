//! Users, organisations, tokens and what they may do.

use super::issue::IssueType;
use super::names::wire_enum;
use time::OffsetDateTime;

/// A person's account, or an app's. A deleted one stays in the records it left, shown as nobody.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    pub id: u64,
    pub login: String,
    pub name: Option<String>,
    pub email: String,
    pub bio: Option<String>,
    pub created_at: OffsetDateTime,
    pub deleted: bool,
    /// An app's account, which REST calls `login[bot]`.
    pub bot: bool,
}

/// An organisation and its members' logins.
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

/// Whoever owns a repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner<'w> {
    User(&'w User),
    Organization(&'w Organization),
}

wire_enum! {
    /// What somebody may do in a repository; later variants include earlier ones.
    Permission {
        None = "NONE",
        Read = "READ",
        Triage = "TRIAGE",
        Write = "WRITE",
        Maintain = "MAINTAIN",
        Admin = "ADMIN",
    }
}

/// What a token gives: whose it is and which OAuth scopes it has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    pub login: String,
    pub scopes: Vec<String>,
}

/// Somebody making a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Viewer {
    pub login: String,
    pub scopes: Vec<String>,
}

impl Viewer {
    /// A viewer with the scopes that a full classic token has.
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

    /// `'gist', 'repo'`, as GitHub lists scopes in messages.
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
