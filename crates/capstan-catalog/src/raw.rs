//! The card file as people write it. Unknown keys are errors; nothing is interpreted here. `defaults`
//! fills in the defaults.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use capstan_core::card::{ApiKind, ListStyle, Operation, PageStyle, RequestKind, When};
use capstan_core::{AnswerFormat, ApiHost, ErrorCode, Route};

/// Keys that have a second spelling, with that spelling. A `serde(alias)` accepts each.
pub(crate) const SYNONYMS: [(&str, &str); 5] = [
    ("document", "documentPath"),
    ("operation", "operationName"),
    ("json_fields", "jsonFields"),
    ("max_page_size", "maxPageSize"),
    ("max_items", "maxItemsPerCall"),
];

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawCard {
    pub capability_id: String,
    pub version: String,
    /// The service that the routes call, if it is not GitHub.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service: Option<String>,
    pub description: String,
    /// By default the operation of the document, or that of the method of `rest`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation: Option<Operation>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub effects: Vec<String>,
    pub input_schema: Value,
    pub output_schema: Value,
    #[serde(default)]
    pub routing: RawRouting,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub graphql: Option<RawGraphql>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no_graphql: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rest: Option<RawRest>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cli: Option<RawCli>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<RequestKind>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub combine: Vec<RawCombinedStep>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub list: Option<RawList>,
    #[serde(default, skip_serializing_if = "RawLine::is_empty")]
    pub line: RawLine,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<RawName>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub next: Vec<RawFollowUp>,
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub mend: IndexMap<ErrorCode, RawFollowUp>,
    #[serde(default)]
    pub intents: Vec<String>,
    #[serde(default)]
    pub examples: Vec<RawExample>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deprecated: Option<RawDeprecation>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct RawRouting {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preferred: Option<Route>,
    pub fallbacks: Vec<Route>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub suitability: Vec<RawSuitability>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawSuitability {
    pub route: Route,
    pub when: When,
    pub predicate: String,
    pub reason: String,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawGraphql {
    /// A file beside the card, or a path below the folder of cards. By default the card's own name
    /// with `.graphql`.
    #[serde(
        default,
        alias = "documentPath",
        skip_serializing_if = "Option::is_none"
    )]
    pub document: Option<String>,
    /// By default the only operation of the document.
    #[serde(
        default,
        alias = "operationName",
        skip_serializing_if = "Option::is_none"
    )]
    pub operation: Option<String>,
    #[serde(default)]
    pub variables: IndexMap<String, String>,
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub resolve: IndexMap<String, RawGraphqlLookup>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unchanged: Option<RawSettled>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refuse: Option<RawRefusal>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verify: Option<RawSettled>,
    /// By default every field of `output_schema`, taken by its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<RawOutput>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pagination: Option<RawGraphqlPagination>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<RawGraphqlLimits>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawGraphqlLookup {
    pub operation: String,
    #[serde(default)]
    pub variables: IndexMap<String, String>,
    pub root: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub each: Option<String>,
    #[serde(default)]
    pub cache: bool,
    #[serde(default, skip_serializing_if = "is_false")]
    pub optional: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub again: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pick: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mend: Option<RawFollowUp>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawSettled {
    pub when: String,
    pub from: String,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawRefusal {
    #[serde(rename = "override", default, skip_serializing_if = "Option::is_none")]
    pub override_input: Option<String>,
    pub rules: Vec<RawRefusalRule>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawRefusalRule {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<String>,
    pub because: String,
    #[serde(rename = "final", default, skip_serializing_if = "is_false")]
    pub is_final: bool,
    #[serde(rename = "passing", default, skip_serializing_if = "is_false")]
    pub is_passing: bool,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawWarning {
    pub when: String,
    pub message: String,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawGraphqlPagination {
    pub has_next_page: String,
    pub end_cursor: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total: Option<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawGraphqlLimits {
    #[serde(alias = "maxPageSize")]
    pub max_page_size: u64,
}

/// How the answer becomes the output. A field is an expression, an object with `each` and `fields`,
/// or an object with `fields`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawOutput {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub root: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub require: Option<String>,
    pub fields: IndexMap<String, Value>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warn: Vec<RawWarning>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawRest {
    pub method: String,
    /// Whether a POST changes nothing.
    #[serde(default, skip_serializing_if = "is_false")]
    pub reads: bool,
    pub path: String,
    /// Each value is a text, or a list of texts that are joined by spaces.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub query: IndexMap<String, Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raw: Option<RawContent>,
    /// Parameters of the query that may be lists or objects.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub lists: IndexMap<String, RawListParameter>,
    /// Sends the body as a form, with the styles of fields that are lists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub form: Option<IndexMap<String, ListStyle>>,
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub headers: IndexMap<String, String>,
    #[serde(default, skip_serializing_if = "ApiHost::is_usual")]
    pub host: ApiHost,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accept: Option<String>,
    #[serde(default, skip_serializing_if = "is_json")]
    pub answer: AnswerFormat,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<RawFileParts>,
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub resolve: IndexMap<String, RawHttpLookup>,
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub seal: IndexMap<String, RawSealedInput>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unchanged: Option<RawSettled>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refuse: Option<RawRefusal>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verify: Option<RawSettled>,
    /// By default every field of `output_schema`, taken by its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<RawOutput>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pagination: Option<RawHttpPagination>,
}

/// A parameter of the query that may be a list or an object.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawListParameter {
    pub value: String,
    #[serde(default, rename = "as")]
    pub style: ListStyle,
}

/// The input that is sent as a body that is not JSON, with templates for its type and name.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawContent {
    pub input: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub media_type: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// An input that is sealed with a public key.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawSealedInput {
    pub input: String,
    pub key: String,
}

/// Templates for what to read of a file.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct RawFileParts {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entry: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tail: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub find: Option<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawHttpLookup {
    pub path: String,
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub query: IndexMap<String, Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub root: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub each: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pick: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub require: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mend: Option<RawFollowUp>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawHttpPagination {
    #[serde(default, skip_serializing_if = "has_numbers")]
    pub style: PageStyle,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub incomplete: Option<String>,
}

/// Either `api`, or `command` with its settings.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawCli {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub api: Option<ApiKind>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// Each argument is a text, or an object `{each, arg}` or `{when, arg}`. By default they are
    /// made from the input.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub args: Option<Vec<Value>>,
    #[serde(default, alias = "jsonFields", skip_serializing_if = "Vec::is_empty")]
    pub json_fields: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<RawOutput>,
    #[serde(default)]
    pub overfetch: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<RawCliLimits>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawCliLimits {
    #[serde(alias = "maxItemsPerCall")]
    pub max_items: u64,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawList {
    pub field: String,
    pub empty: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub always: Vec<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawCombinedStep {
    pub task: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<String>,
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub input: IndexMap<String, String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub says: Option<String>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct RawLine {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub positional: Vec<String>,
    /// Each value is the name of an input, or an object with inputs and their values.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub flags: IndexMap<String, Value>,
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub fields: IndexMap<String, String>,
}

impl RawLine {
    fn is_empty(&self) -> bool {
        self.positional.is_empty() && self.flags.is_empty() && self.fields.is_empty()
    }
}

/// A name, or an object with `name` and optional conditions such as `with`.
pub(crate) type RawName = Value;

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawFollowUp {
    pub capability: String,
    pub input: Value,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawExample {
    pub title: String,
    pub input: Map<String, Value>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawDeprecation {
    pub since: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sunset: Option<String>,
    #[serde(rename = "use", default, skip_serializing_if = "Option::is_none")]
    pub replacement: Option<String>,
}

fn is_false(flag: &bool) -> bool {
    !flag
}

fn is_json(format: &AnswerFormat) -> bool {
    *format == AnswerFormat::Json
}

fn has_numbers(style: &PageStyle) -> bool {
    *style == PageStyle::Numbers
}
