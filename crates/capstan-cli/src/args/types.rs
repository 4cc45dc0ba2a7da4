//! Arguments of `capstan types`.

use std::path::PathBuf;

use clap::{Args, ValueHint};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  capstan types --out capstan.d.ts
  capstan --mcp-servers FILE types > capstan.d.ts

Exit codes: 0 ok, 1 the file cannot be written, 2 wrong usage")]
pub(crate) struct TypesArgs {
    /// Write to a file, replacing it, instead of standard output
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub out: Option<PathBuf>,
}
