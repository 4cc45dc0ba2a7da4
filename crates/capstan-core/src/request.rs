//! A request with every blank filled in: exactly what an adapter sends and what a dry run prints.

use std::sync::Arc;

use indexmap::IndexMap;
use serde::ser::SerializeStruct as _;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Map, Value};

use crate::{FileSelection, Route, card::Operation};

/// One request on one route.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "route", rename_all = "lowercase")]
pub enum RouteRequest {
    Graphql(GraphqlRequest),
    Rest(RestRequest),
    Cli(CliRequest),
    Mcp(CallRequest),
    Code(CallRequest),
    Skill(CallRequest),
    Local(CallRequest),
}

impl RouteRequest {
    pub fn route(&self) -> Route {
        match self {
            RouteRequest::Graphql(_) => Route::Graphql,
            RouteRequest::Rest(_) => Route::Rest,
            RouteRequest::Cli(_) => Route::Cli,
            RouteRequest::Mcp(_) => Route::Mcp,
            RouteRequest::Code(_) => Route::Code,
            RouteRequest::Skill(_) => Route::Skill,
            RouteRequest::Local(_) => Route::Local,
        }
    }

    /// Returns whether it sends a file, which may take longer than other requests.
    pub fn is_upload(&self) -> bool {
        let RouteRequest::Rest(request) = self else {
            return false;
        };
        let raw = request.raw.as_ref();
        raw.is_some_and(|raw| raw.media_type != RawBody::FORM)
    }

    /// Returns whether sending it can change anything.
    pub fn operation(&self) -> Operation {
        match self {
            RouteRequest::Graphql(request) => request.operation,
            RouteRequest::Rest(request) => request.operation,
            RouteRequest::Cli(request) => request.operation,
            RouteRequest::Mcp(call)
            | RouteRequest::Code(call)
            | RouteRequest::Skill(call)
            | RouteRequest::Local(call) => call.operation,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GraphqlRequest {
    pub operation_name: String,
    pub document: String,
    pub variables: Map<String, Value>,
    #[serde(skip)]
    pub operation: Operation,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RestRequest {
    pub method: Method,
    /// The absolute path below the API's base, percent-encoded, with its query string.
    pub path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body: Option<Value>,
    /// A body that is not JSON, in place of `body`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub raw: Option<RawBody>,
    #[serde(skip_serializing_if = "ApiHost::is_usual")]
    pub host: ApiHost,
    /// The requested media type, if it is not GitHub's usual one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accept: Option<String>,
    /// Headers of a request to a service.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub headers: IndexMap<String, String>,
    /// Some reads are sent by POST.
    #[serde(skip)]
    pub operation: Operation,
    #[serde(skip)]
    pub answer: AnswerFormat,
    /// What to read of an answer that is a file or a diff.
    #[serde(skip_serializing_if = "FileSelection::is_whole")]
    pub file: FileSelection,
}

/// Which of GitHub's own hosts takes a REST request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ApiHost {
    #[default]
    Api,
    /// The host for files: `uploads.github.com`, or `/api/uploads` of an Enterprise server.
    Uploads,
}

impl ApiHost {
    /// Returns whether it is the host of the API.
    pub fn is_usual(&self) -> bool {
        *self == Self::Api
    }
}

/// A body that is not JSON: the content of a file, or a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawBody {
    pub media_type: String,
    pub content: Arc<[u8]>,
}

impl RawBody {
    /// The media type of a form.
    pub const FORM: &str = "application/x-www-form-urlencoded";
}

/// How many bytes of a body that is a text are shown.
const SHOWN_BYTES: usize = 200;

impl Serialize for RawBody {
    /// Describes the body. A dry run shows the beginning of a text, and only the size of anything else.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = str::from_utf8(&self.content).ok();
        let mut fields = serializer.serialize_struct("RawBody", 3)?;
        fields.serialize_field("media_type", &self.media_type)?;
        fields.serialize_field("bytes", &self.content.len())?;
        match text {
            Some(text) => fields.serialize_field("text", &crate::brief(text, SHOWN_BYTES))?,
            None => fields.skip_field("text")?,
        }
        fields.end()
    }
}

/// How the body of an answer is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AnswerFormat {
    #[default]
    Json,
    /// The answer is a text, such as a diff.
    Text,
    /// Whatever the answer is: JSON, a text, or a file as with `File`. Nothing if it is empty.
    Auto,
    /// The answer is whether something is so: a success means yes, status 404 means no.
    YesOrNo,
    /// The answer describes a file, with its text if it has one, or the names in an archive. GitHub may answer with a
    /// redirect to another host. That host does not get the token.
    File,
    /// A file as before, which is the log of a job, or an archive of such logs: errors first.
    Log,
    /// The answer is a diff: its files, and the hunks of those that are asked for.
    Diff,
}

impl AnswerFormat {
    /// Returns whether the answer may be on another host.
    pub fn is_file(self) -> bool {
        matches!(self, Self::File | Self::Log)
    }

    /// Returns whether a part of the answer can be asked for. What is then shown is small already.
    pub fn has_parts(self) -> bool {
        self.is_file() || self == Self::Diff
    }
}

impl RestRequest {
    /// Returns a request without a body.
    pub fn new(method: Method, path: impl Into<String>) -> Self {
        Self {
            method,
            path: path.into(),
            body: None,
            raw: None,
            host: ApiHost::Api,
            accept: None,
            headers: IndexMap::new(),
            operation: method.operation(),
            answer: AnswerFormat::default(),
            file: FileSelection::default(),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CliRequest {
    /// The arguments after `gh`. Never a shell string.
    pub args: Vec<String>,
    /// The text for standard input.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stdin: Option<String>,
    #[serde(skip)]
    pub operation: Operation,
    #[serde(skip)]
    pub answer: CliAnswer,
}

/// A call of a capability that is not a card: a tool, code, or an action of Capstan itself.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CallRequest {
    /// `server.tool`, a fully qualified name, or an id.
    pub target: String,
    pub input: Map<String, Value>,
    #[serde(skip)]
    pub operation: Operation,
}

/// The output format of `gh` for a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CliAnswer {
    /// A JSON value: `--json`.
    Json,
    /// Status line, headers and a body: `gh api --include`.
    Http(AnswerFormat),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Method {
    Get,
    Head,
    Post,
    Put,
    Patch,
    Delete,
}

impl Method {
    pub const ALL: [Method; 6] = [
        Method::Get,
        Method::Head,
        Method::Post,
        Method::Put,
        Method::Patch,
        Method::Delete,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Method::Get => "GET",
            Method::Head => "HEAD",
            Method::Post => "POST",
            Method::Put => "PUT",
            Method::Patch => "PATCH",
            Method::Delete => "DELETE",
        }
    }

    pub fn operation(self) -> Operation {
        match self {
            Method::Get | Method::Head => Operation::Read,
            _ => Operation::Write,
        }
    }
}
