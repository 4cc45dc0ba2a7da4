//! What is needed to start a server, again and again.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rmcp::model::ProtocolVersion;
use rmcp::service::ClientLifecycleMode;

use crate::config::{Environment, ServerConfig};
use crate::tools::Memory;

#[derive(Debug)]
pub(crate) struct Spec {
    pub(crate) config: ServerConfig,
    pub(crate) environment: Environment,
    pub(crate) memory: Arc<Memory>,
    modern: AtomicBool,
}

/// How hands are shaken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Era {
    /// `initialize`, up to 2025-11-25. It is tried first: nearly every server knows it, and some
    /// older ones cannot bear another first message.
    Initialize,
    /// `server/discover`, since 2026-07-28.
    Discover,
}

impl Spec {
    pub(crate) fn new(config: ServerConfig, environment: Environment, memory: Arc<Memory>) -> Self {
        Self {
            config,
            environment,
            memory,
            modern: AtomicBool::new(false),
        }
    }

    /// What worked before.
    pub(super) fn era(&self) -> Era {
        if self.modern.load(Ordering::Acquire) {
            Era::Discover
        } else {
            Era::Initialize
        }
    }

    pub(super) fn set_era(&self, era: Era) {
        self.modern.store(era == Era::Discover, Ordering::Release);
    }
}

impl Era {
    pub(super) fn other(self) -> Self {
        match self {
            Era::Initialize => Era::Discover,
            Era::Discover => Era::Initialize,
        }
    }

    pub(super) fn lifecycle(self) -> ClientLifecycleMode {
        match self {
            Era::Initialize => ClientLifecycleMode::Initialize,
            Era::Discover => ClientLifecycleMode::Discover {
                preferred_versions: vec![ProtocolVersion::V_2026_07_28],
            },
        }
    }
}
