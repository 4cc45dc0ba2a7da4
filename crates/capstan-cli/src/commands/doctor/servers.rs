//! The state of the downstream MCP servers: all are started and asked at the same time.

use std::sync::Arc;
use std::time::{Duration, Instant};

use capstan_core::port::{LeftOut, ServerState, ToolServers};
use serde::Serialize;
use tokio::task::JoinSet;

use super::github::print_status;
use crate::output::Printer;

/// The time limit: a server that does not answer within it is down.
const TIMEOUT: Duration = Duration::from_secs(5);

#[derive(Serialize)]
pub(super) struct ServerReport {
    server: String,
    up: bool,
    /// The name that the server reports.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tools: Option<usize>,
    /// Tools that cannot be used.
    #[serde(skip_serializing_if = "Option::is_none")]
    left_out: Option<LeftOutReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
}

#[derive(Serialize)]
struct LeftOutReport {
    count: usize,
    /// The reasons for the first of them.
    why: Vec<String>,
}

impl ServerReport {
    pub(super) async fn collect_all(servers: Option<&Arc<dyn ToolServers>>) -> Vec<Self> {
        let Some(servers) = servers else {
            return Vec::new();
        };
        let deadline = Instant::now() + TIMEOUT;
        let mut asked = JoinSet::new();
        for (index, server) in servers.names().into_iter().enumerate() {
            let servers = Arc::clone(servers);
            asked.spawn(async move {
                let state = servers.state(&server, deadline).await;
                (index, Self::from_state(server, state))
            });
        }
        let mut reports = Vec::new();
        while let Some(answer) = asked.join_next().await {
            reports.extend(answer.ok());
        }
        reports.sort_by_key(|(index, _)| *index);
        reports.into_iter().map(|(_, report)| report).collect()
    }

    fn from_state(server: String, state: ServerState) -> Self {
        let mut left_out = None;
        let (name, tools, why) = match state {
            ServerState::Up {
                name,
                tools,
                left_out: LeftOut { count, why },
            } => {
                left_out = (count > 0).then_some(LeftOutReport { count, why });
                (Some(name), Some(tools), None)
            }
            ServerState::Down(why) => (None, None, Some(why)),
        };
        Self {
            server,
            up: why.is_none(),
            name,
            tools,
            left_out,
            why,
        }
    }

    pub(super) fn print(&self, printer: &Printer) {
        let name = self.name.as_deref().unwrap_or_default();
        let tools = match self.tools {
            Some(1) => "1 tool".to_owned(),
            many => format!("{} tools", many.unwrap_or(0)),
        };
        let left_out = self
            .left_out
            .as_ref()
            .map(|LeftOutReport { count, why }| format!("; {count} left out: {}", why.join("; ")));
        let up = format!("server {name}, {tools}{}", left_out.unwrap_or_default());
        print_status(
            printer,
            &self.server,
            self.why.as_deref().map_or(Ok(&up), Err),
        );
    }
}
