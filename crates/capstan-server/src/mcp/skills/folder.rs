//! A skill as the files of a folder, and what the protocol says of them.

use rmcp::model::{Resource, ResourceContents};
use serde_json::{Map, Value, json};

use capstan_core::Redactor;
use capstan_engine::SkillSheet;

use super::names::digest;
use super::{address, body, front};

/// The file that makes a folder a skill.
pub(super) const MAIN_FILE: &str = "SKILL.md";
/// The skill as its author wrote it.
const SOURCE_FILE: &str = "skill.yaml";

pub(super) struct Folder {
    pub(super) uri: String,
    pub(super) name: String,
    front: Map<String, Value>,
    files: Vec<File>,
}

struct File {
    name: &'static str,
    mime_type: &'static str,
    text: String,
}

impl Folder {
    /// With rules in words and nothing else.
    pub(super) fn of_text(name: &str, description: &str, metadata: Value, text: &str) -> Self {
        let front = front::fields(name, description, metadata);
        let text = format!("{}\n{text}\n", front::yaml(&front));
        Self {
            uri: address::folder(None, name),
            name: name.to_owned(),
            files: vec![File::main(text)],
            front,
        }
    }

    /// Of a skill of the engine. In the folder of one version, that version is run.
    pub(super) fn of_sheet(
        name: &str,
        version: Option<&str>,
        sheet: &SkillSheet,
        older: &[String],
        redactor: &Redactor,
    ) -> Self {
        let metadata = json!({
            "id": sheet.id,
            "version": sheet.version,
            "level": sheet.level.to_string()
        });
        let mut front = Value::Object(front::fields(name, &body::description(sheet), metadata));
        redactor.value(&mut front);
        let front = match front {
            Value::Object(front) => front,
            _ => Map::new(),
        };
        let run = match version {
            Some(version) => format!("{}@{version}", sheet.id),
            None => sheet.name.clone(),
        };
        let text = body::text(name, sheet, &run, older, SOURCE_FILE);
        let text = format!("{}\n{}", front::yaml(&front), redactor.text(&text));
        let source = File {
            name: SOURCE_FILE,
            mime_type: "application/yaml",
            text: redactor.text(&sheet.text).into_owned(),
        };
        Self {
            uri: address::folder(version, name),
            name: name.to_owned(),
            front,
            files: vec![File::main(text), source],
        }
    }

    /// What `skills/list` and `skills/get` tell of it.
    pub(super) fn entry(&self) -> Value {
        let files = self.files.iter().map(|file| {
            json!({
                "uri": self.uri_of(file),
                "digest": format!("sha256:{}", digest(&file.text)),
                "size": file.text.len()
            })
        });
        json!({
            "uri": format!("{}/{MAIN_FILE}", self.uri),
            "frontmatter": self.front,
            "resources": files.collect::<Vec<_>>()
        })
    }

    /// Its files as resources.
    pub(super) fn resources(&self) -> impl Iterator<Item = Resource> {
        self.files.iter().map(|file| {
            let uri = self.uri_of(file);
            let resource = match file.name {
                MAIN_FILE => {
                    let description = self.front.get("description").and_then(Value::as_str);
                    Resource::new(uri, &self.name).with_description(description.unwrap_or_default())
                }
                name => Resource::new(uri, name),
            };
            resource
                .with_mime_type(file.mime_type)
                .with_size(file.text.len() as u64)
        })
    }

    /// Itself as a resource.
    pub(super) fn resource(&self) -> Resource {
        Resource::new(&self.uri, &self.name).with_mime_type("inode/directory")
    }

    pub(super) fn read(&self, name: &str) -> Option<ResourceContents> {
        let file = self.files.iter().find(|file| file.name == name)?;
        let contents = ResourceContents::text(&file.text, self.uri_of(file));
        Some(contents.with_mime_type(file.mime_type))
    }

    fn uri_of(&self, file: &File) -> String {
        format!("{}/{}", self.uri, file.name)
    }
}

impl File {
    fn main(text: String) -> Self {
        Self {
            name: MAIN_FILE,
            mime_type: "text/markdown",
            text,
        }
    }
}
