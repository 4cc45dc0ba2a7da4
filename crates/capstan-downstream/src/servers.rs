//! All configured servers behind the `ToolServers` port.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use capstan_core::Redactor;
use capstan_core::port::{
    BoxFuture, Clock, Failure, ServerState, Store, Tool, ToolAnswer, ToolServers,
};
use futures_util::future::join_all;
use serde_json::{Map, Value};

use crate::config::{Environment, ServerConfig};
use crate::failure;
use crate::server::{Server, SharedServices};

/// The downstream servers. Each is started when it is first needed. Dropping this ends all of them.
#[derive(Debug)]
pub struct Servers(BTreeMap<String, Server>);

impl Servers {
    /// Creates the servers without starting them. Of two with the same name, the first is used.
    ///
    /// Each server gets only the few variables of the environment that every program may have. The
    /// redactor masks everything that servers say, in addition to the secrets in their own entries.
    pub fn new(
        configs: Vec<ServerConfig>,
        environment: Environment,
        clock: Arc<dyn Clock>,
        store: Option<Arc<dyn Store>>,
        redactor: Redactor,
    ) -> Self {
        let services = SharedServices {
            environment,
            clock,
            store,
            redactor,
        };
        let mut servers = BTreeMap::new();
        for config in configs {
            let name = config.name.to_string();
            servers
                .entry(name)
                .or_insert_with(|| Server::new(config, &services));
        }
        Self(servers)
    }

    fn find(&self, name: &str) -> Result<&Server, Failure> {
        let found = self.0.get(name);
        found.ok_or_else(|| failure::unknown_server(name, &self.names()))
    }
}

impl ToolServers for Servers {
    fn names(&self) -> Vec<String> {
        self.0.keys().cloned().collect()
    }

    fn tools<'a>(
        &'a self,
        server: &'a str,
        deadline: Instant,
    ) -> BoxFuture<'a, Result<Vec<Tool>, Failure>> {
        Box::pin(async move { self.find(server)?.tools(deadline).await })
    }

    fn call<'a>(
        &'a self,
        server: &'a str,
        tool: &'a str,
        input: Map<String, Value>,
        deadline: Instant,
    ) -> BoxFuture<'a, Result<ToolAnswer, Failure>> {
        Box::pin(async move { self.find(server)?.call(tool, input, deadline).await })
    }

    fn state<'a>(&'a self, server: &'a str, deadline: Instant) -> BoxFuture<'a, ServerState> {
        Box::pin(async move {
            match self.find(server) {
                Ok(found) => found.state(deadline).await,
                Err(failure) => ServerState::Down(failure.error.message),
            }
        })
    }

    fn stop(&self) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            join_all(self.0.values().map(Server::stop)).await;
        })
    }
}
