//! The names of capabilities made of code: scopes, display names, fully qualified names.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{CallTarget, CodeHash};

/// The scope in which names are unique: a project of an organisation.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Scope {
    pub org: String,
    pub project: String,
}

/// A name that a person or an agent chose: letters, digits, `_`, `-` and `:`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DisplayName(String);

/// The domain or server of the first card or tool that the code calls.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Namespace(String);

/// `{org}.{project}.{namespace}.{action}.{hash}`: never changes, and identifies one record.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Fqdn(String);

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidName {
    #[error(
        "Invalid capability name: \"{0}\". Must be alphanumeric with underscores, hyphens, and colons only."
    )]
    Display(String),
    #[error("`{0}` is not a fully qualified name: expected org.project.namespace.action.hash")]
    Fqdn(String),
    #[error(
        "`{0}` cannot be the {1} of a scope: expected at most 40 lower-case letters, digits, `_` \
         and `-`"
    )]
    Scope(String, &'static str),
}

/// Who may see and call a capability.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Visibility {
    /// Its owner, in its project.
    #[default]
    Private,
    /// Everyone in its project.
    Project,
    /// Everyone in its organisation.
    Org,
    Public,
}

impl Scope {
    const LONGEST: usize = 40;

    pub fn new(org: &str, project: &str) -> Result<Self, InvalidName> {
        let word = |text: &str, what: &'static str| {
            let fine = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b"_-".contains(&b);
            if !text.is_empty() && text.len() <= Self::LONGEST && text.bytes().all(fine) {
                Ok(text.to_owned())
            } else {
                let shown = text.chars().take(Self::LONGEST + 1).collect();
                Err(InvalidName::Scope(shown, what))
            }
        };
        Ok(Self {
            org: word(org, "org")?,
            project: word(project, "project")?,
        })
    }
}

impl Default for Scope {
    fn default() -> Self {
        Self {
            org: "local".to_owned(),
            project: "default".to_owned(),
        }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.org, self.project)
    }
}

impl DisplayName {
    const LONGEST: usize = 100;

    pub fn parse(text: &str) -> Result<Self, InvalidName> {
        let fine = |b: u8| b.is_ascii_alphanumeric() || b"_:-".contains(&b);
        if !text.is_empty() && text.len() <= Self::LONGEST && text.bytes().all(fine) {
            Ok(Self(text.to_owned()))
        } else {
            let shown = text.chars().take(Self::LONGEST + 1).collect();
            Err(InvalidName::Display(shown))
        }
    }

    /// Returns the name of code that has not been named.
    pub fn unnamed(hash: &CodeHash, digits: usize) -> Self {
        Self(format!("{UNNAMED}{}", hash.short(digits)))
    }

    /// Returns whether it has not been named.
    pub fn is_unnamed(&self) -> bool {
        self.0.strip_prefix(UNNAMED).is_some_and(|digits| {
            digits.len() >= 8 && digits.bytes().all(|b| b.is_ascii_hexdigit())
        })
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

const UNNAMED: &str = "unnamed_";

impl Namespace {
    /// The namespace of code that calls no card or tool.
    pub const OWN: &'static str = "code";

    const LONGEST: usize = 40;

    /// Returns the namespace of the first call: `issue` of `issue.view`. Calls of other code do not
    /// count, because their names have no domain.
    pub fn of(calls: &[CallTarget]) -> Self {
        let mut belongs = calls.iter().filter_map(|call| match call {
            CallTarget::Capstan(id) => id.split('.').next(),
            CallTarget::Mcp { server, .. } => Some(server.as_str()),
            CallTarget::Caps(_) => None,
        });
        let fine = |b: u8| b.is_ascii_alphanumeric() || b"_-".contains(&b);
        let word =
            |text: &&str| (1..=Self::LONGEST).contains(&text.len()) && text.bytes().all(fine);
        let first = belongs.next().filter(word).unwrap_or(Self::OWN);
        Self(first.to_ascii_lowercase())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Fqdn {
    const PARTS: usize = 5;

    pub fn new(scope: &Scope, namespace: &str, action: &str, hash: &str) -> Self {
        Self(format!("{scope}.{namespace}.{action}.{hash}"))
    }

    pub fn parse(text: &str) -> Result<Self, InvalidName> {
        let fine = |b: u8| b.is_ascii_alphanumeric() || b"_:-".contains(&b);
        let part = |part: &str| !part.is_empty() && part.bytes().all(fine);
        if text.len() <= 300 && text.split('.').count() == Self::PARTS && text.split('.').all(part)
        {
            Ok(Self(text.to_owned()))
        } else {
            Err(InvalidName::Fqdn(text.chars().take(120).collect()))
        }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The prefix of the ids of code.
const ID: &str = "exec_";

/// Returns whether a text has the form of a code id: `exec_` and at least eight digits of its
/// hash. Nothing else may have such a name, because the code may come later.
pub fn is_id(text: &str) -> bool {
    let is_digit = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
    let digits = text.strip_prefix(ID);
    digits.is_some_and(|digits| digits.len() >= 8 && digits.bytes().all(is_digit))
}

/// Returns whether a text has the form of a full name of code, with or without its hash.
pub fn is_full_name(text: &str) -> bool {
    let mut parts = text.split('.').skip(3);
    let action = parts.next();
    action.is_some_and(is_id) && parts.count() <= 1
}

impl From<Fqdn> for String {
    fn from(fqdn: Fqdn) -> Self {
        fqdn.0
    }
}

impl TryFrom<String> for Fqdn {
    type Error = InvalidName;

    fn try_from(text: String) -> Result<Self, InvalidName> {
        Self::parse(&text)
    }
}

impl Visibility {
    pub const ALL: [Visibility; 4] = [
        Visibility::Private,
        Visibility::Project,
        Visibility::Org,
        Visibility::Public,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Visibility::Private => "private",
            Visibility::Project => "project",
            Visibility::Org => "org",
            Visibility::Public => "public",
        }
    }
}

impl std::str::FromStr for Visibility {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let all = Visibility::ALL;
        all.into_iter()
            .find(|visibility| visibility.as_str() == text)
            .ok_or_else(|| {
                format!("`{text}` is not a visibility: expected private, project, org or public")
            })
    }
}

macro_rules! shown_as_text {
    ($($name:ty),*) => {$(
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }
    )*};
}

shown_as_text!(DisplayName, Namespace, Fqdn, Visibility);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_letters_digits_underscores_hyphens_and_colons() {
        for good in ["my-config-reader", "a", "A:b_C-9", "unnamed_01234567"] {
            assert_eq!(DisplayName::parse(good).unwrap().as_str(), good);
        }
        for bad in ["", "a b", "a.b", "é", "a/b", "a\n", &"a".repeat(101)] {
            assert!(DisplayName::parse(bad).is_err(), "{bad:?}");
        }
        let error = DisplayName::parse("a b").unwrap_err();
        assert_eq!(
            error.to_string(),
            "Invalid capability name: \"a b\". Must be alphanumeric with underscores, hyphens, and colons only."
        );
    }

    #[test]
    fn a_namespace_is_the_domain_or_server_of_the_first_call() {
        let card = |id: &str| CallTarget::Capstan(id.to_owned());
        let code = |name: &str| CallTarget::Caps(name.to_owned());
        let tool = |server: &str| CallTarget::Mcp {
            server: server.to_owned(),
            tool: "read".to_owned(),
        };
        let of = |calls: &[CallTarget]| Namespace::of(calls).to_string();
        assert_eq!(of(&[card("issue.view"), card("pr.list")]), "issue");
        assert_eq!(of(&[card("cap.list")]), "cap");
        assert_eq!(of(&[tool("My-Files"), card("pr.list")]), "my-files");
        assert_eq!(of(&[code("triage"), card("pr.list")]), "pr");
        assert_eq!(of(&[code("triage")]), "code");
        assert_eq!(of(&[]), "code");
        assert_eq!(of(&[tool("übel")]), "code");
        assert_eq!(of(&[tool(&"x".repeat(40))]), "x".repeat(40));
        assert_eq!(of(&[tool(&"x".repeat(41))]), "code");
    }

    #[test]
    fn a_fully_qualified_name_has_five_parts() {
        assert!(Fqdn::parse("local.default.issue.exec_a7f3b2c1.a7f3").is_ok());
        for bad in [
            "local.default.issue.exec_a7f3b2c1",
            "a.b.c.d.e.f",
            "a..c.d.e",
            "a.b.c.d é.e",
        ] {
            assert!(Fqdn::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn only_generated_names_are_unnamed() {
        let unnamed = |text: &str| DisplayName::parse(text).unwrap().is_unnamed();
        assert!(unnamed("unnamed_0123abcd"));
        assert!(!unnamed("unnamed_thing"));
        assert!(!unnamed("my-reader"));
    }
}
