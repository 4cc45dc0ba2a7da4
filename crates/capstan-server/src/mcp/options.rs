//! What a server of tools is told when it starts.

/// How tools are served.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct McpOptions {
    /// Answers carry their data as `structuredContent`, too. Many clients then show that to the model instead of the
    /// text, which costs more.
    pub structured: bool,
    /// Reads are a tool of their own, so that a client can let them pass without asking.
    pub split: bool,
    /// Nothing that is served changes anything.
    pub read_only: bool,
}
