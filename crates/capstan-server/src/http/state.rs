//! The state that all resources share.

use std::sync::{Arc, OnceLock};

use sha2::{Digest as _, Sha256};
use tokio::sync::Mutex;

use capstan_engine::Capstan;

use super::access::AccessControl;

#[derive(Clone)]
pub(super) struct ApiState {
    pub(super) capstan: Arc<Capstan>,
    pub(super) access: Arc<AccessControl>,
    catalog_digest: Arc<OnceLock<[u8; 32]>>,
    /// Held while a request checks `If-Match` and changes a relation, so that no other request
    /// changes it in between.
    pub(super) relation_lock: Arc<Mutex<()>>,
}

impl ApiState {
    pub(super) fn new(capstan: Arc<Capstan>, access: AccessControl) -> Self {
        Self {
            capstan,
            access: Arc::new(access),
            catalog_digest: Arc::default(),
            relation_lock: Arc::default(),
        }
    }

    /// Returns a digest of Capstan's version and of the names of all cards and skills. Together with
    /// the graph it decides what a page of the graph looks like. It is computed once.
    pub(super) fn catalog_digest(&self) -> &[u8; 32] {
        self.catalog_digest.get_or_init(|| {
            let mut hash = Sha256::new().chain_update(env!("CARGO_PKG_VERSION"));
            let mut add = |kind: &str, id: &str| {
                hash.update(kind);
                hash.update(id);
                hash.update([0]);
            };
            for card in self.capstan.catalog().iter() {
                add("card ", card.id);
            }
            for skill in self.capstan.discovery().skills() {
                add("skill ", &skill.id);
            }
            hash.finalize().into()
        })
    }
}
