//! The documented operations, unpacked from the data that `tools/sim-examples` writes.

use std::io::Read as _;
use std::sync::OnceLock;

use flate2::read::GzDecoder;
use indexmap::IndexMap;
use serde::Deserialize;
use serde_json::{Map, Value};

pub(crate) use super::schema::InputSchema;
use super::template::PathTemplate;

static PACKED: &[u8] = include_bytes!("../../../data/operations.json.gz");

/// An operation of GitHub's REST API.
#[derive(Debug, Deserialize)]
pub(crate) struct DocumentedOperation {
    /// GitHub's name of the operation, for instance `issues/create`.
    pub(crate) id: String,
    /// For instance `/repos/{owner}/{repo}`.
    pub(crate) path: String,
    /// The parameters in the path, in its order.
    #[serde(default)]
    pub(crate) params: IndexMap<String, ParamType>,
    /// The required parameters of the query.
    #[serde(default)]
    pub(crate) query: IndexMap<String, InputSchema>,
    pub(crate) body: Option<InputSchema>,
    #[serde(default)]
    pub(crate) body_required: bool,
    /// The media type of the body if it is not JSON.
    pub(crate) body_type: Option<String>,
    /// The status of the usual success.
    pub(crate) status: u16,
    /// The other statuses of success, and of a redirect to another host.
    #[serde(default)]
    pub(crate) other_statuses: Vec<u16>,
    /// The media type of the answer if it is not JSON.
    #[serde(rename = "type")]
    pub(crate) media_type: Option<String>,
    /// GitHub's example of the answer; absent if the answer has no body.
    pub(crate) answer: Option<Answer>,
    /// The field of the answer with the rows, if a paged answer is an object.
    pub(crate) rows: Option<String>,
    pub(crate) paging: Option<Paging>,
    /// The other media types that can be asked for, such as `diff` or `raw`, with GitHub's example if it has one.
    #[serde(default)]
    pub(crate) media: IndexMap<String, Media>,
}

/// The type of a parameter in a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ParamType {
    String,
    Integer,
    /// A value that may contain slashes.
    Segments,
}

/// How a list is cut into pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Paging {
    /// `page` and `per_page`.
    Page,
    /// `before`, `after` and `per_page`.
    After,
    /// `page` as well as `before` and `after`.
    PageAndAfter,
    /// `cursor` and `per_page`.
    Cursor,
    /// `since` with the id of the last row.
    SinceId,
}

/// An answer. The value may be null.
#[derive(Debug, Deserialize)]
pub(crate) struct Answer {
    pub(crate) value: Value,
}

/// Another media type of an answer.
#[derive(Debug, Deserialize)]
pub(crate) struct Media {
    pub(crate) value: Option<Value>,
}

/// All documented operations. Most of an operation is unpacked when it is asked for.
#[derive(Debug)]
pub(crate) struct Operations {
    shared: Vec<Value>,
    entries: Vec<OperationEntry>,
}

/// What is needed to find an operation.
#[derive(Debug)]
pub(super) struct OperationEntry {
    pub(super) method: String,
    pub(super) template: PathTemplate,
    packed: Value,
}

#[derive(Deserialize)]
struct PackedOperations {
    shared: Vec<Value>,
    operations: Vec<Value>,
}

/// Returns the documented operations, unpacked at the first call.
pub(crate) fn operations() -> &'static Operations {
    static UNPACKED: OnceLock<Operations> = OnceLock::new();
    UNPACKED.get_or_init(|| Operations::unpack(PACKED))
}

impl DocumentedOperation {
    /// Returns whether the operation may answer with this status.
    pub(super) fn offers(&self, status: u16) -> bool {
        self.status == status || self.other_statuses.contains(&status)
    }
}

impl Operations {
    /// Unpacks the data. It is part of the binary, and a test reads all of it; unreadable data has no operations.
    fn unpack(packed: &[u8]) -> Self {
        let mut text = String::new();
        let read = GzDecoder::new(packed).read_to_string(&mut text);
        let packed = read
            .ok()
            .and_then(|_| serde_json::from_str::<PackedOperations>(&text).ok());
        let Some(PackedOperations { shared, operations }) = packed else {
            return Self {
                shared: Vec::new(),
                entries: Vec::new(),
            };
        };
        let entries = operations
            .into_iter()
            .filter_map(|packed| OperationEntry::new(&shared, packed))
            .collect();
        Self { shared, entries }
    }

    pub(super) fn entries(&self) -> &[OperationEntry] {
        &self.entries
    }

    pub(super) fn load(&self, entry: &OperationEntry) -> Option<DocumentedOperation> {
        serde_json::from_value(expand(&self.shared, &entry.packed)).ok()
    }
}

impl OperationEntry {
    fn new(shared: &[Value], packed: Value) -> Option<Self> {
        let params = packed.get("params").map(|params| expand(shared, params));
        let params: IndexMap<String, ParamType> = match params {
            Some(params) => serde_json::from_value(params).ok()?,
            None => IndexMap::new(),
        };
        Some(Self {
            method: packed["method"].as_str()?.to_owned(),
            template: PathTemplate::parse(packed["path"].as_str()?, &params),
            packed,
        })
    }
}

/// Replaces each `{"$": index}` by the shared value. Shared values refer only to earlier ones.
fn expand(shared: &[Value], packed: &Value) -> Value {
    match packed {
        Value::Object(fields) => match shared_index(fields) {
            Some(index) => match shared.get(index) {
                Some(value) => expand(&shared[..index], value),
                None => Value::Null,
            },
            None => fields
                .iter()
                .map(|(name, value)| (name.clone(), expand(shared, value)))
                .collect(),
        },
        Value::Array(items) => items.iter().map(|item| expand(shared, item)).collect(),
        scalar => scalar.clone(),
    }
}

fn shared_index(fields: &Map<String, Value>) -> Option<usize> {
    if fields.len() != 1 {
        return None;
    }
    usize::try_from(fields.get("$")?.as_u64()?).ok()
}
