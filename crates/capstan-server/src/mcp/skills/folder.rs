//! A skill as a folder of files, and how the protocol describes it.

use rmcp::model::{Resource, ResourceContents};
use serde_json::{Map, Value, json};

use capstan_core::Redactor;
use capstan_engine::SkillSheet;

use super::names::sha256_hex;
use super::uri::folder_uri;
use super::{body, frontmatter};

/// The file that makes a folder a skill.
pub(super) const MAIN_FILE: &str = "SKILL.md";
/// The skill as its author wrote it.
const SOURCE_FILE: &str = "skill.yaml";

pub(super) struct SkillFolder {
    pub(super) uri: String,
    pub(super) name: String,
    frontmatter: Map<String, Value>,
    files: Vec<SkillFile>,
}

struct SkillFile {
    name: &'static str,
    mime_type: &'static str,
    text: String,
}

impl SkillFolder {
    /// Creates the folder of a skill that consists of instructions only: a single `SKILL.md`.
    pub(super) fn from_instructions(
        name: &str,
        description: &str,
        metadata: Value,
        instructions: &str,
    ) -> Self {
        let frontmatter = frontmatter::fields(name, description, metadata);
        let text = format!("{}\n{instructions}\n", frontmatter::to_yaml(&frontmatter));
        Self {
            uri: folder_uri(None, name),
            name: name.to_owned(),
            files: vec![SkillFile::main(text)],
            frontmatter,
        }
    }

    /// Creates the folder of a skill of the engine. With a `version`, its `SKILL.md` runs exactly that
    /// version.
    pub(super) fn from_sheet(
        name: &str,
        version: Option<&str>,
        sheet: &SkillSheet,
        older_versions: &[String],
        redactor: &Redactor,
    ) -> Self {
        let metadata = json!({
            "id": sheet.id,
            "version": sheet.version,
            "level": sheet.level.to_string()
        });
        let fields = frontmatter::fields(name, &body::description(sheet), metadata);
        let mut masked = Value::Object(fields);
        redactor.value(&mut masked);
        let frontmatter = match masked {
            Value::Object(fields) => fields,
            _ => Map::new(),
        };
        let capability = match version {
            Some(version) => format!("{}@{version}", sheet.id),
            None => sheet.name.clone(),
        };
        let body = body::text(name, sheet, &capability, older_versions, SOURCE_FILE);
        let text = format!(
            "{}\n{}",
            frontmatter::to_yaml(&frontmatter),
            redactor.text(&body)
        );
        let source = SkillFile {
            name: SOURCE_FILE,
            mime_type: "application/yaml",
            text: redactor.text(&sheet.text).into_owned(),
        };
        Self {
            uri: folder_uri(version, name),
            name: name.to_owned(),
            frontmatter,
            files: vec![SkillFile::main(text), source],
        }
    }

    /// Returns the manifest: the JSON that `skills/list` and `skills/get` return for the skill.
    pub(super) fn manifest(&self) -> Value {
        let files = self.files.iter().map(|file| {
            json!({
                "uri": self.uri_of(file),
                "digest": format!("sha256:{}", sha256_hex(&file.text)),
                "size": file.text.len()
            })
        });
        json!({
            "uri": format!("{}/{MAIN_FILE}", self.uri),
            "frontmatter": self.frontmatter,
            "resources": files.collect::<Vec<_>>()
        })
    }

    /// Returns the files as resources.
    pub(super) fn file_resources(&self) -> impl Iterator<Item = Resource> {
        self.files.iter().map(|file| {
            let uri = self.uri_of(file);
            let resource = match file.name {
                MAIN_FILE => {
                    let description = self.frontmatter.get("description").and_then(Value::as_str);
                    Resource::new(uri, &self.name).with_description(description.unwrap_or_default())
                }
                name => Resource::new(uri, name),
            };
            resource
                .with_mime_type(file.mime_type)
                .with_size(file.text.len() as u64)
        })
    }

    /// Returns the folder itself as a resource.
    pub(super) fn folder_resource(&self) -> Resource {
        Resource::new(&self.uri, &self.name).with_mime_type("inode/directory")
    }

    /// Returns the contents of a file, or `None` if there is no file with this name.
    pub(super) fn read_file(&self, name: &str) -> Option<ResourceContents> {
        let file = self.files.iter().find(|file| file.name == name)?;
        let contents = ResourceContents::text(&file.text, self.uri_of(file));
        Some(contents.with_mime_type(file.mime_type))
    }

    fn uri_of(&self, file: &SkillFile) -> String {
        format!("{}/{}", self.uri, file.name)
    }
}

impl SkillFile {
    fn main(text: String) -> Self {
        Self {
            name: MAIN_FILE,
            mime_type: "text/markdown",
            text,
        }
    }
}
