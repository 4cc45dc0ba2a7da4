//! The options of the MCP server.

/// How the tools are offered and how their results are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct McpOptions {
    /// Results also carry their data as `structuredContent`. Many clients then show the model that instead of
    /// the text, which costs more tokens.
    pub structured: bool,
    /// Reads are also offered as a separate tool, so that a client can allow them without asking the user.
    pub split: bool,
    /// All tools are marked as read-only. Set this if the policy refuses all writes.
    pub read_only: bool,
}
