//! Arguments of `capstan mcp`.

use clap::Args;

/// Serve agents over the Model Context Protocol
#[derive(Debug, Args)]
#[command(after_help = "\
Results are text for the model. For programs that read `structuredContent`, use --structured, or
{\"options\": {\"format\": \"json\"}} in a call.

Examples:
  capstan mcp
  capstan mcp -R acme/rocket
  capstan --read-only mcp")]
pub(crate) struct McpArgs {
    /// Repository for lines that name none [default: this folder's git remote]
    #[arg(short = 'R', long, value_name = "OWNER/REPO")]
    pub repo: Option<String>,
    /// Also send results as JSON; many clients then show the JSON to the model instead of the text
    #[arg(long)]
    pub structured: bool,
    /// Add a tool `read` for reads alone, which a client can allow without asking
    #[arg(long)]
    pub split: bool,
}
