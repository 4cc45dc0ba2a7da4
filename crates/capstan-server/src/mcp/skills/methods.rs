//! The methods: `skills/list`, `skills/get`, `resources/directory/read`, and skills as resources.

use rmcp::ErrorData;
use rmcp::model::{ErrorCode, JsonObject, Resource, ResourceContents};
use serde_json::{Map, Value, json};

use capstan_wire::kind_in_words;

use super::Skills;
use super::address::Address;
use super::folder::{Folder, MAIN_FILE};
use super::served::Page;

use crate::mcp::server::FRESH_MS;

/// The extension that these methods are of.
pub(in crate::mcp) const EXTENSION: &str = "io.modelcontextprotocol/skills";

const LIST: &str = "skills/list";
const GET: &str = "skills/get";
const READ_DIRECTORY: &str = "resources/directory/read";

/// What the server declares about the extension.
pub(in crate::mcp) fn settings() -> JsonObject {
    JsonObject::from_iter([("directoryRead".to_owned(), Value::Bool(true))])
}

impl Skills {
    /// The answer to a method of the extension; nothing if it is none.
    pub(in crate::mcp) async fn answer(
        &self,
        method: &str,
        params: Option<&Value>,
    ) -> Option<Result<Value, ErrorData>> {
        let params = Params { method, params };
        Some(match method {
            LIST => self.list(params).await,
            GET => self.get(params).await,
            READ_DIRECTORY => self.read_directory(params).await,
            _ => return None,
        })
    }

    /// Every file of every skill that is listed.
    pub(in crate::mcp) async fn resources(
        &self,
        cursor: Option<&str>,
    ) -> Result<(Vec<Resource>, Option<String>), ErrorData> {
        let Page { folders, next } = self.page(None, cursor).await?;
        let files = folders.iter().flat_map(Folder::resources);
        Ok((files.collect(), next))
    }

    pub(in crate::mcp) async fn read(&self, uri: &str) -> Result<ResourceContents, ErrorData> {
        // The library turns the code into the one that the client's revision wants.
        let missing = |error: ErrorData| ErrorData {
            code: ErrorCode::RESOURCE_NOT_FOUND,
            ..error
        };
        let Some(Address::File {
            version,
            name,
            file,
        }) = Address::read(uri)
        else {
            return Err(missing(self.nothing_at(uri)));
        };
        let folder = self.folder(version, name).await.map_err(missing)?;
        let contents = folder.read(file);
        contents.ok_or_else(|| missing(self.nothing_at(uri)))
    }

    async fn list(&self, params: Params<'_>) -> Result<Value, ErrorData> {
        let Page { folders, next } = self.page(None, params.cursor()?).await?;
        let skills: Vec<_> = folders.iter().map(Folder::entry).collect();
        Ok(complete("skills", skills.into(), next, true))
    }

    async fn get(&self, params: Params<'_>) -> Result<Value, ErrorData> {
        let uri = params.uri()?;
        let (version, name) = match Address::read(uri) {
            Some(Address::File {
                version,
                name,
                file: MAIN_FILE,
            }) => (version, name),
            _ => return Err(self.nothing_at(uri)),
        };
        let folder = self.folder(version, name).await?;
        Ok(complete("skill", folder.entry(), None, true))
    }

    async fn read_directory(&self, params: Params<'_>) -> Result<Value, ErrorData> {
        let (uri, cursor) = (params.uri()?, params.cursor()?);
        let (children, next): (Vec<Resource>, _) = match Address::read(uri) {
            Some(Address::Folder { version, name }) => {
                let folder = self.folder(version, name).await?;
                (folder.resources().collect(), None)
            }
            Some(Address::Version(version)) => {
                let Page { folders, next } = self.page(Some(version), cursor).await?;
                if folders.is_empty() && cursor.is_none() {
                    return Err(self.nothing_at(uri));
                }
                (folders.iter().map(Folder::resource).collect(), next)
            }
            Some(Address::File {
                version,
                name,
                file,
            }) => {
                let folder = self.folder(version, name).await?;
                return Err(match folder.read(file) {
                    Some(_) => self.refused(
                        &format!("`{uri}` is a file: its folder is `{}`", folder.uri),
                        None,
                    ),
                    None => self.nothing_at(uri),
                });
            }
            None => return Err(self.nothing_at(uri)),
        };
        let children = serde_json::to_value(children).unwrap_or_default();
        Ok(complete("resources", children, next, false))
    }
}

/// What came with a request that the library did not read.
#[derive(Clone, Copy)]
struct Params<'a> {
    method: &'a str,
    params: Option<&'a Value>,
}

impl<'a> Params<'a> {
    fn uri(self) -> Result<&'a str, ErrorData> {
        self.text("uri")?
            .ok_or_else(|| self.bad("`uri` is missing"))
    }

    fn cursor(self) -> Result<Option<&'a str>, ErrorData> {
        self.text("cursor")
    }

    fn text(self, key: &str) -> Result<Option<&'a str>, ErrorData> {
        match self.params.and_then(|params| params.get(key)) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(self.bad(&format!(
                "`{key}` must be a text, not {}",
                kind_in_words(other)
            ))),
        }
    }

    fn bad(self, problem: &str) -> ErrorData {
        let message = format!("bad params for {}: {problem}", self.method);
        ErrorData::invalid_params(message, None)
    }
}

/// A result as the extension wants it, whatever revision the client speaks: the older ones allow fields
/// that they do not know.
fn complete(key: &str, value: Value, next: Option<String>, cacheable: bool) -> Value {
    let mut result = Map::new();
    result.insert("resultType".to_owned(), json!("complete"));
    result.insert(key.to_owned(), value);
    if let Some(next) = next {
        result.insert("nextCursor".to_owned(), next.into());
    }
    if cacheable {
        result.insert("ttlMs".to_owned(), FRESH_MS.into());
        // Skills are somebody's files.
        result.insert("cacheScope".to_owned(), json!("private"));
    }
    Value::Object(result)
}
