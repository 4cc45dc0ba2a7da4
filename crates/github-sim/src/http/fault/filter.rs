//! Which requests a fault hits.

use serde::{Deserialize, Serialize};

use crate::http::log::{Operation, SeenRequest, Transport};

/// Conditions on the requests that a fault hits. All must hold; `None` matches every request.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Filter {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transport: Option<Transport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operation: Option<Operation>,
    /// GraphQL: the name of the operation, or the name or alias of a root field. REST: a part of the path and query.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

impl Filter {
    pub(super) fn matches(&self, request: &SeenRequest) -> bool {
        self.transport
            .is_none_or(|transport| transport == request.transport)
            && self
                .operation
                .is_none_or(|operation| operation == request.operation)
            && self
                .name
                .as_deref()
                .is_none_or(|name| match request.transport {
                    Transport::Rest | Transport::Storage => request.path.contains(name),
                    Transport::Graphql => {
                        request.operation_name.as_deref() == Some(name) || request.has_root(name)
                    }
                })
    }
}
