//! Arguments of `capstan suggest`.

use clap::Args;

#[derive(Debug, Args)]
#[command(after_help = "\
Suggestions are ranked by relevance times reliability. For an intent with several actions, the
suggestion is a plan: steps that can be sent as a chain. --accept runs a plan that only reads. A
plan that writes is shown first, together with the --accept=PLAN that runs it.

Examples:
  capstan suggest close the duplicate and thank the reporter
  capstan --demo suggest 'show issue 1 of acme/rocket' --accept
  capstan --demo suggest 'comment on issue 1 of acme/rocket' --input '{\"body\":\"Done.\"}'
  capstan --demo suggest 'close issue 3 in acme/rocket' --accept=PLAN

Exit codes: 0 ok, 1 failed, 2 wrong usage or input, 3 some steps failed, 4 not logged in or not
allowed")]
pub(crate) struct SuggestArgs {
    /// What you want to do, in your own words
    #[arg(required = true)]
    pub intent: Vec<String>,
    /// Run the suggestion if it is certain, complete and only reads; with PLAN, run the plan that was
    /// shown
    #[arg(long, value_name = "PLAN", num_args = 0..=1, require_equals = true)]
    pub accept: Option<Option<String>>,
    /// Inputs that the intent does not contain, as a JSON object; `-` reads standard input
    #[arg(long, value_name = "JSON|-")]
    pub input: Option<String>,
}
