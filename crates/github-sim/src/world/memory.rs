//! What clients did that no other part of the world models: switches, sealed secrets, uploads and downloads.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

use super::repository::RepoId;

/// What clients did that no other part of the world models.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Memory {
    /// Paths that were PUT (true) or DELETEd (false) last, without a leading slash.
    pub switches: BTreeMap<String, bool>,
    /// How often each answer that is computed later was asked for.
    pub asked: BTreeMap<String, u32>,
    /// After how many requests such an answer is ready; until then the answer is 202.
    pub ready_after: u32,
    /// Secrets as they were sent, oldest first.
    pub sealed_secrets: Vec<SealedSecret>,
    /// Uploaded files of releases, oldest first.
    pub assets: Vec<ReleaseAsset>,
    pub downloads: Downloads,
}

/// A secret as a client sent it: encrypted for [`SECRETS_PUBLIC_KEY`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SealedSecret {
    /// The path of the request, for instance `/repos/acme/rocket/actions/secrets/TOKEN`.
    pub path: String,
    /// The sealed box in Base64.
    pub encrypted_value: String,
}

/// An uploaded file of a release.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReleaseAsset {
    pub id: u64,
    pub repo: RepoId,
    pub release: u64,
    pub name: String,
    pub label: Option<String>,
    pub content_type: String,
    pub uploader: String,
    pub created_at: OffsetDateTime,
    pub bytes: Vec<u8>,
}

/// What downloads from the storage host contain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Downloads {
    /// The size of the log of a job, if it shall be longer than usual.
    pub log_megabytes: Option<u32>,
    /// The unpacked size of zeros that every zip file contains besides its own entries. Packed, it is a thousandth.
    pub bomb_megabytes: Option<u32>,
    /// How long an address is valid. Zero or less makes addresses that have expired.
    pub lifetime_seconds: i64,
}

/// The id of the key that secrets must be encrypted for.
pub const SECRETS_KEY_ID: &str = "568250167242549743";

/// The X25519 key that secrets must be encrypted for. It is the same in every world, and protects nothing.
pub const SECRETS_PUBLIC_KEY: [u8; 32] = [
    0xdc, 0x40, 0x6d, 0xee, 0xbe, 0xb6, 0xe1, 0x28, 0xaf, 0x24, 0x9f, 0x84, 0x83, 0xa9, 0xfa, 0xc2,
    0x45, 0xca, 0x00, 0xd0, 0x12, 0x41, 0x7e, 0x3a, 0x1f, 0x3b, 0x9c, 0x82, 0xf9, 0x3b, 0x55, 0x12,
];

/// The private half of [`SECRETS_PUBLIC_KEY`], for tests that decrypt what a client sent.
pub const SECRETS_PRIVATE_KEY: [u8; 32] = [
    0x00, 0x20, 0x01, 0x46, 0x88, 0x40, 0xd8, 0x14, 0x6f, 0xb7, 0xcd, 0xfe, 0x51, 0x76, 0x3a, 0x71,
    0x0d, 0x8d, 0x69, 0xd9, 0x64, 0xae, 0xe7, 0x9d, 0x55, 0xef, 0x65, 0x0b, 0xc4, 0x22, 0x12, 0x1c,
];

impl Default for Memory {
    fn default() -> Self {
        Self {
            switches: BTreeMap::new(),
            asked: BTreeMap::new(),
            ready_after: 1,
            sealed_secrets: Vec::new(),
            assets: Vec::new(),
            downloads: Downloads::default(),
        }
    }
}

impl Default for Downloads {
    fn default() -> Self {
        Self {
            log_megabytes: None,
            bomb_megabytes: None,
            lifetime_seconds: 600,
        }
    }
}

impl Memory {
    /// Counts a request for an answer that is computed later, and returns whether the answer is ready.
    pub fn is_ready(&mut self, path: &str) -> bool {
        let asked = self.asked.entry(path.to_owned()).or_default();
        *asked = asked.saturating_add(1);
        *asked > self.ready_after
    }

    /// Returns the uploaded files of a release.
    pub fn assets_of(&self, repo: RepoId, release: u64) -> impl Iterator<Item = &ReleaseAsset> {
        self.assets
            .iter()
            .filter(move |asset| asset.repo == repo && asset.release == release)
    }

    pub fn asset(&self, repo: RepoId, id: u64) -> Option<&ReleaseAsset> {
        self.assets
            .iter()
            .find(|asset| asset.repo == repo && asset.id == id)
    }
}
