//! What is needed to start a server any number of times.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rmcp::model::ProtocolVersion;
use rmcp::service::ClientLifecycleMode;

use crate::config::{Environment, ServerConfig};
use crate::tools::ToolMemory;

#[derive(Debug)]
pub(crate) struct ServerSpec {
    pub(crate) config: ServerConfig,
    pub(crate) environment: Environment,
    pub(crate) memory: Arc<ToolMemory>,
    uses_discover: AtomicBool,
}

/// The handshake of a protocol revision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Handshake {
    /// `initialize`, up to 2025-11-25. Tried first: nearly every server supports it, and some older
    /// ones fail on any other first message.
    Initialize,
    /// `server/discover`, since 2026-07-28.
    Discover,
}

impl ServerSpec {
    pub(crate) fn new(
        config: ServerConfig,
        environment: Environment,
        memory: Arc<ToolMemory>,
    ) -> Self {
        Self {
            config,
            environment,
            memory,
            uses_discover: AtomicBool::new(false),
        }
    }

    /// Returns the handshake that worked before; `Initialize` at first.
    pub(super) fn handshake(&self) -> Handshake {
        if self.uses_discover.load(Ordering::Acquire) {
            Handshake::Discover
        } else {
            Handshake::Initialize
        }
    }

    pub(super) fn set_handshake(&self, handshake: Handshake) {
        self.uses_discover
            .store(handshake == Handshake::Discover, Ordering::Release);
    }
}

impl Handshake {
    pub(super) fn other(self) -> Self {
        match self {
            Handshake::Initialize => Handshake::Discover,
            Handshake::Discover => Handshake::Initialize,
        }
    }

    pub(super) fn lifecycle(self) -> ClientLifecycleMode {
        match self {
            Handshake::Initialize => ClientLifecycleMode::Initialize,
            Handshake::Discover => ClientLifecycleMode::Discover {
                preferred_versions: vec![ProtocolVersion::V_2026_07_28],
            },
        }
    }
}
