//! Accepts a request only if its protocol revision is known: either `initialize` came before it
//! (2025-11-25 and older), or the request itself names the revision (2026-07-28).
//!
//! The library's own handshake is not used, because it closes the connection if anything other than
//! `initialize` comes first.

use std::borrow::Cow;

use rmcp::model::{
    ClientNotification, ClientRequest, ErrorCode, ProtocolVersion, ServerConfig, ServerResult,
};
use rmcp::service::{NotificationContext, RequestContext, Service};
use rmcp::{ErrorData, RoleServer};

use super::server::McpServer;

/// The revisions that are served, oldest first. A new version of the library adds none by itself: each is served
/// once its tests pass.
pub(super) const SERVED: &[ProtocolVersion] = &[
    ProtocolVersion::V_2024_11_05,
    ProtocolVersion::V_2025_03_26,
    ProtocolVersion::V_2025_06_18,
    ProtocolVersion::V_2025_11_25,
    ProtocolVersion::V_2026_07_28,
];

const INITIALIZE: &str = "initialize";

/// Checks the revision of each request before it passes the request to the server.
pub(super) struct RevisionCheck(pub(super) McpServer);

impl Service<RoleServer> for RevisionCheck {
    async fn handle_request(
        &self,
        request: ClientRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<ServerResult, ErrorData> {
        check_revision(&request, &context)?;
        self.0.handle_request(request, context).await
    }

    async fn handle_notification(
        &self,
        notification: ClientNotification,
        context: NotificationContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.0.handle_notification(notification, context).await
    }

    fn get_info(&self) -> ServerConfig {
        Service::get_info(&self.0)
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Service::supported_protocol_versions(&self.0)
    }
}

fn check_revision(
    request: &ClientRequest,
    context: &RequestContext<RoleServer>,
) -> Result<(), ErrorData> {
    if request.method() == INITIALIZE {
        return match context.meta.protocol_version() {
            Some(version) if !version.has_initialize() => Err(ErrorData::new(
                ErrorCode::METHOD_NOT_FOUND,
                "this protocol revision has no `initialize`: send requests without it",
                None,
            )),
            _ => Ok(()),
        };
    }
    let needs_no_revision = matches!(
        request,
        ClientRequest::DiscoverRequest(_) | ClientRequest::PingRequest(_)
    );
    if needs_no_revision || context.protocol_version().is_some() {
        return Ok(());
    }
    Err(ErrorData::invalid_params(
        "unknown protocol revision: send `initialize` first, or set \
         io.modelcontextprotocol/protocolVersion and io.modelcontextprotocol/clientCapabilities \
         in params._meta",
        None,
    ))
}
