//! The words of `mcp`.

use clap::Args;

/// Tools for agents, over the Model Context Protocol.
#[derive(Debug, Args)]
#[command(after_help = "\
Answers are text for the model. Programs that read `structuredContent` ask for it with --structured,
or with {\"options\": {\"format\": \"json\"}} in a call.

Examples:
  capstan mcp
  capstan mcp -R acme/rocket
  capstan --read-only mcp")]
pub(crate) struct McpArgs {
    /// The repository of lines that name none; by default the one of this folder's git remote
    #[arg(short = 'R', long, value_name = "OWNER/REPO")]
    pub repo: Option<String>,
    /// Send the data as JSON, too; many clients then show that to the model instead of the text
    #[arg(long)]
    pub structured: bool,
    /// Serve reads as a tool of their own, `read`, which a client can let pass without asking
    #[arg(long)]
    pub split: bool,
}
