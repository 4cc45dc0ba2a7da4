//! The folders that a client works in (its roots): they tell which repository is meant when a call names none.
//!
//! Only the revisions with a handshake have them. In 2026-07-28 asking would cost every conversation a round trip, and
//! the protocol is giving roots up.

#![expect(
    deprecated,
    reason = "roots are on their way out of the protocol, and today's clients have them"
)]

use std::path::PathBuf;
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{ClientCapabilities, Root};
use rmcp::service::{Peer, RequestContext};
use tokio::sync::Mutex;
use tokio::time::timeout;
use url::Url;

use capstan_engine::Capstan;

/// A client that does not answer must not hold its own call up.
const LONGEST_WAIT: Duration = Duration::from_secs(2);

/// Whether a client can be asked.
pub(super) fn are_offered(capabilities: &ClientCapabilities) -> bool {
    capabilities.roots.is_some()
}

/// Whether the client was asked.
#[derive(Default)]
pub(super) struct Roots {
    asked: Mutex<bool>,
}

impl Roots {
    /// Asks the client for its folders, unless that was done or makes no difference. Calls that come meanwhile wait, so
    /// that all of them mean the same repository.
    pub(super) async fn ask_once(&self, capstan: &Capstan, context: &RequestContext<RoleServer>) {
        let repository = capstan.words().default_repository();
        if !repository.depends_on_folders() {
            return;
        }
        let mut asked = self.asked.lock().await;
        if *asked {
            return;
        }
        let peer = &context.peer;
        let can_be_asked = peer
            .peer_info()
            .is_some_and(|client| are_offered(&client.capabilities));
        if can_be_asked {
            match folders(peer).await {
                Told::Folders(folders) => repository.set_client_folders(folders),
                Told::OtherPlaces => repository.set_unknown(),
                Told::Nothing => {
                    // It is asked again by the next call.
                    repository.set_unknown();
                    return;
                }
            }
        }
        *asked = true;
    }

    /// The client works in other folders now.
    pub(super) async fn forget(&self) {
        *self.asked.lock().await = false;
    }
}

/// What a client answers.
enum Told {
    /// None if it has none, or does not tell: then it is the folder of the server.
    Folders(Vec<PathBuf>),
    /// It works in places that are no folders of this machine.
    OtherPlaces,
    /// It did not answer in time.
    Nothing,
}

async fn folders(peer: &Peer<RoleServer>) -> Told {
    match timeout(LONGEST_WAIT, peer.list_roots()).await {
        Ok(Ok(listed)) => {
            let folders: Vec<_> = listed.roots.iter().filter_map(folder).collect();
            if folders.is_empty() && !listed.roots.is_empty() {
                Told::OtherPlaces
            } else {
                Told::Folders(folders)
            }
        }
        Ok(Err(error)) => {
            tracing::warn!(%error, "the client did not tell its folders");
            Told::Folders(Vec::new())
        }
        Err(_) => {
            tracing::warn!("the client did not tell its folders in time");
            Told::Nothing
        }
    }
}

fn folder(root: &Root) -> Option<PathBuf> {
    let address = Url::parse(&root.uri).ok()?;
    (address.scheme() == "file")
        .then(|| address.to_file_path().ok())
        .flatten()
}
