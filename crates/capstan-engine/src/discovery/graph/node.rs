//! Resolves names to nodes of the graph.

use capstan_core::code::Node;
use capstan_core::{ErrorCode, ResultError};

use crate::capability::FoundCapability;
use crate::discovery::Discovery;

impl Discovery {
    /// Returns the node of an existing capability.
    pub async fn node(&self, name: &str) -> Result<Node, ResultError> {
        let deadline = self.shared.clock.now() + self.shared.settings.run_timeout;
        self.resolver
            .find(name, deadline)
            .await
            .map(|found| node_of(&found))
    }

    /// Returns the node of a capability, or a node with just the name if nothing has it. Relations outlive
    /// the servers and skills that they name.
    pub(crate) async fn node_or_name(&self, name: &str) -> Result<Node, ResultError> {
        match self.node(name).await {
            Err(error) if error.code == ErrorCode::NotFound => Ok(Node::Named(name.to_owned())),
            node => node,
        }
    }

    /// Returns whether a capability without an FQDN can have relations. Capstan's own actions and unnamed
    /// steps of skills cannot.
    pub(crate) fn can_be_related(&self, id: &str) -> bool {
        let server = id.split_once('.').map(|(server, _)| server);
        self.shared.catalog.contains(id)
            || self.has_skill(id)
            || server.is_some_and(|server| self.shared.has_server(server))
    }

    pub(super) fn has_skill(&self, id: &str) -> bool {
        let library = self.directory.library();
        library.is_some_and(|library| library.contains(id))
    }
}

pub(super) fn node_of(found: &FoundCapability) -> Node {
    match found.implementation.code() {
        Some(code) => Node::Code(code.record.fqdn.clone()),
        None => Node::Named(found.card.id.to_string()),
    }
}
