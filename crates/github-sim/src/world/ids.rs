//! Node ids in GitHub's current format: a type prefix and an encoded part with database ids.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

/// Declares the kinds of nodes with their id prefixes.
macro_rules! node_kinds {
    ($($kind:ident = $prefix:literal),+ $(,)?) => {
        /// The kind of a node. The name of the variant is the name of the GraphQL type.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum NodeKind { $($kind),+ }

        impl NodeKind {
            fn prefix(self) -> &'static str {
                match self { $(Self::$kind => $prefix),+ }
            }

            /// Returns the name of the GraphQL type.
            pub fn type_name(self) -> &'static str {
                match self { $(Self::$kind => stringify!($kind)),+ }
            }

            fn from_prefix(prefix: &str) -> Option<Self> {
                match prefix { $($prefix => Some(Self::$kind),)+ _ => None }
            }
        }
    };
}

node_kinds! {
    User = "U",
    Bot = "BOT",
    Organization = "O",
    Repository = "R",
    Issue = "I",
    PullRequest = "PR",
    Label = "LA",
    Milestone = "MI",
    IssueComment = "IC",
    PullRequestReview = "PRR",
    PullRequestReviewThread = "PRRT",
    PullRequestReviewComment = "PRRC",
    Release = "RE",
    Commit = "C",
    Ref = "REF",
    CheckRun = "CR",
    CheckSuite = "CS",
    StatusContext = "SC",
    Workflow = "W",
    WorkflowRun = "WFR",
    IssueType = "IT",
    Reaction = "REA",
}

/// A decoded node id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId {
    pub kind: NodeKind,
    /// Database id of the repository that contains the node; 0 if no repository does.
    pub owner: u64,
    /// Database id of the node itself.
    pub id: u64,
}

impl NodeId {
    pub fn new(kind: NodeKind, owner: u64, id: u64) -> Self {
        Self { kind, owner, id }
    }

    /// Returns the encoded id, for instance `I_kwDOAAAAAc4AAAAq`.
    pub fn encode(self) -> String {
        let mut bytes = Vec::with_capacity(13);
        if self.owner == 0 {
            bytes.extend([0x92, 0x00]);
        } else {
            bytes.extend([0x93, 0x00]);
            push_u32(&mut bytes, self.owner);
        }
        push_u32(&mut bytes, self.id);
        format!("{}_{}", self.kind.prefix(), URL_SAFE_NO_PAD.encode(bytes))
    }

    /// Parses an id; returns `None` if it is not in this format.
    pub fn decode(text: &str) -> Option<Self> {
        let (prefix, rest) = text.split_once('_')?;
        let kind = NodeKind::from_prefix(prefix)?;
        let bytes = URL_SAFE_NO_PAD.decode(rest).ok()?;
        match bytes.as_slice() {
            [0x92, 0x00, 0xce, id @ ..] => Some(Self::new(kind, 0, read_u32(id)?)),
            [0x93, 0x00, 0xce, a, b, c, d, 0xce, id @ ..] => {
                Some(Self::new(kind, read_u32(&[*a, *b, *c, *d])?, read_u32(id)?))
            }
            _ => None,
        }
    }
}

// GitHub's ids are MessagePack arrays of unsigned 32-bit numbers.
fn push_u32(bytes: &mut Vec<u8>, number: u64) {
    bytes.push(0xce);
    bytes.extend(u32::try_from(number).unwrap_or(u32::MAX).to_be_bytes());
}

fn read_u32(bytes: &[u8]) -> Option<u64> {
    let array: [u8; 4] = bytes.try_into().ok()?;
    Some(u64::from(u32::from_be_bytes(array)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_round_trip_and_start_like_githubs() {
        let issue = NodeId::new(NodeKind::Issue, 7, 42);
        assert_eq!(NodeId::decode(&issue.encode()), Some(issue));
        assert!(issue.encode().starts_with("I_kwDO"));
        let user = NodeId::new(NodeKind::User, 0, 42);
        assert_eq!(NodeId::decode(&user.encode()), Some(user));
        assert!(user.encode().starts_with("U_kgDO"));
    }

    #[test]
    fn foreign_ids_are_rejected() {
        for id in ["", "x", "I_", "I_kwDO", "NOPE_kgDOAAAAAQ", "MDU6SXNzdWUx"] {
            assert_eq!(NodeId::decode(id), None, "{id}");
        }
    }
}
