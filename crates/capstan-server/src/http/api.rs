//! What every resource works with.

use std::sync::{Arc, OnceLock};

use sha2::{Digest as _, Sha256};
use tokio::sync::Mutex;

use capstan_engine::Capstan;

use super::door::Door;

#[derive(Clone)]
pub(super) struct Api {
    pub(super) capstan: Arc<Capstan>,
    pub(super) door: Arc<Door>,
    kinds: Arc<OnceLock<[u8; 32]>>,
    /// Held by whoever changes relations, so that nobody comes between a look and the change.
    pub(super) changing: Arc<Mutex<()>>,
}

impl Api {
    pub(super) fn new(capstan: Arc<Capstan>, door: Door) -> Self {
        Self {
            capstan,
            door: Arc::new(door),
            kinds: Arc::default(),
            changing: Arc::default(),
        }
    }

    /// What decides how the same graph is shown, beside the graph: this version, and which names
    /// are cards and skills.
    pub(super) fn kinds(&self) -> &[u8; 32] {
        self.kinds.get_or_init(|| {
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
