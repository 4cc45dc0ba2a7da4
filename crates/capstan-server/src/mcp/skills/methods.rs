//! The methods `skills/list`, `skills/get` and `resources/directory/read`, and skills as resources.

use rmcp::ErrorData;
use rmcp::model::{ErrorCode, JsonObject, Resource, ResourceContents};
use serde_json::{Map, Value, json};

use capstan_wire::kind_in_words;

use super::SkillLibrary;
use super::folder::{MAIN_FILE, SkillFolder};
use super::library::SkillPage;
use super::uri::SkillUri;

use crate::mcp::server::CACHE_TTL_MS;

/// The id of the MCP extension that defines these methods.
pub(in crate::mcp) const EXTENSION: &str = "io.modelcontextprotocol/skills";

const LIST: &str = "skills/list";
const GET: &str = "skills/get";
const READ_DIRECTORY: &str = "resources/directory/read";

/// Returns the settings that the server declares for the extension.
pub(in crate::mcp) fn settings() -> JsonObject {
    JsonObject::from_iter([("directoryRead".to_owned(), Value::Bool(true))])
}

impl SkillLibrary {
    /// Handles a method of the extension. Returns `None` for any other method.
    pub(in crate::mcp) async fn handle_method(
        &self,
        method: &str,
        params: Option<&Value>,
    ) -> Option<Result<Value, ErrorData>> {
        let params = RequestParams { method, params };
        Some(match method {
            LIST => self.list(params).await,
            GET => self.get(params).await,
            READ_DIRECTORY => self.read_directory(params).await,
            _ => return None,
        })
    }

    /// Returns the files of a page of skills, and the cursor of the next page.
    pub(in crate::mcp) async fn resources(
        &self,
        cursor: Option<&str>,
    ) -> Result<(Vec<Resource>, Option<String>), ErrorData> {
        let SkillPage {
            folders,
            next_cursor,
        } = self.page(None, cursor).await?;
        let files = folders.iter().flat_map(SkillFolder::file_resources);
        Ok((files.collect(), next_cursor))
    }

    /// Returns the contents of a file of a skill.
    pub(in crate::mcp) async fn read(&self, uri: &str) -> Result<ResourceContents, ErrorData> {
        // The library converts this code to the one that the client's revision defines.
        let as_not_found = |error: ErrorData| ErrorData {
            code: ErrorCode::RESOURCE_NOT_FOUND,
            ..error
        };
        let Some(SkillUri::File {
            version,
            name,
            file,
        }) = SkillUri::parse(uri)
        else {
            return Err(as_not_found(self.not_found(uri)));
        };
        let folder = self.folder(version, name).await.map_err(as_not_found)?;
        let contents = folder.read_file(file);
        contents.ok_or_else(|| as_not_found(self.not_found(uri)))
    }

    async fn list(&self, params: RequestParams<'_>) -> Result<Value, ErrorData> {
        let SkillPage {
            folders,
            next_cursor,
        } = self.page(None, params.cursor()?).await?;
        let skills: Vec<_> = folders.iter().map(SkillFolder::manifest).collect();
        Ok(complete_result("skills", skills.into(), next_cursor, true))
    }

    async fn get(&self, params: RequestParams<'_>) -> Result<Value, ErrorData> {
        let uri = params.uri()?;
        let (version, name) = match SkillUri::parse(uri) {
            Some(SkillUri::File {
                version,
                name,
                file: MAIN_FILE,
            }) => (version, name),
            _ => return Err(self.not_found(uri)),
        };
        let folder = self.folder(version, name).await?;
        Ok(complete_result("skill", folder.manifest(), None, true))
    }

    async fn read_directory(&self, params: RequestParams<'_>) -> Result<Value, ErrorData> {
        let (uri, cursor) = (params.uri()?, params.cursor()?);
        let (children, next_cursor): (Vec<Resource>, _) = match SkillUri::parse(uri) {
            Some(SkillUri::Folder { version, name }) => {
                let folder = self.folder(version, name).await?;
                (folder.file_resources().collect(), None)
            }
            Some(SkillUri::Version(version)) => {
                let SkillPage {
                    folders,
                    next_cursor,
                } = self.page(Some(version), cursor).await?;
                if folders.is_empty() && cursor.is_none() {
                    return Err(self.not_found(uri));
                }
                (
                    folders.iter().map(SkillFolder::folder_resource).collect(),
                    next_cursor,
                )
            }
            Some(SkillUri::File {
                version,
                name,
                file,
            }) => {
                let folder = self.folder(version, name).await?;
                return Err(match folder.read_file(file) {
                    Some(_) => self.invalid_params(
                        &format!("`{uri}` is a file: its folder is `{}`", folder.uri),
                        None,
                    ),
                    None => self.not_found(uri),
                });
            }
            None => return Err(self.not_found(uri)),
        };
        let resources = serde_json::to_value(children).unwrap_or_default();
        Ok(complete_result("resources", resources, next_cursor, false))
    }
}

/// The parameters of a request that the library did not parse.
#[derive(Clone, Copy)]
struct RequestParams<'a> {
    method: &'a str,
    params: Option<&'a Value>,
}

impl<'a> RequestParams<'a> {
    fn uri(self) -> Result<&'a str, ErrorData> {
        self.text("uri")?
            .ok_or_else(|| self.invalid("`uri` is missing"))
    }

    fn cursor(self) -> Result<Option<&'a str>, ErrorData> {
        self.text("cursor")
    }

    /// Returns a text parameter. A null counts as missing.
    fn text(self, key: &str) -> Result<Option<&'a str>, ErrorData> {
        match self.params.and_then(|params| params.get(key)) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(self.invalid(&format!(
                "`{key}` must be a text, not {}",
                kind_in_words(other)
            ))),
        }
    }

    fn invalid(self, problem: &str) -> ErrorData {
        let message = format!("bad params for {}: {problem}", self.method);
        ErrorData::invalid_params(message, None)
    }
}

/// Returns a result in the form that the extension requires. It is the same for all protocol revisions,
/// because the older ones allow unknown fields.
fn complete_result(
    key: &str,
    value: Value,
    next_cursor: Option<String>,
    is_cacheable: bool,
) -> Value {
    let mut result = Map::new();
    result.insert("resultType".to_owned(), json!("complete"));
    result.insert(key.to_owned(), value);
    if let Some(next_cursor) = next_cursor {
        result.insert("nextCursor".to_owned(), next_cursor.into());
    }
    if is_cacheable {
        result.insert("ttlMs".to_owned(), CACHE_TTL_MS.into());
        // Skills come from the user's files, so shared caches must not keep them.
        result.insert("cacheScope".to_owned(), json!("private"));
    }
    Value::Object(result)
}
