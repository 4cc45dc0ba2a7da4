//! Saves the index to disk, for catalogues that take long to index or embeddings that cost money.

use serde::{Deserialize, Serialize};

use capstan_core::card::Kind;
use capstan_search::Index;

use super::index_entry::IndexedCapability;
use super::search_index::IndexState;

/// What an index was built from. An index of another model is useless. For another store or viewer,
/// everything but its code can be used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct IndexIdentity {
    /// The identity of the store that holds the code. A new file starts with new revisions.
    pub(super) store: String,
    pub(super) org: String,
    pub(super) project: String,
    pub(super) user: String,
    pub(super) model: String,
}

#[derive(Serialize, Deserialize)]
struct IndexHeader {
    #[serde(rename = "about")]
    identity: IndexIdentity,
    code_at: u64,
    /// The visible code. Other capabilities are listed again when they are loaded.
    code: Vec<(String, IndexedCapability)>,
}

/// The file format.
const MAGIC: &[u8; 8] = b"capfind1";

impl IndexState {
    pub(super) fn to_bytes(&self, identity: &IndexIdentity) -> Option<Vec<u8>> {
        let index = self.index.as_ref()?;
        let code = self.capabilities.iter();
        let code = code.filter(|(_, capability)| capability.kind == Kind::Code);
        let header = IndexHeader {
            identity: identity.clone(),
            code_at: self.code_at,
            code: code
                .map(|(key, capability)| (key.clone(), capability.clone()))
                .collect(),
        };
        let header = serde_json::to_vec(&header).ok()?;
        let mut bytes = MAGIC.to_vec();
        bytes.extend((header.len() as u64).to_le_bytes());
        bytes.extend(header);
        bytes.extend(index.to_bytes());
        Some(bytes)
    }

    /// Reads a saved index, if it is valid and of the same model. Capabilities other than code are indexed
    /// but not visible until they are listed again.
    pub(super) fn from_bytes(bytes: &[u8], identity: &IndexIdentity) -> Option<Self> {
        let (magic, rest) = bytes.split_first_chunk::<8>()?;
        let (length, rest) = rest.split_first_chunk::<8>()?;
        if magic != MAGIC {
            return None;
        }
        let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
        let (header, index) = rest.split_at_checked(length)?;
        let header: IndexHeader = serde_json::from_slice(header).ok()?;
        let mut index = Index::from_bytes(index).ok()?;
        if header.identity.model != identity.model || index.model() != identity.model {
            return None;
        }
        let mut state = Self::default();
        if header.identity != *identity {
            for (key, _) in &header.code {
                index.remove(key);
            }
            state.index = Some(index);
            return Some(state);
        }
        state.index = Some(index);
        state.capabilities = header.code.into_iter().collect();
        let code = state.capabilities.iter();
        let code =
            code.filter_map(|(key, capability)| Some((capability.fqdn.clone()?, key.clone())));
        state.code = code.collect();
        state.code_at = header.code_at;
        state.label_all();
        Some(state)
    }

    /// Removes the entries that were not listed again.
    pub(super) fn remove_unlisted(&mut self) {
        let Some(index) = &mut self.index else {
            return;
        };
        let gone = index
            .keys()
            .filter(|key| !self.capabilities.contains_key(*key));
        let gone: Vec<String> = gone.map(str::to_owned).collect();
        for key in gone {
            index.remove(&key);
        }
    }
}
