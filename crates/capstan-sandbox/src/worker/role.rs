//! The roles of workers.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Reads code that may be hostile, and may crash.
    Reader,
    /// Runs code.
    Runner,
}

impl Role {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Role::Reader => "reader",
            Role::Runner => "runner",
        }
    }

    pub(crate) fn parse(text: &str) -> Option<Self> {
        [Role::Reader, Role::Runner]
            .into_iter()
            .find(|role| role.as_str() == text)
    }
}
