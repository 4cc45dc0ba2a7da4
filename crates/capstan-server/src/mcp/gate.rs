//! Lets a request in when it is clear which revision of the protocol it speaks: an `initialize`
//! came before it (2025-11-25 and older), or it says so itself (2026-07-28).
//!
//! The library's own opening closes the connection when anything else comes first, so it is not
//! used.

use std::borrow::Cow;

use rmcp::model::{
    ClientNotification, ClientRequest, ErrorCode, ProtocolVersion, ServerConfig, ServerResult,
};
use rmcp::service::{NotificationContext, RequestContext, Service};
use rmcp::{ErrorData, RoleServer};

use super::server::Server;

const INITIALIZE: &str = "initialize";

pub(super) struct Gate(pub(super) Server);

impl Service<RoleServer> for Gate {
    async fn handle_request(
        &self,
        request: ClientRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<ServerResult, ErrorData> {
        admit(&request, &context)?;
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

fn admit(request: &ClientRequest, context: &RequestContext<RoleServer>) -> Result<(), ErrorData> {
    if request.method() == INITIALIZE {
        let inline = context.meta.protocol_version();
        return match inline.filter(|version| !version.has_initialize()) {
            // The revision that it says it speaks has no handshake.
            Some(_) => Err(ErrorData::new(
                ErrorCode::METHOD_NOT_FOUND,
                "there is no `initialize` in this revision: send requests right away",
                None,
            )),
            None => Ok(()),
        };
    }
    let opens = matches!(
        request,
        ClientRequest::DiscoverRequest(_) | ClientRequest::PingRequest(_)
    );
    if opens || context.protocol_version().is_some() {
        return Ok(());
    }
    Err(ErrorData::invalid_params(
        "the protocol revision is not known: send `initialize` first, or put \
         io.modelcontextprotocol/protocolVersion and io.modelcontextprotocol/clientCapabilities \
         into params._meta",
        None,
    ))
}
