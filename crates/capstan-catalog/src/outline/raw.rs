//! An outline as it is written. The generator writes this type and the catalogue reads it. Unknown keys are errors.

use capstan_core::card::ListStyle;
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::names::NamedId;

/// A generated card in short form.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outline {
    pub description: String,
    /// The service that is called, if it is not GitHub.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service: Option<String>,
    /// The method and the path: `PATCH /gists/{gist_id}`. In `{+path}`, slashes of the value are kept. Or a field of a
    /// GraphQL schema: `query shop`, `mutation closeIssue(input)`, where `(input)` tells that what is sent are fields of
    /// the argument `input`.
    pub call: String,
    /// What the description of the API calls the operation.
    pub source: String,
    /// The type of each input. The names of optional ones end in `?`.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub input: IndexMap<String, Value>,
    /// Inputs that take a name as well as an id, and how the id is found.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub names: IndexMap<String, NamedId>,
    /// Inputs that go into the query although there is a body.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub query: Vec<String>,
    /// What is looked up before a GraphQL operation, by name.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub resolve: IndexMap<String, RawOutlineLookup>,
    /// Fields of the body, or parameters of the query of a service, that have another name than their input. For
    /// GraphQL: the type of each argument, and the expression of its value if that is not the input of this name.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub send: IndexMap<String, String>,
    /// `form`: the inputs of a service go into a form. `raw NAME`, `list NAME` or `value NAME`: the input is the whole
    /// body. `fields`: the inputs of a DELETE go into its body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// How inputs of a service that are lists or objects become parameters of the query or fields of a form.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub lists: IndexMap<String, ListStyle>,
    /// Inputs of a service that are sent in a header: the header of each.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub headers: IndexMap<String, String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pages: Option<RawPages>,
    /// The parameter for the rows per page. By default `per_page` on GitHub, and none on a service.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page_size: Option<String>,
    /// The largest page; 100 by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub largest_page: Option<u64>,
    /// The parameter for the number of the page, if pages have numbers; `page` by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page_number: Option<String>,
    /// The type of a row, if the answer is a list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rows: Option<Value>,
    /// The place of the list in the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total: Option<String>,
    /// The type of each field, if the answer is an object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<IndexMap<String, Value>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<RawAnswer>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accept: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// Whether a write may be accepted and finish later.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub accepted: bool,
    /// Whether a read may have to be repeated until it is computed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub computed: bool,
    /// The input that is sealed with a public key before it is sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sealed: Option<String>,
    /// Whether it only reads, although its method writes.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reads: bool,
    /// Calls that are likely to follow, such as the one that tells whether a write is done: by id, an expression for each
    /// input.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub next: IndexMap<String, IndexMap<String, String>>,
    /// Who can use it, if not every user.
    #[serde(default, rename = "for", skip_serializing_if = "Option::is_none")]
    pub audience: Option<RawAudience>,
    /// Whether it is deprecated, or the date of its removal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deprecated: Option<Value>,
}

/// A lookup of an outline: it finds the id of an object that people name in another way.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawOutlineLookup {
    /// The place of the object, whose arguments use inputs: `repository(owner: $owner, name: $repo)`.
    pub at: String,
    /// The input whose elements are looked up, each as `$item`. If it is no list and not given, nothing is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub each: Option<String>,
    /// A condition that finds the object, if a list is at the place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pick: Option<String>,
    /// The input that `pick` compares with, for the message if nothing fits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pick_input: Option<String>,
    /// Fields of the object besides its id that the card uses.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reads: Vec<String>,
    /// What the object is called in messages, if not as the lookup.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub noun: Option<String>,
}

/// How a list continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RawPages {
    Page,
    Cursor,
    CursorParam,
    Since,
    Link,
}

/// An answer that is neither an object nor a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RawAnswer {
    Nothing,
    YesOrNo,
    Text,
    /// A file elsewhere.
    Redirect,
    /// A file that comes as the answer.
    File,
    /// The changes of files.
    Diff,
    /// A file elsewhere: the log of a job, or an archive of such logs.
    Log,
    Any,
}

/// Who can use an operation that not every user can use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RawAudience {
    Organization,
    Enterprise,
    App,
    Installation,
    OauthApp,
}

impl RawAudience {
    pub const ALL: [Self; 5] = [
        Self::Organization,
        Self::Enterprise,
        Self::App,
        Self::Installation,
        Self::OauthApp,
    ];
}
