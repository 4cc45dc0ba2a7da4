//! What a name means as an end of a relation.

use capstan_core::code::Node;
use capstan_core::{ErrorCode, ResultError};

use crate::capability::FoundCapability;
use crate::discovery::Discovery;

impl Discovery {
    /// Something that is there.
    pub async fn node(&self, name: &str) -> Result<Node, ResultError> {
        let deadline = self.shared.clock.now() + self.shared.settings.run_timeout;
        self.resolver
            .find(name, deadline)
            .await
            .map(|found| of(&found))
    }

    /// The same; what is not there any more is meant by what it was called. Relations outlive the
    /// servers and skills that they name.
    pub(crate) async fn node_or_name(&self, name: &str) -> Result<Node, ResultError> {
        match self.node(name).await {
            Err(error) if error.code == ErrorCode::NotFound => Ok(Node::Named(name.to_owned())),
            node => node,
        }
    }

    /// Whether something with a plain id can be related: not what Capstan does itself, and not the
    /// steps of skills that have no name of their own.
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

pub(super) fn of(found: &FoundCapability) -> Node {
    match found.implementation.code() {
        Some(code) => Node::Code(code.record.fqdn.clone()),
        None => Node::Named(found.card.id.to_string()),
    }
}
