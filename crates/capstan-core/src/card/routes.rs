//! What a card says about each route: what to send, and how to read the answer.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use super::{FollowUp, Operation, Output};
use crate::Method;
use crate::expr::{Expr, Path, Template, ValueTemplate};

/// One operation of a document, with the fragments it needs and nothing else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphqlDocument {
    /// Whether its author gave the operation its name; otherwise it is made from the card's id.
    pub is_named: bool,
    pub operation_name: String,
    pub text: String,
    pub operation: Operation,
    /// The names of its variables, in their order.
    pub variables: Vec<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct GraphqlRoute {
    pub document: GraphqlDocument,
    /// Variable → expression over the input; what a lookup found is `$name`.
    pub variables: IndexMap<String, Expr>,
    /// Lookups that turn human input into node ids, in order.
    pub resolve: IndexMap<String, GraphqlLookup>,
    /// Before the operation: there is nothing to do.
    pub unchanged: Option<Settled>,
    /// Before the operation: it must not be sent.
    pub refuse: Option<Refusal>,
    /// After a write whose answer was lost: it happened.
    pub verify: Option<Settled>,
    pub output: Output,
    pub pagination: Option<GraphqlPagination>,
    pub max_page_size: Option<u64>,
}

/// A read before the operation. Its root becomes `$name`.
#[derive(Clone, Debug, PartialEq)]
pub struct GraphqlLookup {
    pub document: GraphqlDocument,
    pub variables: IndexMap<String, Expr>,
    pub root: Path,
    /// One lookup for each element of this array (as `$item`); the result is an array.
    pub each: Option<Expr>,
    /// The result does not change: it may be remembered.
    pub cache: bool,
    /// Null instead of a failure where it is not there.
    pub optional: bool,
    /// While this holds of the root, GitHub is still computing it: the lookup is asked again.
    pub again: Option<Expr>,
    /// What of the root is meant; nothing there counts as not found.
    pub pick: Option<Expr>,
    /// What to say when it is not there; `$found` is what the root holds.
    pub missing: Option<Template>,
    /// The call that helps when it is not there.
    pub mend: Option<FollowUp>,
}

/// When the lookups show that things are as a write would have them.
#[derive(Clone, Debug, PartialEq)]
pub struct Settled {
    pub when: Expr,
    /// The lookup whose root holds the output's fields.
    pub from: String,
}

/// When the lookups show that a write must not be sent.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// The boolean input that sends it all the same.
    pub override_input: Option<String>,
    pub rules: Vec<RefusalRule>,
}

impl Refusal {
    /// Whether a rule uses what the lookup of this name found.
    pub fn looks_at(&self, lookup: &str) -> bool {
        let decides = |rule: &RefusalRule| match &rule.when {
            Some(when) => when.mentions(lookup),
            None => rule.because.mentions(lookup),
        };
        self.rules.iter().any(decides)
    }
}

/// One reason for which a write is refused.
#[derive(Clone, Debug, PartialEq)]
pub struct RefusalRule {
    /// Without it, the rule applies when `because` has a value.
    pub when: Option<Expr>,
    pub because: Template,
    /// GitHub refuses it too, so the override does not help.
    pub is_final: bool,
    /// The reason passes by itself: the same call may succeed a little later.
    pub is_passing: bool,
}

/// Expressions over `data`.
#[derive(Clone, Debug, PartialEq)]
pub struct GraphqlPagination {
    pub has_next_page: Expr,
    pub end_cursor: Expr,
    pub total: Option<Expr>,
}

/// A REST request with blanks.
#[derive(Clone, Debug, PartialEq)]
pub struct RestCall {
    pub method: Method,
    pub path: Template,
    /// Parts of a value are joined by spaces; a part with a blank that has no value is left out.
    pub query: IndexMap<String, Vec<Template>>,
    pub body: Option<ValueTemplate>,
    /// The media type that is asked for, where it is not GitHub's usual one.
    pub accept: Option<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct RestRoute {
    pub call: RestCall,
    pub resolve: IndexMap<String, HttpLookup>,
    /// Before the operation: there is nothing to do.
    pub unchanged: Option<Settled>,
    /// Before the operation: it must not be sent.
    pub refuse: Option<Refusal>,
    /// After a write whose answer was lost: it happened.
    pub verify: Option<Settled>,
    pub output: Output,
    pub pagination: Option<HttpPagination>,
}

/// A GET before the operation. Its answer becomes `$name`.
#[derive(Clone, Debug, PartialEq)]
pub struct HttpLookup {
    pub call: RestCall,
    pub root: Option<Path>,
    /// One lookup for each element of this array (as `$item`); the result is an array.
    pub each: Option<Expr>,
    /// What must hold of the result; else it counts as not there.
    pub require: Option<Expr>,
    pub missing: Option<Template>,
    /// The call that helps when it is not there.
    pub mend: Option<FollowUp>,
}

/// Pages are counted; `total` is read from the answer where it says so.
#[derive(Clone, Debug, PartialEq)]
pub struct HttpPagination {
    pub total: Option<Path>,
    /// Where the answer says that GitHub gave up before it had looked everywhere.
    pub incomplete: Option<Path>,
}

/// How `gh` does it.
#[derive(Clone, Debug, PartialEq)]
pub enum CliRoute {
    Command(Box<CliCommand>),
    /// `gh api` with what another route of the card sends: one request, with status and headers in
    /// the answer. Writes go this way, because only so is it known whether they happened.
    Api(ApiKind),
}

/// Whose request `gh api` sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ApiKind {
    Graphql,
    Rest,
}

/// `gh <command> <args> --json <fields>`; reads only.
#[derive(Clone, Debug, PartialEq)]
pub struct CliCommand {
    pub command: Vec<String>,
    pub args: Vec<CliArg>,
    pub json_fields: Vec<String>,
    pub output: Output,
    /// Asks for one row more than wanted (`$page.probe`) to learn whether there is another page.
    pub overfetch: bool,
    pub max_items: Option<u64>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum CliArg {
    /// Left out when a blank has no value.
    One(Template),
    /// Once for each element of an array, as `$item`.
    Each { each: Expr, arg: Template },
    /// A fixed argument that is there only when the predicate holds.
    When { when: Expr, arg: Template },
}
