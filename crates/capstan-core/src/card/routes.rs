//! The routes of a card: what each sends, and how it reads the answer.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use super::{FollowUp, Operation, Output, ServiceParts};
use crate::expr::{Expr, Path, Template, ValueTemplate};
use crate::{AnswerFormat, ApiHost, Method};

/// One operation of a document, with only the fragments that it needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphqlDocument {
    /// Whether the author named the operation. Otherwise the name is made from the card's id.
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
    /// An expression over the input for each variable. The result of a lookup is `$name`.
    pub variables: IndexMap<String, Expr>,
    /// Lookups that turn human input into node ids, in order.
    pub resolve: IndexMap<String, GraphqlLookup>,
    /// Checked before the operation: if true, there is nothing to do.
    pub unchanged: Option<Settled>,
    /// Checked before the operation: if a rule applies, it is not sent.
    pub refuse: Option<Refusal>,
    /// Checked after a write whose answer was lost: if true, it happened.
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
    /// Runs one lookup for each element of this array (as `$item`); the result is an array.
    pub each: Option<Expr>,
    /// Whether the result never changes and may be cached.
    pub cache: bool,
    /// Whether a missing object gives null instead of a failure.
    pub optional: bool,
    /// While this is true for the root, GitHub is still computing it, and the lookup is repeated.
    pub again: Option<Expr>,
    /// The part of the root that is used. If it is absent, the lookup found nothing.
    pub pick: Option<Expr>,
    /// The message if it is missing; `$found` is the value of the root.
    pub missing: Option<Template>,
    /// The call that helps if it is missing.
    pub mend: Option<FollowUp>,
}

/// A condition under which lookups show that things are as a write would make them.
#[derive(Clone, Debug, PartialEq)]
pub struct Settled {
    pub when: Expr,
    /// The lookup whose root has the output's fields.
    pub from: String,
}

/// The conditions under which lookups forbid a write.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// The boolean input that sends the write nevertheless.
    pub override_input: Option<String>,
    pub rules: Vec<RefusalRule>,
}

impl Refusal {
    /// Returns whether a rule uses the result of the lookup of this name.
    pub fn looks_at(&self, lookup: &str) -> bool {
        let decides = |rule: &RefusalRule| match &rule.when {
            Some(when) => when.mentions(lookup),
            None => rule.because.mentions(lookup),
        };
        self.rules.iter().any(decides)
    }
}

/// One reason to refuse a write.
#[derive(Clone, Debug, PartialEq)]
pub struct RefusalRule {
    /// Without a condition, the rule applies if `because` has a value.
    pub when: Option<Expr>,
    pub because: Template,
    /// Whether GitHub refuses it too, so that the override does not help.
    pub is_final: bool,
    /// Whether the reason goes away by itself: the same call may succeed a little later.
    pub is_passing: bool,
}

/// Paging, as expressions over `data`.
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
    /// The parts of a value are joined by spaces. A part with a blank that has no value is left
    /// out.
    pub query: IndexMap<String, Vec<Template>>,
    pub body: Option<ValueTemplate>,
    /// A body that is not JSON, in place of `body`.
    pub raw: Option<RawInput>,
    pub host: ApiHost,
    /// The requested media type, if it is not GitHub's usual one.
    pub accept: Option<String>,
    /// Some reads are sent by POST.
    pub operation: Operation,
    pub answer: AnswerFormat,
    /// What to read of an answer that is a file or a diff.
    pub file: FileParts,
    /// What only the requests of services have.
    pub service: ServiceParts,
}

impl RestCall {
    /// Returns whether the request itself has this parameter in its query, also as a list: `tag[]`.
    pub fn sends(&self, parameter: &str) -> bool {
        let list = parameter.split('[').next().unwrap_or_default();
        self.query.contains_key(parameter)
            || self.service.lists.contains_key(parameter)
            || self.service.lists.contains_key(list)
    }
}

/// The input that is sent as a body that is not JSON: a text, or an object with `base64`.
#[derive(Clone, Debug, PartialEq)]
pub struct RawInput {
    pub input: String,
    /// The media type. Without a value, the name tells it.
    pub media_type: Option<Template>,
    /// The name of the file, whose ending tells the media type.
    pub name: Option<Template>,
}

impl RawInput {
    /// Returns the expressions of its type and its name.
    pub fn expressions(&self) -> impl Iterator<Item = &Expr> {
        let templates = self.media_type.iter().chain(&self.name);
        templates.flat_map(Template::expressions)
    }
}

/// The inputs that tell what to read of a file. See [`FileSelection`](crate::FileSelection).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FileParts {
    pub entry: Option<Template>,
    pub lines: Option<Template>,
    pub tail: Option<Template>,
    pub find: Option<Template>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct RestRoute {
    pub call: RestCall,
    pub resolve: IndexMap<String, HttpLookup>,
    /// Secrets that are sealed before they are sent. Each becomes `$name`.
    pub seal: IndexMap<String, SealedInput>,
    /// Checked before the operation: if true, there is nothing to do.
    pub unchanged: Option<Settled>,
    /// Checked before the operation: if a rule applies, it is not sent.
    pub refuse: Option<Refusal>,
    /// Checked after a write whose answer was lost: if true, it happened.
    pub verify: Option<Settled>,
    pub output: Output,
    pub pagination: Option<HttpPagination>,
}

/// A secret that only the owner of a public key can read.
#[derive(Clone, Debug, PartialEq)]
pub struct SealedInput {
    /// The input that has the secret. Without it, nothing is sealed.
    pub input: String,
    /// The public key in Base64.
    pub key: Expr,
}

/// A GET before the operation. Its answer becomes `$name`.
#[derive(Clone, Debug, PartialEq)]
pub struct HttpLookup {
    pub call: RestCall,
    pub root: Option<Path>,
    /// Runs one lookup for each element of this array (as `$item`); the result is an array.
    pub each: Option<Expr>,
    /// The part of the root that is used. If it is absent, the lookup found nothing.
    pub pick: Option<Expr>,
    /// A condition on the result. If it is false, the object counts as missing.
    pub require: Option<Expr>,
    /// The message if it is missing. With `pick`, `$found` is the value of the root.
    pub missing: Option<Template>,
    /// The call that helps if it is missing.
    pub mend: Option<FollowUp>,
}

/// Paging. `total` is read from the answer, if it has one.
#[derive(Clone, Debug, PartialEq)]
pub struct HttpPagination {
    pub style: PageStyle,
    pub total: Option<Path>,
    /// The flag in the answer that GitHub gave up before it had searched everything.
    pub incomplete: Option<Path>,
}

/// How a list continues.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PageStyle {
    /// Pages have numbers, so any of them can be requested.
    #[default]
    Numbers,
    /// Each page links to the next one: by a cursor, by the last id, or in any other way.
    Links,
}

/// How `gh` runs the operation.
#[derive(Clone, Debug, PartialEq)]
pub enum CliRoute {
    Command(Box<CliCommand>),
    /// `gh api` with the request of another route of the card: one request, whose answer includes
    /// status and headers. Writes use this, because only this shows whether they happened.
    Api(ApiKind),
}

/// The route whose request `gh api` sends.
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
    /// Whether one row more than wanted is requested (`$page.probe`), to find out whether there is
    /// another page.
    pub overfetch: bool,
    pub max_items: Option<u64>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum CliArg {
    /// Left out if a blank has no value.
    One(Template),
    /// Once for each element of an array, as `$item`.
    Each { each: Expr, arg: Template },
    /// A fixed argument that is included only if the predicate is true.
    When { when: Expr, arg: Template },
}
