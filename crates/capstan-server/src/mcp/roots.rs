//! The folders that a client works in (its roots). They determine the repository of calls that name none.
//!
//! Only revisions with a handshake are asked. In 2026-07-28, asking would cost every conversation a round trip, and
//! the protocol deprecates roots.

#![expect(
    deprecated,
    reason = "the protocol deprecates roots, but today's clients still use them"
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

/// How long to wait for the client's roots. The call that needs them waits as long.
const REPLY_TIMEOUT: Duration = Duration::from_secs(2);

/// Returns whether the client can be asked for its roots.
pub(super) fn are_supported(capabilities: &ClientCapabilities) -> bool {
    capabilities.roots.is_some()
}

/// Asks the client for its roots and remembers that it did.
#[derive(Default)]
pub(super) struct Roots {
    are_known: Mutex<bool>,
}

impl Roots {
    /// Asks the client for its roots and sets the default repository accordingly, unless this was done before or the
    /// roots make no difference. Calls that arrive meanwhile wait, so that all of them use the same repository.
    pub(super) async fn request_once(
        &self,
        capstan: &Capstan,
        context: &RequestContext<RoleServer>,
    ) {
        let repository = capstan.words().default_repository();
        if !repository.depends_on_folders() {
            return;
        }
        let mut are_known = self.are_known.lock().await;
        if *are_known {
            return;
        }
        let peer = &context.peer;
        let is_supported = peer
            .peer_info()
            .is_some_and(|client| are_supported(&client.capabilities));
        if is_supported {
            match request_roots(peer).await {
                RootsReply::Folders(folders) => repository.set_client_folders(folders),
                RootsReply::NotLocal => repository.set_unknown(),
                RootsReply::TimedOut => {
                    // The next call asks again.
                    repository.set_unknown();
                    return;
                }
            }
        }
        *are_known = true;
    }

    /// Makes the next call ask again, because the roots have changed.
    pub(super) async fn invalidate(&self) {
        *self.are_known.lock().await = false;
    }
}

/// The client's reply to the request for its roots.
enum RootsReply {
    /// The folders. If there are none, or the client refused, the server's own folder is used.
    Folders(Vec<PathBuf>),
    /// There are roots, but none is a folder on this machine.
    NotLocal,
    /// No reply arrived in time.
    TimedOut,
}

async fn request_roots(peer: &Peer<RoleServer>) -> RootsReply {
    match timeout(REPLY_TIMEOUT, peer.list_roots()).await {
        Ok(Ok(listed)) => {
            let folders: Vec<_> = listed.roots.iter().filter_map(local_folder).collect();
            if folders.is_empty() && !listed.roots.is_empty() {
                RootsReply::NotLocal
            } else {
                RootsReply::Folders(folders)
            }
        }
        Ok(Err(error)) => {
            tracing::warn!(%error, "the client refused to list its roots");
            RootsReply::Folders(Vec::new())
        }
        Err(_) => {
            let seconds = REPLY_TIMEOUT.as_secs();
            tracing::warn!("the client did not list its roots within {seconds} s");
            RootsReply::TimedOut
        }
    }
}

/// Returns the path of a root with a `file` URI.
fn local_folder(root: &Root) -> Option<PathBuf> {
    let uri = Url::parse(&root.uri).ok()?;
    if uri.scheme() == "file" {
        uri.to_file_path().ok()
    } else {
        None
    }
}
