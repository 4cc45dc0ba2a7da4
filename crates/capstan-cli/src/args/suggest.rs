//! The words of `suggest`.

use clap::Args;

#[derive(Debug, Args)]
#[command(after_help = "\
What is suggested is ranked by how well it fits times how reliable it is. With several things to
do, a plan is suggested: steps that are ready to send as a chain. A plan that only looks is run
with --accept; one that writes has to be seen before, and says with what it is accepted.

Examples:
  capstan suggest close the duplicate and thank the reporter
  capstan --demo suggest 'show issue 1 of acme/rocket' --accept
  capstan --demo suggest 'comment on issue 1 of acme/rocket' --input '{\"body\":\"Done.\"}'
  capstan --demo suggest 'close issue 3 in acme/rocket' --accept=PLAN

Exit codes: 0 ok, 1 failed, 2 wrong usage or input, 3 a part of it failed, 4 not logged in or not
allowed")]
pub(crate) struct SuggestArgs {
    /// What you want to do, in your words
    #[arg(required = true)]
    pub intent: Vec<String>,
    /// Run what is suggested, if it is sure, nothing is missing and it only looks; or the plan that you
    /// have seen
    #[arg(long, value_name = "PLAN", num_args = 0..=1, require_equals = true)]
    pub accept: Option<Option<String>>,
    /// Inputs that the intent does not say, as a JSON object; `-` reads it from standard input
    #[arg(long, value_name = "JSON|-")]
    pub input: Option<String>,
}
