//! Which names a service cannot have: its ids would begin like others.

use anyhow::bail;
use capstan_core::ServiceName;

use crate::commands::Context;
use crate::wiring;

/// Fails if a service of this name would have ids that others have.
pub(super) fn check_free(context: &Context, service: &ServiceName) -> anyhow::Result<()> {
    let prefix = format!("{service}.");
    let built_in = [&capstan_cards::CARDS, &capstan_cards::GENERATED];
    if built_in.into_iter().any(|cards| cards.has_prefix(&prefix)) {
        bail!("`{service}` begins the ids of built-in cards: choose another name with --service");
    }
    if capstan_engine::own_actions().any(|id| id.starts_with(&prefix)) {
        bail!(
            "`{service}` begins the ids of Capstan's own actions: choose another name with --service"
        );
    }
    let servers = wiring::server_names(&context.global, context.config()?, &context.environment);
    if servers.iter().any(|server| server == service.as_str()) {
        bail!(
            "`{service}` is one of your MCP servers, whose tools have such ids: choose another name with --service"
        );
    }
    Ok(())
}
