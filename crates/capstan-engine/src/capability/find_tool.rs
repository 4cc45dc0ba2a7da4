//! Finds tools of downstream servers.

use std::sync::Arc;
use std::time::Instant;

use capstan_core::{ErrorCode, ResultError, similar};

use super::{Asker, Directory, FoundCapability, Meaning, OnlyKind, kind_error, tool_card};

/// How many similar names are offered if a tool is not found.
const MOST_SIMILAR: usize = 5;

impl Directory {
    /// Finds a tool by its full name, `server.tool`.
    pub(crate) async fn find_tool_named(
        &self,
        name: &str,
        asker: Asker,
        deadline: Instant,
    ) -> Result<FoundCapability, ResultError> {
        match self.meaning_ignoring_skills(name, asker) {
            Meaning::Tool { server, tool } => self.find_tool(server, tool, deadline).await,
            meaning => Err(kind_error(name, OnlyKind::Tool, &meaning)
                .unwrap_or_else(|| ResultError::new(ErrorCode::NotFound, "this is not a tool"))),
        }
    }

    /// Finds a tool of a server. Starts the server if necessary.
    pub(crate) async fn find_tool(
        &self,
        server: &str,
        tool: &str,
        deadline: Instant,
    ) -> Result<FoundCapability, ResultError> {
        let tools = self.shared.tools_of(server, deadline).await?;
        match tools.iter().find(|known| known.name == tool) {
            Some(known) => Ok(Arc::new(tool_card(server, known)).into()),
            None => {
                let mut names = similar::ranked(tool, tools.iter().map(|it| it.name.as_str()));
                names.truncate(MOST_SIMILAR);
                let message = format!(
                    "the server `{server}` has no tool `{tool}`: its {} tools include {}",
                    tools.len(),
                    names.join(", ")
                );
                let near: Vec<_> = names
                    .iter()
                    .map(|name| format!("{server}.{name}"))
                    .collect();
                Err(ResultError::new(ErrorCode::NotFound, message).with_detail("near", near))
            }
        }
    }
}
