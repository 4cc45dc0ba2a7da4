//! An outline as it is written. Unknown keys are errors.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawOutline {
    pub description: String,
    /// The method and the path: `PATCH /gists/{gist_id}`. In `{+path}`, slashes of the value are kept.
    pub call: String,
    /// What the description of the API calls the operation.
    pub source: String,
    /// The type of each input. The names of optional ones end in `?`.
    #[serde(default)]
    pub input: IndexMap<String, Value>,
    /// Inputs that go into the query although there is a body.
    #[serde(default)]
    pub query: Vec<String>,
    /// Fields of the body that have another name than their input.
    #[serde(default)]
    pub send: IndexMap<String, String>,
    /// `raw NAME`, `list NAME` or `value NAME`: the input is the whole body.
    #[serde(default)]
    pub body: Option<String>,
    #[serde(default)]
    pub pages: Option<RawPages>,
    /// The type of a row, if the answer is a list.
    #[serde(default)]
    pub rows: Option<Value>,
    /// The place of the list in the answer.
    #[serde(default)]
    pub at: Option<String>,
    #[serde(default)]
    pub total: Option<String>,
    /// The type of each field, if the answer is an object.
    #[serde(default)]
    pub output: Option<IndexMap<String, Value>>,
    #[serde(default)]
    pub answer: Option<RawAnswer>,
    #[serde(default)]
    pub accept: Option<String>,
    #[serde(default)]
    pub host: Option<String>,
    /// Whether a write may be accepted and finish later.
    #[serde(default)]
    pub accepted: bool,
    /// Whether a read may have to be repeated until it is computed.
    #[serde(default)]
    pub computed: bool,
    /// The input that is sealed with a public key before it is sent.
    #[serde(default)]
    pub sealed: Option<String>,
    /// Whether it only reads, although its method writes.
    #[serde(default)]
    pub reads: bool,
    /// Who can use it, if not every user.
    #[serde(default, rename = "for")]
    pub audience: Option<RawAudience>,
    /// Whether it is deprecated, or the date of its removal.
    #[serde(default)]
    pub deprecated: Option<Value>,
}

/// How a list continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RawPages {
    Page,
    Cursor,
    CursorParam,
    Since,
    Link,
}

/// An answer that is neither an object nor a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RawAnswer {
    Nothing,
    YesOrNo,
    Text,
    Redirect,
    Any,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RawAudience {
    Organization,
    Enterprise,
    App,
    Installation,
    OauthApp,
}
