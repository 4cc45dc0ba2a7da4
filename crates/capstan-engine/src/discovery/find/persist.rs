//! The index on the disk, for catalogues that take long to index or vectors that cost something.

use serde::{Deserialize, Serialize};

use capstan_core::card::Kind;
use capstan_search::Index;

use super::entry::Shown;
use super::finder::Held;

/// Of what it is an index. One of another model is none; one of another store, or for somebody else, is one of
/// everything but code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct TraceSubject {
    /// The store that the code is in: a new file counts its changes anew.
    pub(super) store: String,
    pub(super) org: String,
    pub(super) project: String,
    pub(super) user: String,
    pub(super) model: String,
}

#[derive(Serialize, Deserialize)]
struct Head {
    about: TraceSubject,
    code_at: u64,
    /// What is shown of code. Everything else says it anew.
    code: Vec<(String, Shown)>,
}

/// The form of what follows.
const MAGIC: &[u8; 8] = b"capfind1";

impl Held {
    pub(super) fn to_bytes(&self, about: &TraceSubject) -> Option<Vec<u8>> {
        let index = self.index.as_ref()?;
        let code = self.shown.iter();
        let code = code.filter(|(_, shown)| shown.kind == Kind::Code);
        let head = Head {
            about: about.clone(),
            code_at: self.code_at,
            code: code
                .map(|(key, shown)| (key.clone(), shown.clone()))
                .collect(),
        };
        let head = serde_json::to_vec(&head).ok()?;
        let mut bytes = MAGIC.to_vec();
        bytes.extend((head.len() as u64).to_le_bytes());
        bytes.extend(head);
        bytes.extend(index.to_bytes());
        Some(bytes)
    }

    /// What was kept, if it is about this and whole. What is no code is in the index and not shown before
    /// somebody says that it is there.
    pub(super) fn from_bytes(bytes: &[u8], about: &TraceSubject) -> Option<Self> {
        let (magic, rest) = bytes.split_first_chunk::<8>()?;
        let (length, rest) = rest.split_first_chunk::<8>()?;
        if magic != MAGIC {
            return None;
        }
        let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
        let (head, index) = rest.split_at_checked(length)?;
        let head: Head = serde_json::from_slice(head).ok()?;
        let mut index = Index::from_bytes(index).ok()?;
        if head.about.model != about.model || index.model() != about.model {
            return None;
        }
        let mut held = Self::default();
        if head.about != *about {
            for (key, _) in &head.code {
                index.remove(key);
            }
            held.index = Some(index);
            return Some(held);
        }
        held.index = Some(index);
        held.shown = head.code.into_iter().collect();
        let code = held.shown.iter();
        let code = code.filter_map(|(key, shown)| Some((shown.fqdn.clone()?, key.clone())));
        held.code = code.collect();
        held.code_at = head.code_at;
        held.label_all();
        Some(held)
    }

    /// Forgets what nobody says to be there any more.
    pub(super) fn tidy(&mut self) {
        let Some(index) = &mut self.index else {
            return;
        };
        let gone = index.keys().filter(|key| !self.shown.contains_key(*key));
        let gone: Vec<String> = gone.map(str::to_owned).collect();
        for key in gone {
            index.remove(&key);
        }
    }
}
