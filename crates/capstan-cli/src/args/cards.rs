//! Arguments of `capstan cards`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueHint};

/// Make cards for other services
#[derive(Debug, Subcommand)]
pub(crate) enum CardsCommand {
    /// Import the description of an API as cards of a service
    #[command(subcommand)]
    Import(CardsImportCommand),
}

#[derive(Debug, Subcommand)]
#[command(after_help = "\
Every operation that can be called becomes a card `NAME.<nouns>.<verb>`. Nothing is sent to the
service. Where the service is and who you are stays in your own configuration: the import prints
the lines to add.

Examples:
  capstan cards import openapi examples/services/bookshop.yaml --service bookshop --dry-run
  capstan cards import openapi URL --service shop
  capstan cards import openapi FILE --service shop --only 'orders.*' --tag Billing
  capstan cards import graphql FILE --service store --to ./store-cards

Exit codes: 0 ok, 1 nothing imported, 2 wrong usage or input")]
pub(crate) enum CardsImportCommand {
    /// Import an OpenAPI 3 description, in JSON or YAML
    Openapi(CardsImportArgs),
    /// Import a GraphQL schema, or the answer to an introspection query
    Graphql(CardsImportArgs),
}

#[derive(Debug, Args)]
#[command(after_help = "\
An import replaces the cards of an earlier one and says what has changed. Cards never replace
built-in ones. Files are read as they are; an address has to be https.

Examples:
  capstan cards import openapi FILE --service shop
  capstan cards import graphql FILE --service store --dry-run

Exit codes: 0 ok, 1 nothing imported, 2 wrong usage or input")]
pub(crate) struct CardsImportArgs {
    /// The description: a file or an https address
    #[arg(value_name = "FILE|URL", value_hint = ValueHint::FilePath)]
    pub source: String,
    /// The name of the service, with which all ids begin
    #[arg(long, value_name = "NAME")]
    pub service: String,
    /// Write the cards to this folder [default: services/NAME beside your configuration]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub to: Option<PathBuf>,
    /// Import only operations whose id, path or name matches this pattern (* and ?)
    #[arg(long, value_name = "GLOB")]
    pub only: Vec<String>,
    /// Import only operations with this tag (OpenAPI)
    #[arg(long, value_name = "TAG")]
    pub tag: Vec<String>,
    /// Show what would be imported, and write nothing
    #[arg(long)]
    pub dry_run: bool,
}
